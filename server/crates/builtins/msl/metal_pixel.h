//! `<metal_pixel>`: the formats of pixels in memory, for members of imageblocks and elements of buffers.
//!
//! A value of such a type is only loaded, stored and compared for equality; loading converts it to the arithmetic type
//! in its angle brackets, storing converts it back (MSL spec §2.7).

namespace [[msl::since("ios 2.0, macos 2.3")]] metal {

/// Whether `P` is one of the pixel types of this header.
template <typename P> struct is_pixel_data : false_type {};
template <typename P> constexpr constant bool is_pixel_data_v = is_pixel_data<P>::value;

#define __msl_pixel(name, storage, condition, message)                                                                 \
    template <typename T> struct name {                                                                                \
        static_assert(condition, message);                                                                             \
        [[msl::internal]] storage;                                                                                     \
        name() = default;                                                                                              \
        name(T value);                                                                                                 \
        operator T() const;                                                                                            \
        template <typename U> [[msl::enable_if(__is_constructible(U, T) && !__is_same(U, T))]] explicit operator U() const; \
        bool operator==(name that) const;                                                                              \
        bool operator!=(name that) const;                                                                              \
        bool operator==(T that) const;                                                                                 \
        bool operator!=(T that) const;                                                                                 \
    };                                                                                                                 \
    template <typename T> struct is_pixel_data<name<T>> : true_type {};

/// One unsigned 8-bit component, from 0 to 1: 1 byte.
///
/// - `T`: the type to compute with: `half` or `float`.
__msl_pixel(r8unorm, uchar __bits, (__is_same(T, half) || __is_same(T, float)),
    "the argument of r8unorm is half or float")

/// One signed 8-bit component, from -1 to 1: 1 byte.
///
/// - `T`: the type to compute with: `half` or `float`.
__msl_pixel(r8snorm, uchar __bits, (__is_same(T, half) || __is_same(T, float)),
    "the argument of r8snorm is half or float")

/// One unsigned 16-bit component, from 0 to 1: 2 bytes.
///
/// - `T`: the type to compute with: `float`.
__msl_pixel(r16unorm, ushort __bits, (__is_same(T, float)),
    "the argument of r16unorm is float")

/// One signed 16-bit component, from -1 to 1: 2 bytes.
///
/// - `T`: the type to compute with: `float`.
__msl_pixel(r16snorm, ushort __bits, (__is_same(T, float)),
    "the argument of r16snorm is float")

/// Two unsigned 8-bit components, from 0 to 1: 2 bytes, aligned to 1.
///
/// - `T`: the type to compute with: `half2` or `float2`.
__msl_pixel(rg8unorm, uchar __bits[2], (__is_same(T, half2) || __is_same(T, float2)),
    "the argument of rg8unorm is half2 or float2")

/// Two signed 8-bit components, from -1 to 1: 2 bytes, aligned to 1.
///
/// - `T`: the type to compute with: `half2` or `float2`.
__msl_pixel(rg8snorm, uchar __bits[2], (__is_same(T, half2) || __is_same(T, float2)),
    "the argument of rg8snorm is half2 or float2")

/// Two unsigned 16-bit components, from 0 to 1: 4 bytes, aligned to 2.
///
/// - `T`: the type to compute with: `float2`.
__msl_pixel(rg16unorm, ushort __bits[2], (__is_same(T, float2)),
    "the argument of rg16unorm is float2")

/// Two signed 16-bit components, from -1 to 1: 4 bytes, aligned to 2.
///
/// - `T`: the type to compute with: `float2`.
__msl_pixel(rg16snorm, ushort __bits[2], (__is_same(T, float2)),
    "the argument of rg16snorm is float2")

/// Four unsigned 8-bit components, from 0 to 1: 4 bytes, aligned to 1.
///
/// - `T`: the type to compute with: `half4` or `float4`.
__msl_pixel(rgba8unorm, uchar __bits[4], (__is_same(T, half4) || __is_same(T, float4)),
    "the argument of rgba8unorm is half4 or float4")

/// Four unsigned 8-bit components, from 0 to 1, red, green and blue in the sRGB curve: 4 bytes, aligned to 1.
///
/// - `T`: the type to compute with: `half4` or `float4`.
__msl_pixel(srgba8unorm, uchar __bits[4], (__is_same(T, half4) || __is_same(T, float4)),
    "the argument of srgba8unorm is half4 or float4")

/// Four signed 8-bit components, from -1 to 1: 4 bytes, aligned to 1.
///
/// - `T`: the type to compute with: `half4` or `float4`.
__msl_pixel(rgba8snorm, uchar __bits[4], (__is_same(T, half4) || __is_same(T, float4)),
    "the argument of rgba8snorm is half4 or float4")

/// Four unsigned 16-bit components, from 0 to 1: 8 bytes, aligned to 2.
///
/// - `T`: the type to compute with: `float4`.
__msl_pixel(rgba16unorm, ushort __bits[4], (__is_same(T, float4)),
    "the argument of rgba16unorm is float4")

/// Four signed 16-bit components, from -1 to 1: 8 bytes, aligned to 2.
///
/// - `T`: the type to compute with: `float4`.
__msl_pixel(rgba16snorm, ushort __bits[4], (__is_same(T, float4)),
    "the argument of rgba16snorm is float4")

/// Three components of 10 bits and an alpha of 2 bits, unsigned, from 0 to 1: 4 bytes.
///
/// - `T`: the type to compute with: `half4` or `float4`.
__msl_pixel(rgb10a2, uint __bits, (__is_same(T, half4) || __is_same(T, float4)),
    "the argument of rgb10a2 is half4 or float4")

/// Three unsigned floating-point components: red and green of 11 bits, blue of 10 bits: 4 bytes.
///
/// - `T`: the type to compute with: `half3` or `float3`.
__msl_pixel(rg11b10f, uint __bits, (__is_same(T, half3) || __is_same(T, float3)),
    "the argument of rg11b10f is half3 or float3")

/// Three components of 9 bits with one exponent of 5 bits in common: 4 bytes.
///
/// - `T`: the type to compute with: `half3` or `float3`.
__msl_pixel(rgb9e5, uint __bits, (__is_same(T, half3) || __is_same(T, float3)),
    "the argument of rgb9e5 is half3 or float3")

#undef __msl_pixel

} // namespace metal
