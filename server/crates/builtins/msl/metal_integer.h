//! Integer scalars and vectors; vectors component by component.

namespace metal {
/// The absolute value of `x`. The smallest negative value is its own absolute value.
template <typename T> [[msl::each(T, small_integers)]] T abs(T x);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T abs(T x);

/// The distance between `x` and `y`, |`x` - `y`|, which always fits the unsigned type.
template <typename T> [[msl::each(T, small_signed_integers)]] __unsigned_of<T> absdiff(T x, T y);
template <typename T> [[msl::each(T, longs), msl::since("2.3")]] __unsigned_of<T> absdiff(T x, T y);
template <typename T> [[msl::each(T, small_unsigned_integers)]] T absdiff(T x, T y);
template <typename T> [[msl::each(T, ulongs), msl::since("2.3")]] T absdiff(T x, T y);

/// `x` + `y`, or the nearest value of the type where the sum does not fit.
template <typename T> [[msl::each(T, small_integers)]] T addsat(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T addsat(T x, T y);

/// `x`, but not less than `minval` and not greater than `maxval`.
/// Undefined if `minval` is greater than `maxval`.
template <typename T> [[msl::each(T, small_integers)]] T clamp(T x, T minval, T maxval);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T clamp(T x, T minval, T maxval);

/// The number of zero bits before the most significant one bit; for 0 the number of bits of the type.
template <typename T> [[msl::each(T, small_integers)]] T clz(T x);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T clz(T x);

/// The number of zero bits after the least significant one bit; for 0 the number of bits of the type.
template <typename T> [[msl::each(T, small_integers)]] T ctz(T x);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T ctz(T x);

/// The field of `bits` bits of `x` that starts at bit `offset`, moved to bit 0; signed types extend its sign.
/// 0 if `bits` is 0; undefined if the field ends beyond the type.
template <typename T> [[msl::each(T, small_integers), msl::since("1.2")]] T extract_bits(T x, uint offset, uint bits);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T extract_bits(T x, uint offset, uint bits);

/// Half of `x` + `y`, rounded down, without overflow.
template <typename T> [[msl::each(T, small_integers)]] T hadd(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T hadd(T x, T y);

/// `base` with its field of `bits` bits from bit `offset` on replaced by the lowest bits of `insert`.
/// `base` if `bits` is 0; undefined if the field ends beyond the type.
template <typename T> [[msl::each(T, small_integers), msl::since("1.2")]] T insert_bits(T base, T insert, uint offset, uint bits);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T insert_bits(T base, T insert, uint offset, uint bits);

/// `mul24(x, y)` + `z`.
template <typename T> [[msl::each(T, ints, uints), msl::since("2.1")]] T mad24(T x, T y, T z);

/// `mulhi(x, y)` + `z`.
template <typename T> [[msl::each(T, small_integers)]] T madhi(T x, T y, T z);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T madhi(T x, T y, T z);

/// `x` · `y` + `z`, or the nearest value of the type where the result does not fit.
template <typename T> [[msl::each(T, small_integers)]] T madsat(T x, T y, T z);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T madsat(T x, T y, T z);

/// The greater of `x` and `y`.
template <typename T> [[msl::each(T, small_integers)]] T max(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T max(T x, T y);

/// The greatest of three values.
template <typename T> [[msl::each(T, small_integers), msl::since("2.1")]] T max3(T x, T y, T z);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T max3(T x, T y, T z);

/// The middle one of three values.
template <typename T> [[msl::each(T, small_integers), msl::since("2.1")]] T median3(T x, T y, T z);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T median3(T x, T y, T z);

/// The smaller of `x` and `y`.
template <typename T> [[msl::each(T, small_integers)]] T min(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T min(T x, T y);

/// The smallest of three values.
template <typename T> [[msl::each(T, small_integers), msl::since("2.1")]] T min3(T x, T y, T z);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T min3(T x, T y, T z);

/// `x` · `y` for factors of 24 bits: from -2²³ to 2²³ - 1, or from 0 to 2²⁴ - 1 for `uint`.
/// Beyond that the result depends on the GPU.
template <typename T> [[msl::each(T, ints, uints), msl::since("2.1")]] T mul24(T x, T y);

/// The high half of the product `x` · `y`, computed with twice the bits.
template <typename T> [[msl::each(T, small_integers)]] T mulhi(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T mulhi(T x, T y);

/// The number of one bits in `x`.
template <typename T> [[msl::each(T, small_integers)]] T popcount(T x);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T popcount(T x);

/// The bits of `x` in reverse order.
template <typename T> [[msl::each(T, small_integers), msl::since("1.2")]] T reverse_bits(T x);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T reverse_bits(T x);

/// Half of `x` + `y` + 1, rounded down, without overflow.
template <typename T> [[msl::each(T, small_integers)]] T rhadd(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T rhadd(T x, T y);

/// The bits of `x`, moved left by `y` places; those that leave at the top come back at the bottom.
template <typename T> [[msl::each(T, small_integers)]] T rotate(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T rotate(T x, T y);

/// `x` - `y`, or the nearest value of the type where the difference does not fit.
template <typename T> [[msl::each(T, small_integers)]] T subsat(T x, T y);
template <typename T> [[msl::each(T, long_integers), msl::since("2.3")]] T subsat(T x, T y);

/// The bits of several integers, taken in turn.
template <typename... T> [[msl::since("4.1"), msl::unknown]] void interleave(T... values);

/// The bits of an integer, dealt out in turn to several.
template <typename... T> [[msl::since("4.1"), msl::unknown]] void deinterleave(T... values);
} // namespace metal
