//! `<metal_interpolate>`: fragment inputs that the function interpolates itself (pull-model interpolation).

namespace [[msl::since("2.3")]] metal {

namespace interpolation {

/// Interpolates with perspective correction.
struct perspective {};

/// Interpolates linearly in screen space.
struct no_perspective {};

} // namespace interpolation

/// A fragment input that is interpolated where the function asks for it.
///
/// Declare it as a member of the `[[stage_in]]` structure, without a sampling or interpolation attribute, or as a
/// local copy of such a member.
/// It matches a vertex output of the type `T` with the same name or `[[user(name)]]`.
///
/// - `T`: a scalar or vector of `float` or `half`.
/// - `P`: `interpolation::perspective` or `interpolation::no_perspective`.
template <typename T, typename P>
struct [[msl::stage(fragment), msl::opaque]] interpolant {
    static_assert(__is_same(P, interpolation::perspective) || __is_same(P, interpolation::no_perspective),
        "the second argument of interpolant is interpolation::perspective or interpolation::no_perspective");

    /// The value at the centre of the pixel.
    T interpolate_at_center() const;

    /// The value at a point of the pixel that the primitive covers.
    T interpolate_at_centroid() const;

    /// The value at an offset from the pixel's upper left corner.
    ///
    /// - `offset`: each component from 0 to below 1, in steps of 1/16 pixel.
    T interpolate_at_offset(float2 offset) const;

    /// The value at the place of a sample.
    ///
    /// - `sample`: the index of the sample; where there is no such sample, the place is undefined.
    T interpolate_at_sample(uint sample) const;
};

} // namespace metal
