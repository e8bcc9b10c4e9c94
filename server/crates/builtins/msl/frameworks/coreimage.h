//! `<CoreImage/CoreImage.h>`: the types and functions of Core Image kernels.
//!
//! A kernel is a function with `[[stitchable]]`, or one in `extern "C"` that is built with `-fcikernel` (linked with
//! `-cikernel`); Swift names it in `CIKernel(functionName:fromMetalLibraryData:)`.
//!
//! * A colour kernel gives a pixel from those at the same place: `float4 name(coreimage::sample_t s, args...)`.
//! * A warp kernel gives the place in the source that a pixel is taken from: `float2 name(coreimage::destination dest)`.
//! * A general kernel samples where it likes: `float4 name(coreimage::sampler src, args...)`.
//!
//! A `destination` is the last parameter. The names are in `coreimage`, which sees those of `metal`; there `sampler` is
//! that of Core Image.

namespace [[msl::partial]] coreimage {

using namespace metal;

/// A pixel of an image: linear, premultiplied by alpha.
using sample_t = float4;
using sample_h = half4;

/// An image that a kernel reads, in 32-bit floating point. Coordinates of its own are in *sampler space*.
struct [[msl::partial]] sampler {
    /// The pixel at a place.
    /// - `p`: in sampler space, as `coord` and `transform` give it.
    float4 sample(float2 p) const;

    /// The place in sampler space that belongs to the pixel being computed.
    float2 coord() const;

    /// The place in sampler space of a place in the space of the result.
    /// - `p`: as `destination::coord` gives it.
    float2 transform(float2 p) const;

    /// The rectangle of the image in sampler space: x and y of its origin, width, height.
    float4 extent() const;

    /// The first half of `extent`: the origin of the image in sampler space.
    float2 origin() const;

    /// The second half of `extent`: the size of the image in sampler space.
    float2 size() const;

    /// One component of the four pixels that a linear filter would mix.
    /// - `p`: in sampler space.
    float4 gatherX(float2 p) const;
    float4 gatherY(float2 p) const;
    float4 gatherZ(float2 p) const;
    float4 gatherW(float2 p) const;
};

/// An image that a kernel reads, in 16-bit floating point. Coordinates of its own are in *sampler space*.
struct [[msl::partial]] sampler_h {
    /// The pixel at a place.
    /// - `p`: in sampler space, as `coord` and `transform` give it.
    half4 sample(float2 p) const;

    /// The place in sampler space that belongs to the pixel being computed.
    float2 coord() const;

    /// The place in sampler space of a place in the space of the result.
    /// - `p`: as `destination::coord` gives it.
    float2 transform(float2 p) const;

    /// The rectangle of the image in sampler space: x and y of its origin, width, height.
    float4 extent() const;

    /// The first half of `extent`: the origin of the image in sampler space.
    float2 origin() const;

    /// The second half of `extent`: the size of the image in sampler space.
    float2 size() const;

    /// One component of the four pixels that a linear filter would mix.
    /// - `p`: in sampler space.
    half4 gatherX(float2 p) const;
    half4 gatherY(float2 p) const;
    half4 gatherZ(float2 p) const;
    half4 gatherW(float2 p) const;
};

/// The pixel being computed. The last parameter of a kernel; warp kernels need one.
struct [[msl::partial]] destination {
    /// The place of the pixel, in the space of the result (working space).
    float2 coord() const;
};

namespace group {

/// Two by two pixels being computed at once, in 32-bit floating point. The last parameter of a kernel that returns
/// nothing.
struct [[msl::partial]] destination {
    /// The place of the first of the pixels, in the space of the result (working space).
    float2 coord() const;
};

/// Two by two pixels being computed at once, in 16-bit floating point. The last parameter of a kernel that returns
/// nothing.
struct [[msl::partial]] destination_h {
    /// The place of the first of the pixels, in the space of the result (working space).
    float2 coord() const;
};

}

/// For each component `y` where `x` is negative, `z` elsewhere.
template <typename T> [[msl::each(T, floats, halfs)]] T compare(T x, T y, T z);
template <typename... Args> [[msl::unknown]] void compare(Args... args);

/// The cosine of `x`.
/// - `x`: in radians, from -π to π.
template <typename T> [[msl::each(T, floats, halfs)]] T cos_(T x);
template <typename... Args> [[msl::unknown]] void cos_(Args... args);

/// The sine of `x`.
/// - `x`: in radians, from -π to π.
template <typename T> [[msl::each(T, floats, halfs)]] T sin_(T x);
template <typename... Args> [[msl::unknown]] void sin_(Args... args);

/// The tangent of `x`.
/// - `x`: in radians, from -π to π.
template <typename T> [[msl::each(T, floats, halfs)]] T tan_(T x);
template <typename... Args> [[msl::unknown]] void tan_(Args... args);

/// The cosine of `x` and the sine of `x`, in radians.
float2 cossin(float x);
template <typename... Args> [[msl::unknown]] void cossin(Args... args);

/// The cosine of `x` and the sine of `x`.
/// - `x`: in radians, from -π to π.
float2 cossin_(float x);
template <typename... Args> [[msl::unknown]] void cossin_(Args... args);

/// The sine of `x` and the cosine of `x`, in radians.
float2 sincos(float x);
template <typename... Args> [[msl::unknown]] void sincos(Args... args);

/// The sine of `x` and the cosine of `x`.
/// - `x`: in radians, from -π to π.
float2 sincos_(float x);
template <typename... Args> [[msl::unknown]] void sincos_(Args... args);

/// The colour with red, green and blue multiplied by alpha.
float4 premultiply(float4 color);
half4 premultiply(half4 color);
template <typename... Args> [[msl::unknown]] void premultiply(Args... args);

/// The colour with red, green and blue divided by alpha.
float4 unpremultiply(float4 color);
half4 unpremultiply(half4 color);
template <typename... Args> [[msl::unknown]] void unpremultiply(Args... args);

/// The linear colour of one that is encoded as sRGB.
float3 srgb_to_linear(float3 color);
half3 srgb_to_linear(half3 color);
template <typename... Args> [[msl::unknown]] void srgb_to_linear(Args... args);

/// The encoding as sRGB of a linear colour.
float3 linear_to_srgb(float3 color);
half3 linear_to_srgb(half3 color);
template <typename... Args> [[msl::unknown]] void linear_to_srgb(Args... args);

}
