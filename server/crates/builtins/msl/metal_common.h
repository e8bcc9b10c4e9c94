//! Clamping, blending and stepping of floating-point scalars and vectors.

namespace metal {
/// `x`, but not less than `minval` and not greater than `maxval`.
/// Undefined if `minval` is greater than `maxval`. `clamp` on integers is in `<metal_integer>`.
template <typename T> [[msl::each(T, floating)]] T clamp(T x, T minval, T maxval);
namespace fast { template <typename T> [[msl::each(T, floats)]] T clamp(T x, T minval, T maxval); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T clamp(T x, T minval, T maxval); }

/// The linear blend `x` + (`y` - `x`) · `a`; `a` lies between 0 and 1.
template <typename T> [[msl::each(T, floating)]] T mix(T x, T y, T a);

/// `x`, clamped to the range from 0 to 1.
/// The precise variant turns NaN into 0; the fast one leaves it undefined. Often free as a modifier of another operation.
template <typename T> [[msl::each(T, floating)]] T saturate(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T saturate(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T saturate(T x); }

/// 1 for positive, -1 for negative `x`; a zero keeps its sign and NaN gives 0.
template <typename T> [[msl::each(T, floating)]] T sign(T x);

/// 0 below `edge0`, 1 above `edge1`, and a smooth cubic in between: t·t·(3 - 2t) with t = (`x` - `edge0`) / (`edge1` - `edge0`).
/// Undefined unless `edge0` is less than `edge1`.
template <typename T> [[msl::each(T, floating)]] T smoothstep(T edge0, T edge1, T x);

/// 0 where `x` is less than `edge`, else 1.
template <typename T> [[msl::each(T, floating)]] T step(T edge, T x);
} // namespace metal
