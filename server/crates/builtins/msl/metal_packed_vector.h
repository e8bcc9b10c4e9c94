//! Vectors without padding, for data in memory that is laid out without gaps.

namespace metal {
/// A vector of `N` components of `T` without padding, aligned as `T` alone: a `packed_float3` takes 12 bytes.
///
/// It converts implicitly from and to `vec<T, N>`; operators work on the converted value.
/// It cannot be returned by an entry point or be a member of a `[[stage_in]]` structure.
template <typename T, int N> struct [[msl::builtin("packed_vec")]] packed_vec;
} // namespace metal

/// A packed vector of 2 components, each a signed 8-bit integer: 2 bytes, aligned to 1.
using packed_char2 = metal::packed_vec<char, 2>;

/// A packed vector of 3 components, each a signed 8-bit integer: 3 bytes, aligned to 1.
using packed_char3 = metal::packed_vec<char, 3>;

/// A packed vector of 4 components, each a signed 8-bit integer: 4 bytes, aligned to 1.
using packed_char4 = metal::packed_vec<char, 4>;

/// A packed vector of 2 components, each an unsigned 8-bit integer: 2 bytes, aligned to 1.
using packed_uchar2 = metal::packed_vec<uchar, 2>;

/// A packed vector of 3 components, each an unsigned 8-bit integer: 3 bytes, aligned to 1.
using packed_uchar3 = metal::packed_vec<uchar, 3>;

/// A packed vector of 4 components, each an unsigned 8-bit integer: 4 bytes, aligned to 1.
using packed_uchar4 = metal::packed_vec<uchar, 4>;

/// A packed vector of 2 components, each a signed 16-bit integer: 4 bytes, aligned to 2.
using packed_short2 = metal::packed_vec<short, 2>;

/// A packed vector of 3 components, each a signed 16-bit integer: 6 bytes, aligned to 2.
using packed_short3 = metal::packed_vec<short, 3>;

/// A packed vector of 4 components, each a signed 16-bit integer: 8 bytes, aligned to 2.
using packed_short4 = metal::packed_vec<short, 4>;

/// A packed vector of 2 components, each an unsigned 16-bit integer: 4 bytes, aligned to 2.
using packed_ushort2 = metal::packed_vec<ushort, 2>;

/// A packed vector of 3 components, each an unsigned 16-bit integer: 6 bytes, aligned to 2.
using packed_ushort3 = metal::packed_vec<ushort, 3>;

/// A packed vector of 4 components, each an unsigned 16-bit integer: 8 bytes, aligned to 2.
using packed_ushort4 = metal::packed_vec<ushort, 4>;

/// A packed vector of 2 components, each a signed 32-bit integer: 8 bytes, aligned to 4.
using packed_int2 = metal::packed_vec<int, 2>;

/// A packed vector of 3 components, each a signed 32-bit integer: 12 bytes, aligned to 4.
using packed_int3 = metal::packed_vec<int, 3>;

/// A packed vector of 4 components, each a signed 32-bit integer: 16 bytes, aligned to 4.
using packed_int4 = metal::packed_vec<int, 4>;

/// A packed vector of 2 components, each an unsigned 32-bit integer: 8 bytes, aligned to 4.
using packed_uint2 = metal::packed_vec<uint, 2>;

/// A packed vector of 3 components, each an unsigned 32-bit integer: 12 bytes, aligned to 4.
using packed_uint3 = metal::packed_vec<uint, 3>;

/// A packed vector of 4 components, each an unsigned 32-bit integer: 16 bytes, aligned to 4.
using packed_uint4 = metal::packed_vec<uint, 4>;

/// A packed vector of 2 components, each a signed 64-bit integer: 16 bytes, aligned to 8.
using packed_long2 [[msl::since("2.3")]] = metal::packed_vec<long, 2>;

/// A packed vector of 3 components, each a signed 64-bit integer: 24 bytes, aligned to 8.
using packed_long3 [[msl::since("2.3")]] = metal::packed_vec<long, 3>;

/// A packed vector of 4 components, each a signed 64-bit integer: 32 bytes, aligned to 8.
using packed_long4 [[msl::since("2.3")]] = metal::packed_vec<long, 4>;

/// A packed vector of 2 components, each an unsigned 64-bit integer: 16 bytes, aligned to 8.
using packed_ulong2 [[msl::since("2.3")]] = metal::packed_vec<ulong, 2>;

/// A packed vector of 3 components, each an unsigned 64-bit integer: 24 bytes, aligned to 8.
using packed_ulong3 [[msl::since("2.3")]] = metal::packed_vec<ulong, 3>;

/// A packed vector of 4 components, each an unsigned 64-bit integer: 32 bytes, aligned to 8.
using packed_ulong4 [[msl::since("2.3")]] = metal::packed_vec<ulong, 4>;

/// A packed vector of 2 components, each a 16-bit floating-point number: 4 bytes, aligned to 2.
using packed_half2 = metal::packed_vec<half, 2>;

/// A packed vector of 3 components, each a 16-bit floating-point number: 6 bytes, aligned to 2.
using packed_half3 = metal::packed_vec<half, 3>;

/// A packed vector of 4 components, each a 16-bit floating-point number: 8 bytes, aligned to 2.
using packed_half4 = metal::packed_vec<half, 4>;

/// A packed vector of 2 components, each a 16-bit floating-point number with the range of `float`: 4 bytes, aligned to 2.
using packed_bfloat2 [[msl::since("3.1")]] = metal::packed_vec<bfloat, 2>;

/// A packed vector of 3 components, each a 16-bit floating-point number with the range of `float`: 6 bytes, aligned to 2.
using packed_bfloat3 [[msl::since("3.1")]] = metal::packed_vec<bfloat, 3>;

/// A packed vector of 4 components, each a 16-bit floating-point number with the range of `float`: 8 bytes, aligned to 2.
using packed_bfloat4 [[msl::since("3.1")]] = metal::packed_vec<bfloat, 4>;

/// A packed vector of 2 components, each a 32-bit floating-point number: 8 bytes, aligned to 4.
using packed_float2 = metal::packed_vec<float, 2>;

/// A packed vector of 3 components, each a 32-bit floating-point number: 12 bytes, aligned to 4.
using packed_float3 = metal::packed_vec<float, 3>;

/// A packed vector of 4 components, each a 32-bit floating-point number: 16 bytes, aligned to 4.
using packed_float4 = metal::packed_vec<float, 4>;

namespace metal {
using ::packed_char2; using ::packed_char3; using ::packed_char4;
using ::packed_uchar2; using ::packed_uchar3; using ::packed_uchar4;
using ::packed_short2; using ::packed_short3; using ::packed_short4;
using ::packed_ushort2; using ::packed_ushort3; using ::packed_ushort4;
using ::packed_int2; using ::packed_int3; using ::packed_int4;
using ::packed_uint2; using ::packed_uint3; using ::packed_uint4;
using ::packed_long2; using ::packed_long3; using ::packed_long4;
using ::packed_ulong2; using ::packed_ulong3; using ::packed_ulong4;
using ::packed_half2; using ::packed_half3; using ::packed_half4;
using ::packed_bfloat2; using ::packed_bfloat3; using ::packed_bfloat4;
using ::packed_float2; using ::packed_float3; using ::packed_float4;
} // namespace metal

/// The name that code shared with the host uses for a packed vector of `char`.
using simd_packed_char2 [[msl::since("2.1")]] = packed_char2;
using simd_packed_char3 [[msl::since("2.1")]] = packed_char3;
using simd_packed_char4 [[msl::since("2.1")]] = packed_char4;

/// The name that code shared with the host uses for a packed vector of `uchar`.
using simd_packed_uchar2 [[msl::since("2.1")]] = packed_uchar2;
using simd_packed_uchar3 [[msl::since("2.1")]] = packed_uchar3;
using simd_packed_uchar4 [[msl::since("2.1")]] = packed_uchar4;

/// The name that code shared with the host uses for a packed vector of `short`.
using simd_packed_short2 [[msl::since("2.1")]] = packed_short2;
using simd_packed_short3 [[msl::since("2.1")]] = packed_short3;
using simd_packed_short4 [[msl::since("2.1")]] = packed_short4;

/// The name that code shared with the host uses for a packed vector of `ushort`.
using simd_packed_ushort2 [[msl::since("2.1")]] = packed_ushort2;
using simd_packed_ushort3 [[msl::since("2.1")]] = packed_ushort3;
using simd_packed_ushort4 [[msl::since("2.1")]] = packed_ushort4;

/// The name that code shared with the host uses for a packed vector of `int`.
using simd_packed_int2 [[msl::since("2.1")]] = packed_int2;
using simd_packed_int3 [[msl::since("2.1")]] = packed_int3;
using simd_packed_int4 [[msl::since("2.1")]] = packed_int4;

/// The name that code shared with the host uses for a packed vector of `uint`.
using simd_packed_uint2 [[msl::since("2.1")]] = packed_uint2;
using simd_packed_uint3 [[msl::since("2.1")]] = packed_uint3;
using simd_packed_uint4 [[msl::since("2.1")]] = packed_uint4;

/// The name that code shared with the host uses for a packed vector of `long`.
using simd_packed_long2 [[msl::since("2.3")]] = packed_long2;
using simd_packed_long3 [[msl::since("2.3")]] = packed_long3;
using simd_packed_long4 [[msl::since("2.3")]] = packed_long4;

/// The name that code shared with the host uses for a packed vector of `ulong`.
using simd_packed_ulong2 [[msl::since("2.3")]] = packed_ulong2;
using simd_packed_ulong3 [[msl::since("2.3")]] = packed_ulong3;
using simd_packed_ulong4 [[msl::since("2.3")]] = packed_ulong4;

/// The name that code shared with the host uses for a packed vector of `half`.
using simd_packed_half2 [[msl::since("2.1")]] = packed_half2;
using simd_packed_half3 [[msl::since("2.1")]] = packed_half3;
using simd_packed_half4 [[msl::since("2.1")]] = packed_half4;

/// The name that code shared with the host uses for a packed vector of `bfloat`.
using simd_packed_bfloat2 [[msl::since("3.1")]] = packed_bfloat2;
using simd_packed_bfloat3 [[msl::since("3.1")]] = packed_bfloat3;
using simd_packed_bfloat4 [[msl::since("3.1")]] = packed_bfloat4;

/// The name that code shared with the host uses for a packed vector of `float`.
using simd_packed_float2 [[msl::since("2.1")]] = packed_float2;
using simd_packed_float3 [[msl::since("2.1")]] = packed_float3;
using simd_packed_float4 [[msl::since("2.1")]] = packed_float4;
