//! Vectors of 2, 3 and 4 components.

namespace metal {
/// A vector of `N` components of the scalar type `T`; `N` is 2, 3 or 4.
///
/// It is aligned to its size; a vector of 3 has the size and alignment of a vector of 4.
/// Components are selected as `.xyzw` or `.rgba`, alone or several at once (`v.zyx`), or by index.
/// Arithmetic, comparison and bitwise operators work component by component; comparisons give a vector of `bool`.
/// A scalar converts to a vector with that value in every component; vectors of different types or widths do not
/// convert implicitly.
template <typename T, int N> struct [[msl::builtin("vec")]] vec;
} // namespace metal

/// A vector of 2 components, each a truth value: 2 bytes, aligned to 2.
using bool2 = metal::vec<bool, 2>;

/// A vector of 3 components, each a truth value: 4 bytes, aligned to 4.
using bool3 = metal::vec<bool, 3>;

/// A vector of 4 components, each a truth value: 4 bytes, aligned to 4.
using bool4 = metal::vec<bool, 4>;

/// A vector of 2 components, each a signed 8-bit integer: 2 bytes, aligned to 2.
using char2 = metal::vec<char, 2>;

/// A vector of 3 components, each a signed 8-bit integer: 4 bytes, aligned to 4.
using char3 = metal::vec<char, 3>;

/// A vector of 4 components, each a signed 8-bit integer: 4 bytes, aligned to 4.
using char4 = metal::vec<char, 4>;

/// A vector of 2 components, each an unsigned 8-bit integer: 2 bytes, aligned to 2.
using uchar2 = metal::vec<uchar, 2>;

/// A vector of 3 components, each an unsigned 8-bit integer: 4 bytes, aligned to 4.
using uchar3 = metal::vec<uchar, 3>;

/// A vector of 4 components, each an unsigned 8-bit integer: 4 bytes, aligned to 4.
using uchar4 = metal::vec<uchar, 4>;

/// A vector of 2 components, each a signed 16-bit integer: 4 bytes, aligned to 4.
using short2 = metal::vec<short, 2>;

/// A vector of 3 components, each a signed 16-bit integer: 8 bytes, aligned to 8.
using short3 = metal::vec<short, 3>;

/// A vector of 4 components, each a signed 16-bit integer: 8 bytes, aligned to 8.
using short4 = metal::vec<short, 4>;

/// A vector of 2 components, each an unsigned 16-bit integer: 4 bytes, aligned to 4.
using ushort2 = metal::vec<ushort, 2>;

/// A vector of 3 components, each an unsigned 16-bit integer: 8 bytes, aligned to 8.
using ushort3 = metal::vec<ushort, 3>;

/// A vector of 4 components, each an unsigned 16-bit integer: 8 bytes, aligned to 8.
using ushort4 = metal::vec<ushort, 4>;

/// A vector of 2 components, each a signed 32-bit integer: 8 bytes, aligned to 8.
using int2 = metal::vec<int, 2>;

/// A vector of 3 components, each a signed 32-bit integer: 16 bytes, aligned to 16.
using int3 = metal::vec<int, 3>;

/// A vector of 4 components, each a signed 32-bit integer: 16 bytes, aligned to 16.
using int4 = metal::vec<int, 4>;

/// A vector of 2 components, each an unsigned 32-bit integer: 8 bytes, aligned to 8.
using uint2 = metal::vec<uint, 2>;

/// A vector of 3 components, each an unsigned 32-bit integer: 16 bytes, aligned to 16.
using uint3 = metal::vec<uint, 3>;

/// A vector of 4 components, each an unsigned 32-bit integer: 16 bytes, aligned to 16.
using uint4 = metal::vec<uint, 4>;

/// A vector of 2 components, each a signed 64-bit integer: 16 bytes, aligned to 16.
using long2 [[msl::since("2.2")]] = metal::vec<long, 2>;

/// A vector of 3 components, each a signed 64-bit integer: 32 bytes, aligned to 32.
using long3 [[msl::since("2.2")]] = metal::vec<long, 3>;

/// A vector of 4 components, each a signed 64-bit integer: 32 bytes, aligned to 32.
using long4 [[msl::since("2.2")]] = metal::vec<long, 4>;

/// A vector of 2 components, each an unsigned 64-bit integer: 16 bytes, aligned to 16.
using ulong2 [[msl::since("2.2")]] = metal::vec<ulong, 2>;

/// A vector of 3 components, each an unsigned 64-bit integer: 32 bytes, aligned to 32.
using ulong3 [[msl::since("2.2")]] = metal::vec<ulong, 3>;

/// A vector of 4 components, each an unsigned 64-bit integer: 32 bytes, aligned to 32.
using ulong4 [[msl::since("2.2")]] = metal::vec<ulong, 4>;

/// A vector of 2 components, each a 16-bit floating-point number: 4 bytes, aligned to 4.
using half2 = metal::vec<half, 2>;

/// A vector of 3 components, each a 16-bit floating-point number: 8 bytes, aligned to 8.
using half3 = metal::vec<half, 3>;

/// A vector of 4 components, each a 16-bit floating-point number: 8 bytes, aligned to 8.
using half4 = metal::vec<half, 4>;

/// A vector of 2 components, each a 16-bit floating-point number with the range of `float`: 4 bytes, aligned to 4.
using bfloat2 [[msl::since("3.1")]] = metal::vec<bfloat, 2>;

/// A vector of 3 components, each a 16-bit floating-point number with the range of `float`: 8 bytes, aligned to 8.
using bfloat3 [[msl::since("3.1")]] = metal::vec<bfloat, 3>;

/// A vector of 4 components, each a 16-bit floating-point number with the range of `float`: 8 bytes, aligned to 8.
using bfloat4 [[msl::since("3.1")]] = metal::vec<bfloat, 4>;

/// A vector of 2 components, each a 32-bit floating-point number: 8 bytes, aligned to 8.
using float2 = metal::vec<float, 2>;

/// A vector of 3 components, each a 32-bit floating-point number: 16 bytes, aligned to 16.
using float3 = metal::vec<float, 3>;

/// A vector of 4 components, each a 32-bit floating-point number: 16 bytes, aligned to 16.
using float4 = metal::vec<float, 4>;

namespace metal {
using ::bool2; using ::bool3; using ::bool4;
using ::char2; using ::char3; using ::char4;
using ::uchar2; using ::uchar3; using ::uchar4;
using ::short2; using ::short3; using ::short4;
using ::ushort2; using ::ushort3; using ::ushort4;
using ::int2; using ::int3; using ::int4;
using ::uint2; using ::uint3; using ::uint4;
using ::long2; using ::long3; using ::long4;
using ::ulong2; using ::ulong3; using ::ulong4;
using ::half2; using ::half3; using ::half4;
using ::bfloat2; using ::bfloat3; using ::bfloat4;
using ::float2; using ::float3; using ::float4;
} // namespace metal

// The names that `<simd/simd.h>` gives these types on the host.

/// The name that code shared with the host uses for a vector of `bool`.
using vector_bool2 = bool2;
using vector_bool3 = bool3;
using vector_bool4 = bool4;
using simd_bool2 [[msl::since("2.1")]] = bool2;
using simd_bool3 [[msl::since("2.1")]] = bool3;
using simd_bool4 [[msl::since("2.1")]] = bool4;

/// The name that code shared with the host uses for a vector of `char`.
using vector_char2 = char2;
using vector_char3 = char3;
using vector_char4 = char4;
using simd_char2 [[msl::since("2.1")]] = char2;
using simd_char3 [[msl::since("2.1")]] = char3;
using simd_char4 [[msl::since("2.1")]] = char4;

/// The name that code shared with the host uses for a vector of `uchar`.
using vector_uchar2 = uchar2;
using vector_uchar3 = uchar3;
using vector_uchar4 = uchar4;
using simd_uchar2 [[msl::since("2.1")]] = uchar2;
using simd_uchar3 [[msl::since("2.1")]] = uchar3;
using simd_uchar4 [[msl::since("2.1")]] = uchar4;

/// The name that code shared with the host uses for a vector of `short`.
using vector_short2 = short2;
using vector_short3 = short3;
using vector_short4 = short4;
using simd_short2 [[msl::since("2.1")]] = short2;
using simd_short3 [[msl::since("2.1")]] = short3;
using simd_short4 [[msl::since("2.1")]] = short4;

/// The name that code shared with the host uses for a vector of `ushort`.
using vector_ushort2 = ushort2;
using vector_ushort3 = ushort3;
using vector_ushort4 = ushort4;
using simd_ushort2 [[msl::since("2.1")]] = ushort2;
using simd_ushort3 [[msl::since("2.1")]] = ushort3;
using simd_ushort4 [[msl::since("2.1")]] = ushort4;

/// The name that code shared with the host uses for a vector of `int`.
using vector_int2 = int2;
using vector_int3 = int3;
using vector_int4 = int4;
using simd_int2 [[msl::since("2.1")]] = int2;
using simd_int3 [[msl::since("2.1")]] = int3;
using simd_int4 [[msl::since("2.1")]] = int4;

/// The name that code shared with the host uses for a vector of `uint`.
using vector_uint2 = uint2;
using vector_uint3 = uint3;
using vector_uint4 = uint4;
using simd_uint2 [[msl::since("2.1")]] = uint2;
using simd_uint3 [[msl::since("2.1")]] = uint3;
using simd_uint4 [[msl::since("2.1")]] = uint4;

/// The name that code shared with the host uses for a vector of `long`.
using vector_long2 [[msl::since("2.2")]] = long2;
using vector_long3 [[msl::since("2.2")]] = long3;
using vector_long4 [[msl::since("2.2")]] = long4;
using simd_long2 [[msl::since("2.2")]] = long2;
using simd_long3 [[msl::since("2.2")]] = long3;
using simd_long4 [[msl::since("2.2")]] = long4;

/// The name that code shared with the host uses for a vector of `ulong`.
using vector_ulong2 [[msl::since("2.2")]] = ulong2;
using vector_ulong3 [[msl::since("2.2")]] = ulong3;
using vector_ulong4 [[msl::since("2.2")]] = ulong4;
using simd_ulong2 [[msl::since("2.2")]] = ulong2;
using simd_ulong3 [[msl::since("2.2")]] = ulong3;
using simd_ulong4 [[msl::since("2.2")]] = ulong4;

/// The name that code shared with the host uses for a vector of `half`.
using vector_half2 = half2;
using vector_half3 = half3;
using vector_half4 = half4;
using simd_half2 [[msl::since("2.1")]] = half2;
using simd_half3 [[msl::since("2.1")]] = half3;
using simd_half4 [[msl::since("2.1")]] = half4;

/// The name that code shared with the host uses for a vector of `bfloat`.
using vector_bfloat2 [[msl::since("3.1")]] = bfloat2;
using vector_bfloat3 [[msl::since("3.1")]] = bfloat3;
using vector_bfloat4 [[msl::since("3.1")]] = bfloat4;
using simd_bfloat2 [[msl::since("3.1")]] = bfloat2;
using simd_bfloat3 [[msl::since("3.1")]] = bfloat3;
using simd_bfloat4 [[msl::since("3.1")]] = bfloat4;

/// The name that code shared with the host uses for a vector of `float`.
using vector_float2 = float2;
using vector_float3 = float3;
using vector_float4 = float4;
using simd_float2 [[msl::since("2.1")]] = float2;
using simd_float3 [[msl::since("2.1")]] = float3;
using simd_float4 [[msl::since("2.1")]] = float4;
