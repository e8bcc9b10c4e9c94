//! Vectors as points and directions.

namespace metal {
/// The cross product: a vector that is perpendicular to `x` and `y`. Only for vectors of 3.
template <typename T> [[msl::each(T, float3, half3)]] T cross(T x, T y);

/// The distance between two points: the length of `x` - `y`.
template <typename T> [[msl::each(T, floating_vectors)]] __scalar_of<T> distance(T x, T y);
namespace fast { template <typename T> [[msl::each(T, float_vectors)]] __scalar_of<T> distance(T x, T y); }
namespace precise { template <typename T> [[msl::each(T, float_vectors)]] __scalar_of<T> distance(T x, T y); }

/// The square of the distance between two points, without a square root.
template <typename T> [[msl::each(T, floating_vectors)]] __scalar_of<T> distance_squared(T x, T y);

/// The dot product: the sum of the products of the components.
template <typename T> [[msl::each(T, floating_vectors)]] __scalar_of<T> dot(T x, T y);

/// `n`, turned to face against `i`: `n` where dot(`nref`, `i`) is negative, else -`n`.
template <typename T> [[msl::each(T, floating_vectors)]] T faceforward(T n, T i, T nref);

/// The length of a vector. For scalars use `abs`.
template <typename T> [[msl::each(T, floating_vectors)]] __scalar_of<T> length(T x);
namespace fast { template <typename T> [[msl::each(T, float_vectors)]] __scalar_of<T> length(T x); }
namespace precise { template <typename T> [[msl::each(T, float_vectors)]] __scalar_of<T> length(T x); }

/// The square of the length of a vector, without a square root.
template <typename T> [[msl::each(T, floating_vectors)]] __scalar_of<T> length_squared(T x);

/// The vector of length 1 in the direction of `x`. Undefined for a vector of length 0.
template <typename T> [[msl::each(T, floating_vectors)]] T normalize(T x);
namespace fast { template <typename T> [[msl::each(T, float_vectors)]] T normalize(T x); }
namespace precise { template <typename T> [[msl::each(T, float_vectors)]] T normalize(T x); }

/// The direction `i`, reflected by a surface with the normal `n`: `i` - 2 · dot(`n`, `i`) · `n`.
/// `n` has the length 1.
template <typename T> [[msl::each(T, floating_vectors)]] T reflect(T i, T n);

/// The direction `i`, refracted by a surface with the normal `n`; zero where total reflection occurs.
/// `i` and `n` have the length 1. `eta` is the ratio of the indices of refraction, outside to inside.
template <typename T> [[msl::each(T, floating_vectors)]] T refract(T i, T n, __scalar_of<T> eta);
} // namespace metal
