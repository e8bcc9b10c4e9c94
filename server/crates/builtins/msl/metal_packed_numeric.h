//! Packed numeric formats: numbers of fewer than eight bits or with unusual exponents, for the elements of tensors.

namespace metal {
/// A signed 4-bit integer.
struct [[msl::since("4.0")]] int4b_format {};

/// An unsigned 4-bit integer.
struct [[msl::since("4.0")]] uint4b_format {};

/// A signed 2-bit integer.
struct [[msl::since("4.1")]] int2b_format {};

/// An unsigned 2-bit integer.
struct [[msl::since("4.1")]] uint2b_format {};

/// A 4-bit floating-point number: sign, 2 bits of exponent, 1 bit of mantissa.
struct [[msl::since("4.1")]] metal_fp4_e2m1_format {};

/// An 8-bit floating-point number: sign, 4 bits of exponent, 3 bits of mantissa.
struct [[msl::since("4.1")]] metal_fp8_e4m3_format {};

/// An 8-bit floating-point number: sign, 5 bits of exponent, 2 bits of mantissa.
struct [[msl::since("4.1")]] metal_fp8_e5m2_format {};

/// An 8-bit power of two without sign: 8 bits of exponent, no mantissa; a scale factor.
struct [[msl::since("4.1")]] metal_fp8_ue8m0_format {};

/// Whether `Format` is one of the format tags of this header.
template <typename Format> struct [[msl::since("4.0")]] is_numeric_format : false_type {};
template <> struct [[msl::since("4.0")]] is_numeric_format<int4b_format> : true_type {};
template <> struct [[msl::since("4.0")]] is_numeric_format<uint4b_format> : true_type {};
template <> struct [[msl::since("4.1")]] is_numeric_format<int2b_format> : true_type {};
template <> struct [[msl::since("4.1")]] is_numeric_format<uint2b_format> : true_type {};
template <> struct [[msl::since("4.1")]] is_numeric_format<metal_fp4_e2m1_format> : true_type {};
template <> struct [[msl::since("4.1")]] is_numeric_format<metal_fp8_e4m3_format> : true_type {};
template <> struct [[msl::since("4.1")]] is_numeric_format<metal_fp8_e5m2_format> : true_type {};
template <> struct [[msl::since("4.1")]] is_numeric_format<metal_fp8_ue8m0_format> : true_type {};
template <typename Format>
[[msl::since("4.0")]] constexpr constant bool is_numeric_format_v = is_numeric_format<Format>::value;

/// `N` numbers of a packed format in as few bytes as hold them.
template <typename Format, size_t N> struct [[msl::since("4.0"), msl::partial]] packed_numeric_type {
    /// Numbers without a defined value.
    packed_numeric_type();
};

/// `N` packed 4-bit integers.
template <size_t N> using packed_int4b [[msl::since("4.0")]] = packed_numeric_type<int4b_format, N>;
template <size_t N> using packed_uint4b [[msl::since("4.0")]] = packed_numeric_type<uint4b_format, N>;

/// Packs numbers into a packed format. The first template argument is the format.
template <typename... T> [[msl::since("4.1"), msl::unknown]] void pack(T... values);

/// Unpacks numbers of a packed format.
template <typename... T> [[msl::since("4.1"), msl::unknown]] void unpack(T... values);
} // namespace metal
