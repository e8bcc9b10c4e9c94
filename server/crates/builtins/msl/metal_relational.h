//! Tests on floating-point values and on vectors of truth values, and selection by them.

namespace metal {
/// Whether all components are true.
template <typename T> [[msl::each(T, bools)]] bool all(T x);

/// Whether at least one component is true.
template <typename T> [[msl::each(T, bools)]] bool any(T x);

/// Whether `x` is neither infinite nor NaN. Under fast math the compiler may assume the answer.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> isfinite(T x);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> isfinite(T x);

/// Whether `x` is positive or negative infinity. Under fast math the compiler may assume the answer.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> isinf(T x);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> isinf(T x);

/// Whether `x` is NaN. Under fast math the compiler may assume the answer.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> isnan(T x);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> isnan(T x);

/// Whether `x` is neither zero, subnormal, infinite nor NaN.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> isnormal(T x);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> isnormal(T x);

/// Whether neither `x` nor `y` is NaN. Under fast math the compiler may assume the answer.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> isordered(T x, T y);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> isordered(T x, T y);

/// Whether `x` or `y` is NaN. Under fast math the compiler may assume the answer.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> isunordered(T x, T y);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> isunordered(T x, T y);

/// `y` where `c` is true, else `x`, component by component. Both are evaluated.
/// Note the order: the value for *false* comes first.
template <typename T> [[msl::each(T, small_integers, floating)]] T select(T x, T y, __bool_of<T> c);
template <typename T> [[msl::each(T, bools)]] T select(T x, T y, T c);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T select(T x, T y, __bool_of<T> c);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] T select(T x, T y, __bool_of<T> c);
namespace fast { template <typename T> [[msl::each(T, floats), msl::since("3.2")]] T select(T x, T y, __bool_of<T> c); }
namespace precise { template <typename T> [[msl::each(T, floats), msl::since("3.2")]] T select(T x, T y, __bool_of<T> c); }

/// Whether the sign bit of `x` is set, also for a zero or NaN.
template <typename T> [[msl::each(T, floating)]] __bool_of<T> signbit(T x);
template <typename T> [[msl::each(T, bfloats), msl::since("3.1")]] __bool_of<T> signbit(T x);
} // namespace metal
