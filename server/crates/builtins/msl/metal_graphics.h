//! `<metal_graphics>`: functions of fragment functions, variable rasterization rate, and the argument structures of
//! indirect draws.

/// The arguments of an indirect draw without an index buffer, as they lie in a buffer.
struct [[msl::since("1.1")]] MTLDrawPrimitivesIndirectArguments {
    /// The number of vertices to draw.
    uint vertexCount;
    /// The number of instances to draw.
    uint instanceCount;
    /// The first vertex.
    uint vertexStart;
    /// The first instance.
    uint baseInstance;
};

/// The arguments of an indirect draw with an index buffer, as they lie in a buffer.
struct [[msl::since("1.1")]] MTLDrawIndexedPrimitivesIndirectArguments {
    /// The number of indices to read for each instance.
    uint indexCount;
    /// The number of instances to draw.
    uint instanceCount;
    /// The position of the first index in the index buffer.
    uint indexStart;
    /// The value added to each index.
    uint baseVertex;
    /// The first instance.
    uint baseInstance;
};

namespace metal {

/// The order of a triangle's vertices on screen that makes it face the viewer.
enum class [[msl::since("2.3")]] winding {
    clockwise = 0,
    counterclockwise = 1,
};

/// The shape of the primitives of a mesh.
enum class [[msl::since("3.0")]] topology {
    /// One index for each primitive.
    point = 0,
    /// Two indices for each primitive.
    line = 1,
    /// Three indices for each primitive.
    triangle = 2,
};

/// The partial derivative of `p` along the screen's x axis, component by component.
///
/// It is the difference between neighbouring pixels, so it is undefined in control flow that is not uniform.
template <typename T> [[msl::each(T, floats, halfs), msl::stage(fragment)]] T dfdx(T p);

/// The partial derivative of `p` along the screen's y axis, component by component.
///
/// It is the difference between neighbouring pixels, so it is undefined in control flow that is not uniform.
template <typename T> [[msl::each(T, floats, halfs), msl::stage(fragment)]] T dfdy(T p);

/// The sum of the absolute derivatives, `fabs(dfdx(p)) + fabs(dfdy(p))`.
///
/// It tells how much `p` changes over one pixel, and is undefined in control flow that is not uniform.
template <typename T> [[msl::each(T, floats, halfs), msl::stage(fragment)]] T fwidth(T p);

/// Ends the fragment: its outputs, and what it writes to buffers and textures afterwards, are dropped.
///
/// Writes made before the call stay.
/// Up to 2.2 a discard in some threads of a quad made derivatives undefined; from 2.3 the thread goes on running
/// as a helper and derivatives stay defined.
[[msl::stage(fragment)]] void discard_fragment();

/// The number of samples of each pixel of the colour attachment.
[[msl::stage(fragment)]] uint get_num_samples();

/// The place of a sample inside the pixel, each coordinate from 0 to 1.
///
/// - `indx`: the index of the sample, below `get_num_samples()`.
[[msl::stage(fragment)]] float2 get_sample_position(uint indx);

/// Converts between screen coordinates and the coordinates of a render target drawn with variable rasterization rate.
struct [[msl::since("2.2")]] rasterization_rate_map_decoder {
    /// Reads the description of the rate map that the host wrote to a buffer.
    explicit rasterization_rate_map_decoder(constant rasterization_rate_map_data& data);

    /// The place in the render target that shows the given place of the screen.
    ///
    /// - `coords`: in pixels of the screen.
    /// - `layer_index`: the layer of the rate map.
    float2 map_screen_to_physical_coordinates(float2 coords, uint layer_index = 0) const;
    uint2 map_screen_to_physical_coordinates(uint2 coords, uint layer_index = 0) const;

    /// The place of the screen that the given place in the render target shows.
    ///
    /// - `coords`: in pixels of the render target.
    /// - `layer_index`: the layer of the rate map.
    float2 map_physical_to_screen_coordinates(float2 coords, uint layer_index = 0) const;
    uint2 map_physical_to_screen_coordinates(uint2 coords, uint layer_index = 0) const;
};

} // namespace metal
