//! Conversion between vectors and normalised integers that are packed into one word.

namespace metal {
/// Converts 4 components to four unsigned normalised 8-bit integers; the first component is in the lowest bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
uint pack_float_to_unorm4x8(float4 x);
uint pack_half_to_unorm4x8(half4 x);

/// Reads 4 components from four unsigned normalised 8-bit integers; the first component is in the lowest bits.
float4 unpack_unorm4x8_to_float(uint x);
half4 unpack_unorm4x8_to_half(uint x);

/// Converts 4 components to four signed normalised 8-bit integers; the first component is in the lowest bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
uint pack_float_to_snorm4x8(float4 x);
uint pack_half_to_snorm4x8(half4 x);

/// Reads 4 components from four signed normalised 8-bit integers; the first component is in the lowest bits.
float4 unpack_snorm4x8_to_float(uint x);
half4 unpack_snorm4x8_to_half(uint x);

/// Converts 4 components to four unsigned normalised 8-bit integers, of which the first three are sRGB-encoded and the fourth is linear.
/// Values outside the range of the format are clamped, then rounded to the nearest.
uint pack_float_to_srgb_unorm4x8(float4 x);
uint pack_half_to_srgb_unorm4x8(half4 x);

/// Reads 4 components from four unsigned normalised 8-bit integers, of which the first three are sRGB-encoded and the fourth is linear.
float4 unpack_unorm4x8_srgb_to_float(uint x);
half4 unpack_unorm4x8_srgb_to_half(uint x);

/// Converts 2 components to two unsigned normalised 16-bit integers; the first component is in the lowest bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
uint pack_float_to_unorm2x16(float2 x);
uint pack_half_to_unorm2x16(half2 x);

/// Reads 2 components from two unsigned normalised 16-bit integers; the first component is in the lowest bits.
float2 unpack_unorm2x16_to_float(uint x);
half2 unpack_unorm2x16_to_half(uint x);

/// Converts 2 components to two signed normalised 16-bit integers; the first component is in the lowest bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
uint pack_float_to_snorm2x16(float2 x);
uint pack_half_to_snorm2x16(half2 x);

/// Reads 2 components from two signed normalised 16-bit integers; the first component is in the lowest bits.
float2 unpack_snorm2x16_to_float(uint x);
half2 unpack_snorm2x16_to_half(uint x);

/// Converts 4 components to unsigned normalised integers of 10, 10, 10 and 2 bits; the first component is in the lowest bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
uint pack_float_to_unorm10a2(float4 x);
uint pack_half_to_unorm10a2(half4 x);

/// Reads 4 components from unsigned normalised integers of 10, 10, 10 and 2 bits; the first component is in the lowest bits.
float4 unpack_unorm10a2_to_float(uint x);
half4 unpack_unorm10a2_to_half(uint x);

/// Converts 4 components to signed normalised integers of 10, 10, 10 and 2 bits; the first component is in the lowest bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
[[msl::since("4.0")]] uint pack_float_to_snorm10a2(float4 x);
[[msl::since("4.0")]] uint pack_half_to_snorm10a2(half4 x);

/// Reads 4 components from signed normalised integers of 10, 10, 10 and 2 bits; the first component is in the lowest bits.
[[msl::since("4.0")]] float4 unpack_snorm10a2_to_float(uint x);
[[msl::since("4.0")]] half4 unpack_snorm10a2_to_half(uint x);

/// Converts 3 components to unsigned normalised integers of 5, 6 and 5 bits.
/// Values outside the range of the format are clamped, then rounded to the nearest.
ushort pack_float_to_unorm565(float3 x);
ushort pack_half_to_unorm565(half3 x);

/// Reads 3 components from unsigned normalised integers of 5, 6 and 5 bits.
float3 unpack_unorm565_to_float(ushort x);
half3 unpack_unorm565_to_half(ushort x);
} // namespace metal
