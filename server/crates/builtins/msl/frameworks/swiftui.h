//! `<SwiftUI/SwiftUI_Metal.h>`: what shader functions of SwiftUI views work with.
//!
//! SwiftUI applies functions with `[[stitchable]]`, found by name, to the pixels of a view:
//!
//! * `colorEffect`: `half4 name(float2 position, half4 color, args...)` gives the new colour of a pixel.
//! * `distortionEffect`: `float2 name(float2 position, args...)` gives the place that a pixel is taken from.
//! * `layerEffect`: `half4 name(float2 position, SwiftUI::Layer layer, args...)` gives the new colour of a pixel and may
//!   read others.
//! * A fill: `half4 name(float2 position, args...)`.
//!
//! Positions are in points of the view's space, colours premultiplied by alpha.
//! The arguments are those of the `Shader` value in Swift: `.float` a `float`, `.float2` and so on a vector, `.color` a
//! `half4`, `.colorArray` and `.floatArray` and `.data` a `device const` pointer followed by an `int` with the number of
//! elements or bytes, `.image` a `texture2d<half>`, `.boundingRect` a `float4`.

namespace [[msl::partial]] SwiftUI {

/// The pixels of the view that a layer effect is applied to.
struct [[msl::partial]] Layer {
    /// The colour at `position`, filtered linearly between pixels and premultiplied by alpha.
    /// - `position`: in points, in the space of the position that the function is called with; outside of the view and
    ///   further away than the effect's `maxSampleOffset` there is nothing to read.
    half4 sample(float2 position) const;
};

}
