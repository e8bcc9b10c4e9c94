//! `<metal_curves>`: points and derivatives of the curves that ray tracing knows.
//!
//! `t` runs from 0 to 1 along one segment.

namespace [[msl::since("3.1")]] metal {

/// The point of a Bézier curve, quadratic with three control points or cubic with four at `t`.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0` and the last: the ends of the segment.
/// - the others: the control points between.
template <typename P> [[msl::each(P, floats, halfs)]]
P bezier(__scalar_of<P> t, P p0, P p1, P p2);
template <typename P> [[msl::each(P, floats, halfs)]]
P bezier(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The first derivative by `t` of a Bézier curve, quadratic with three control points or cubic with four.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0` and the last: the ends of the segment.
/// - the others: the control points between.
template <typename P> [[msl::each(P, floats, halfs)]]
P bezier_derivative(__scalar_of<P> t, P p0, P p1, P p2);
template <typename P> [[msl::each(P, floats, halfs)]]
P bezier_derivative(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The second derivative by `t` of a Bézier curve, quadratic with three control points or cubic with four.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0` and the last: the ends of the segment.
/// - the others: the control points between.
template <typename P> [[msl::each(P, floats, halfs)]]
P bezier_second_derivative(__scalar_of<P> t, P p0, P p1, P p2);
template <typename P> [[msl::each(P, floats, halfs)]]
P bezier_second_derivative(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The point of a uniform B-spline, quadratic with three control points or cubic with four at `t`.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0` and the others: the control points, none of which the curve has to meet.
template <typename P> [[msl::each(P, floats, halfs)]]
P bspline(__scalar_of<P> t, P p0, P p1, P p2);
template <typename P> [[msl::each(P, floats, halfs)]]
P bspline(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The first derivative by `t` of a uniform B-spline, quadratic with three control points or cubic with four.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0` and the others: the control points, none of which the curve has to meet.
template <typename P> [[msl::each(P, floats, halfs)]]
P bspline_derivative(__scalar_of<P> t, P p0, P p1, P p2);
template <typename P> [[msl::each(P, floats, halfs)]]
P bspline_derivative(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The second derivative by `t` of a uniform B-spline, quadratic with three control points or cubic with four.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0` and the others: the control points, none of which the curve has to meet.
template <typename P> [[msl::each(P, floats, halfs)]]
P bspline_second_derivative(__scalar_of<P> t, P p0, P p1, P p2);
template <typename P> [[msl::each(P, floats, halfs)]]
P bspline_second_derivative(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The point of a Catmull-Rom spline at `t`.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p1`, `p2`: the ends of the segment.
/// - `p0`, `p3`: the points before and after it.
template <typename P> [[msl::each(P, floats, halfs)]]
P catmull_rom(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The first derivative by `t` of a Catmull-Rom spline.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p1`, `p2`: the ends of the segment.
/// - `p0`, `p3`: the points before and after it.
template <typename P> [[msl::each(P, floats, halfs)]]
P catmull_rom_derivative(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The second derivative by `t` of a Catmull-Rom spline.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p1`, `p2`: the ends of the segment.
/// - `p0`, `p3`: the points before and after it.
template <typename P> [[msl::each(P, floats, halfs)]]
P catmull_rom_second_derivative(__scalar_of<P> t, P p0, P p1, P p2, P p3);

/// The point of a cubic Hermite curve at `t`.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0`, `p1`: the ends of the segment.
/// - `m0`, `m1`: the derivatives there.
template <typename P> [[msl::each(P, floats, halfs)]]
P hermite(__scalar_of<P> t, P p0, P p1, P m0, P m1);

/// The first derivative by `t` of a cubic Hermite curve.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0`, `p1`: the ends of the segment.
/// - `m0`, `m1`: the derivatives there.
template <typename P> [[msl::each(P, floats, halfs)]]
P hermite_derivative(__scalar_of<P> t, P p0, P p1, P m0, P m1);

/// The second derivative by `t` of a cubic Hermite curve.
///
/// - `t`: the place on the segment, from 0 to 1.
/// - `p0`, `p1`: the ends of the segment.
/// - `m0`, `m1`: the derivatives there.
template <typename P> [[msl::each(P, floats, halfs)]]
P hermite_second_derivative(__scalar_of<P> t, P p0, P p1, P m0, P m1);

} // namespace metal
