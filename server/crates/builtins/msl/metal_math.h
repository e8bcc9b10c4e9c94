//! Mathematical functions on floating-point scalars and vectors; vectors component by component.

namespace metal {
/// Variants of functions on `float` that are fast and may be less precise: the choice of fast math, made at the call.
/// Arguments and results are assumed to be neither NaN nor infinite.
namespace fast {}

/// Variants of functions on `float` that are as precise as without fast math and follow IEEE 754 for NaN and infinity.
namespace precise {}

/// The math mode that is in force, as the compiler's own functions such as `__metal_sin` take it.
#define __METAL_MAYBE_FAST_MATH__ __METAL_FAST_MATH__

/// The arc cosine of `x`, in radians from 0 to π.
/// `x` lies between -1 and 1; elsewhere the result is NaN. Fast: at most 5 ulp.
template <typename T> [[msl::each(T, floating)]] T acos(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T acos(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T acos(T x); }

/// The inverse hyperbolic cosine of `x`, which is at least 1.
template <typename T> [[msl::each(T, floating)]] T acosh(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T acosh(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T acosh(T x); }

/// The arc sine of `x`, in radians from -π/2 to π/2.
/// `x` lies between -1 and 1; elsewhere the result is NaN. Fast: at most 5 ulp.
template <typename T> [[msl::each(T, floating)]] T asin(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T asin(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T asin(T x); }

/// The inverse hyperbolic sine of `x`.
template <typename T> [[msl::each(T, floating)]] T asinh(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T asinh(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T asinh(T x); }

/// The arc tangent, in radians from -π/2 to π/2. Fast: at most 5 ulp.
/// `atan2` takes the signs of both sides of the ratio into account.
template <typename T> [[msl::each(T, floating)]] T atan(T y_over_x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T atan(T y_over_x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T atan(T y_over_x); }

/// The angle of the point (`x`, `y`), in radians from -π to π.
/// Note the order: `y` comes first. The fast variant is undefined where `x` or `y` is 0.
template <typename T> [[msl::each(T, floating)]] T atan2(T y, T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T atan2(T y, T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T atan2(T y, T x); }

/// The inverse hyperbolic tangent of `x`, which lies between -1 and 1.
template <typename T> [[msl::each(T, floating)]] T atanh(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T atanh(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T atanh(T x); }

/// The smallest integral value that is not less than `x`.
template <typename T> [[msl::each(T, floating)]] T ceil(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T ceil(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T ceil(T x); }

/// The magnitude of `x` with the sign of `y`.
template <typename T> [[msl::each(T, floating)]] T copysign(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T copysign(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T copysign(T x, T y); }

/// The cosine of `x`, in radians.
/// Fast: the absolute error is at most 2⁻¹³ for `x` from -π to π and larger elsewhere; precise: at most 4 ulp.
template <typename T> [[msl::each(T, floating)]] T cos(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T cos(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T cos(T x); }

/// The hyperbolic cosine of `x`.
template <typename T> [[msl::each(T, floating)]] T cosh(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T cosh(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T cosh(T x); }

/// The cosine of π·`x`: `x` is in half turns.
/// Fast: the absolute error is at most 2⁻¹³ for `x` from -1 to 1 and larger elsewhere.
template <typename T> [[msl::each(T, floating), msl::since("1.1")]] T cospi(T x);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T cospi(T x); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T cospi(T x); }

/// `x` / `y`. The precise variant rounds correctly whatever the math mode; fast: at most 2.5 ulp.
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T divide(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T divide(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T divide(T x, T y); }

/// e to the power `x`. Fast: at most 3 + ⌊2·|`x`|⌋ ulp.
template <typename T> [[msl::each(T, floating)]] T exp(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T exp(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T exp(T x); }

/// 2 to the power `x`. Fast: at most 3 + ⌊2·|`x`|⌋ ulp.
template <typename T> [[msl::each(T, floating)]] T exp2(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T exp2(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T exp2(T x); }

/// 10 to the power `x`.
template <typename T> [[msl::each(T, floating)]] T exp10(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T exp10(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T exp10(T x); }

/// The absolute value of `x`, exactly. `abs` on integers is in `<metal_integer>`.
template <typename T> [[msl::each(T, floating)]] T fabs(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T fabs(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T fabs(T x); }
template <typename T> [[msl::each(T, floating)]] T abs(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T abs(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T abs(T x); }

/// `x` - `y` where `x` is greater than `y`, else +0.
template <typename T> [[msl::each(T, floating)]] T fdim(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T fdim(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T fdim(T x, T y); }

/// The largest integral value that is not greater than `x`.
template <typename T> [[msl::each(T, floating)]] T floor(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T floor(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T floor(T x); }

/// `x` · `y` + `z`, rounded once.
template <typename T> [[msl::each(T, floating), msl::since("1.1")]] T fma(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T fma(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T fma(T x, T y, T z); }

/// The greater of `x` and `y`.
/// If one of them is NaN, the result is the other. Fast variants leave NaN undefined.
template <typename T> [[msl::each(T, floating)]] T fmax(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T fmax(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T fmax(T x, T y); }
template <typename T> [[msl::each(T, floating)]] T max(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T max(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T max(T x, T y); }

/// The greatest of three values.
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T fmax3(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T fmax3(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T fmax3(T x, T y, T z); }
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T max3(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T max3(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T max3(T x, T y, T z); }

/// The middle one of three values. NaNs are left out as long as another value remains.
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T fmedian3(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T fmedian3(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T fmedian3(T x, T y, T z); }
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T median3(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T median3(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T median3(T x, T y, T z); }

/// The smaller of `x` and `y`.
/// If one of them is NaN, the result is the other. Fast variants leave NaN undefined.
template <typename T> [[msl::each(T, floating)]] T fmin(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T fmin(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T fmin(T x, T y); }
template <typename T> [[msl::each(T, floating)]] T min(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T min(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T min(T x, T y); }

/// The smallest of three values.
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T fmin3(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T fmin3(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T fmin3(T x, T y, T z); }
template <typename T> [[msl::each(T, floating), msl::since("2.1")]] T min3(T x, T y, T z);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T min3(T x, T y, T z); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("2.1")]] T min3(T x, T y, T z); }

/// The remainder of `x` / `y` with the sign of `x`: `x` - `y` · trunc(`x` / `y`).
/// The precision of the fast variant is undefined.
template <typename T> [[msl::each(T, floating)]] T fmod(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T fmod(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T fmod(T x, T y); }

/// The fractional part of `x`, at least 0 and less than 1: for negative `x` the distance to the integral value below.
template <typename T> [[msl::each(T, floating)]] T fract(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T fract(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T fract(T x); }

/// Splits `x` into a mantissa and a power of two: `x` is the result · 2 to the power `exp`.
/// The magnitude of the result is 0 or at least 1/2 and less than 1.
template <typename T> [[msl::each(T, floating)]] T frexp(T x, thread __int_of<T> &exp);
namespace fast { template <typename T> [[msl::each(T, floats)]] T frexp(T x, thread __int_of<T> &exp); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T frexp(T x, thread __int_of<T> &exp); }

/// The exponent of `x` to the base 2, as an integer; `FP_ILOGB0` for 0 and `FP_ILOGBNAN` for NaN.
template <typename T> [[msl::each(T, floating)]] __int_of<T> ilogb(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] __int_of<T> ilogb(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] __int_of<T> ilogb(T x); }

/// `x` · 2 to the power `k`.
template <typename T> [[msl::each(T, floating)]] T ldexp(T x, __int_of<T> k);
namespace fast { template <typename T> [[msl::each(T, floats)]] T ldexp(T x, __int_of<T> k); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T ldexp(T x, __int_of<T> k); }

/// The natural logarithm of `x`, which is greater than 0.
/// Fast: the absolute error is at most 2⁻²¹ for `x` from 0.5 to 2; elsewhere at most 3 ulp.
template <typename T> [[msl::each(T, floating)]] T log(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T log(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T log(T x); }

/// The logarithm of `x` to the base 2; `x` is greater than 0.
/// Fast: the absolute error is at most 2⁻²² for `x` from 0.5 to 2; elsewhere at most 2 ulp.
template <typename T> [[msl::each(T, floating)]] T log2(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T log2(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T log2(T x); }

/// The logarithm of `x` to the base 10; `x` is greater than 0.
template <typename T> [[msl::each(T, floating)]] T log10(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T log10(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T log10(T x); }

/// Splits `x` into its fractional part, the result, and its integral part, `intval`; both have the sign of `x`.
template <typename T> [[msl::each(T, floating)]] T modf(T x, thread T &intval);
namespace fast { template <typename T> [[msl::each(T, floats)]] T modf(T x, thread T &intval); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T modf(T x, thread T &intval); }

/// The representable value next to `x` in the direction of `y`.
template <typename T> [[msl::each(T, floating), msl::since("3.1")]] T nextafter(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("3.1")]] T nextafter(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("3.1")]] T nextafter(T x, T y); }

/// `x` to the power `y`.
/// Fast: computed through `exp2` and `log2`, so `x` must not be negative, and 0 to the power 0 is undefined.
template <typename T> [[msl::each(T, floating)]] T pow(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T pow(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T pow(T x, T y); }

/// `x` to the power `y`, where `x` is not negative. Cheaper than `pow` in precise math.
template <typename T> [[msl::each(T, floating)]] T powr(T x, T y);
namespace fast { template <typename T> [[msl::each(T, floats)]] T powr(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T powr(T x, T y); }

/// The integral value nearest to `x`; halfway cases go to the even one.
template <typename T> [[msl::each(T, floating)]] T rint(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T rint(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T rint(T x); }

/// The integral value nearest to `x`; halfway cases go away from zero.
template <typename T> [[msl::each(T, floating)]] T round(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T round(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T round(T x); }

/// 1 / √`x`; `x` is greater than 0. Fast: at most 2 ulp.
template <typename T> [[msl::each(T, floating)]] T rsqrt(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T rsqrt(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T rsqrt(T x); }

/// The sine of `x`, in radians.
/// Fast: the absolute error is at most 2⁻¹³ for `x` from -π to π and larger elsewhere; precise: at most 4 ulp.
template <typename T> [[msl::each(T, floating)]] T sin(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T sin(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T sin(T x); }

/// The sine of `x`, in radians, as the result, and its cosine in `cosval`.
template <typename T> [[msl::each(T, floating)]] T sincos(T x, thread T &cosval);
namespace fast { template <typename T> [[msl::each(T, floats)]] T sincos(T x, thread T &cosval); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T sincos(T x, thread T &cosval); }

/// The hyperbolic sine of `x`.
template <typename T> [[msl::each(T, floating)]] T sinh(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T sinh(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T sinh(T x); }

/// The sine of π·`x`: `x` is in half turns.
/// Fast: the absolute error is at most 2⁻¹³ for `x` from -1 to 1 and larger elsewhere.
template <typename T> [[msl::each(T, floating), msl::since("1.1")]] T sinpi(T x);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T sinpi(T x); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T sinpi(T x); }

/// The square root of `x`, which is not negative.
template <typename T> [[msl::each(T, floating)]] T sqrt(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T sqrt(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T sqrt(T x); }

/// The tangent of `x`, in radians. Precise: at most 6 ulp.
template <typename T> [[msl::each(T, floating)]] T tan(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T tan(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T tan(T x); }

/// The hyperbolic tangent of `x`.
template <typename T> [[msl::each(T, floating)]] T tanh(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T tanh(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T tanh(T x); }

/// The tangent of π·`x`: `x` is in half turns.
template <typename T> [[msl::each(T, floating), msl::since("1.1")]] T tanpi(T x);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T tanpi(T x); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("1.1")]] T tanpi(T x); }

/// The integral part of `x`: rounds towards zero.
template <typename T> [[msl::each(T, floating)]] T trunc(T x);
namespace fast { template <typename T> [[msl::each(T, floats)]] T trunc(T x); }
namespace precise { template <typename T> [[msl::each(T, floats)]] T trunc(T x); }
} // namespace metal
