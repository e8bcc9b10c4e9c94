//! `<RealityKit/RealityKit.h>`: what the shader functions of a `CustomMaterial` work with.
//!
//! * A surface shader sets what is drawn at a pixel: `[[visible]] void name(realitykit::surface_parameters params)`.
//! * A geometry modifier moves vertices: `[[visible]] void name(realitykit::geometry_parameters params)`.
//!
//! `[[stitchable]]` may stand in place of `[[visible]]`, which function constants need.
//! Texture coordinates of models from USDZ files count from the bottom: `uv.y = 1.0 - uv.y` before sampling.

namespace [[msl::partial]] realitykit {

namespace [[msl::partial]] texture {

/// The textures of the material.
struct [[msl::partial]] textures {
    /// The texture of the material's property of that name. A property without a texture has a texture that changes
    /// nothing.
    metal::texture2d<half> base_color() const;
    metal::texture2d<half> opacity() const;
    metal::texture2d<half> roughness() const;
    metal::texture2d<half> metallic() const;
    metal::texture2d<half> specular() const;
    metal::texture2d<half> ambient_occlusion() const;
    metal::texture2d<half> emissive_color() const;
    metal::texture2d<half> clearcoat() const;
    metal::texture2d<half> clearcoat_roughness() const;

    /// The texture of the material's normals, in tangent space and encoded: see `realitykit::unpack_normal`.
    metal::texture2d<half> normal() const;
    metal::texture2d<half> clearcoat_normal() const;

    /// The texture of the material's property `custom`, which means what the shader makes of it.
    metal::texture2d<half> custom() const;
};

}

namespace [[msl::partial]] material {

/// The numbers of the material's properties, which the property's texture is to be multiplied with.
struct [[msl::partial]] __constants {
    /// The tint of the base colour.
    float3 base_color_tint() const;

    /// The emitted colour.
    float3 emissive_color() const;

    /// From 0, transparent, to 1.
    float opacity_scale() const;

    /// Pixels that are less opaque than this are not drawn.
    float opacity_threshold() const;

    /// The scale of the property of that name.
    float roughness_scale() const;
    float metallic_scale() const;
    float specular_scale() const;
    float clearcoat_scale() const;
    float clearcoat_roughness_scale() const;
};

}

/// What is the same for all pixels and vertices of a model.
struct [[msl::partial, msl::internal]] __uniforms {
    /// Seconds since RealityKit began to draw.
    float time() const;

    /// The `value` of the material's property `custom`.
    float4 custom_parameter() const;

    /// The transform of the first texture coordinates, as the material has it: `uv0_transform() * uv + uv0_offset()`.
    metal::float2x2 uv0_transform() const;
    float2 uv0_offset() const;

    /// The transform of the second texture coordinates.
    metal::float2x2 uv1_transform() const;
    float2 uv1_offset() const;

    /// A transform from one space to another.
    metal::float4x4 model_to_world() const;
    metal::float4x4 model_to_view() const;
    metal::float4x4 world_to_view() const;
    metal::float4x4 view_to_projection() const;
    metal::float4x4 projection_to_view() const;

    /// The transform of normals from model space to world space.
    metal::float3x3 normal_to_world() const;
};

namespace [[msl::partial]] surface {

/// What is drawn at the pixel. What a shader does not set has the defaults of the lighting model, not those of the
/// material.
struct [[msl::partial]] surface_properties {
    /// The colour that lights are reflected in; linear.
    void set_base_color(half3 color);

    /// The colour that is emitted; linear. With the unlit model the only colour.
    void set_emissive_color(half3 color);

    /// The normal, in tangent space.
    void set_normal(float3 normal);

    /// From 0, transparent, to 1.
    void set_opacity(half opacity);

    /// The property of physically based rendering of that name, from 0 to 1.
    void set_roughness(half roughness);
    void set_metallic(half metallic);
    void set_specular(half specular);
    void set_ambient_occlusion(half ambient_occlusion);

    /// The strength of a clear coat, from 0 to 1; with the clear coat model.
    void set_clearcoat(half clearcoat);
    void set_clearcoat_roughness(half clearcoat_roughness);

    /// The normal of the clear coat, in tangent space.
    void set_clearcoat_normal(float3 normal);
};

/// The place on the model that a pixel shows, interpolated between vertices.
struct [[msl::partial, msl::internal]] __geometry {
    /// The place in model space, and in world space.
    float3 model_position() const;
    float3 world_position() const;

    /// The place on the screen: pixels in x and y, depth in z.
    float4 screen_position() const;

    /// The direction to the camera, in world space.
    float3 view_direction() const;

    /// The axes of the surface, in world space.
    float3 normal() const;
    float3 tangent() const;
    float3 bitangent() const;

    /// Texture coordinates.
    float2 uv0() const;
    float2 uv1() const;

    /// The colour of the vertices.
    float4 color() const;

    /// What the geometry modifier set with `set_custom_attribute`.
    float4 custom_attribute() const;
};

}

namespace [[msl::partial]] geometry {

/// A vertex of the model.
struct [[msl::partial, msl::internal]] __geometry {
    /// The place in model space, and in world space.
    float3 model_position() const;
    float3 world_position() const;

    /// The axes of the surface, in model space.
    float3 normal() const;
    float3 tangent() const;
    float3 bitangent() const;

    /// Texture coordinates.
    float2 uv0() const;
    float2 uv1() const;

    /// The colour.
    float4 color() const;

    /// The number of the vertex.
    uint vertex_id() const;

    /// Moves the vertex.
    /// - `offset`: in model space.
    void set_model_position_offset(float3 offset);

    /// Moves the vertex.
    /// - `offset`: in world space.
    void set_world_position_offset(float3 offset);

    /// Replaces a direction, in model space.
    void set_normal(float3 normal);
    void set_bitangent(float3 bitangent);

    /// Replaces texture coordinates.
    void set_uv0(float2 uv);
    void set_uv1(float2 uv);

    /// Replaces the colour.
    void set_color(float4 color);

    /// Hands a value to the surface shader, interpolated between vertices.
    void set_custom_attribute(float4 value);
};

}

/// The parameter of a surface shader: `[[visible]] void name(realitykit::surface_parameters params)`.
struct [[msl::partial]] surface_parameters {
    /// What is the same for the whole model.
    realitykit::__uniforms uniforms() const;

    /// The place on the model.
    realitykit::surface::__geometry geometry() const;

    /// What will be drawn, for the shader to set.
    realitykit::surface::surface_properties surface() const;

    /// The numbers of the material's properties.
    realitykit::material::__constants material_constants() const;

    /// The textures of the material's properties.
    realitykit::texture::textures textures() const;
};

/// The parameter of a geometry modifier: `[[visible]] void name(realitykit::geometry_parameters params)`.
struct [[msl::partial]] geometry_parameters {
    /// What is the same for the whole model.
    realitykit::__uniforms uniforms() const;

    /// The vertex, to be read and to be changed.
    realitykit::geometry::__geometry geometry() const;

    /// The numbers of the material's properties.
    realitykit::material::__constants material_constants() const;

    /// The textures of the material's properties.
    realitykit::texture::textures textures() const;
};

/// The normal that a texel of a texture of normals encodes.
template <typename... Args> [[msl::unknown]] void unpack_normal(Args... args);

}
