//! `<SceneKit/scn_metal>`: what shader functions of an `SCNProgram` get from SceneKit.
//!
//! A vertex function takes vertices in a `[[stage_in]]` parameter whose members name their data with
//! `[[attribute(SCNVertexSemantic…)]]`, the scene in `constant SCNSceneBuffer& scn_frame [[buffer(0)]]`, and what belongs
//! to the node in `constant T& scn_node [[buffer(1)]]`, where `T` is a struct of the program with any of these members,
//! found by their names:
//!
//! ```cpp
//! float4x4 modelTransform, inverseModelTransform;
//! float4x4 modelViewTransform, inverseModelViewTransform;
//! float4x4 normalTransform;
//! float4x4 modelViewProjectionTransform, inverseModelViewProjectionTransform;
//! float2x3 boundingBox, worldBoundingBox;
//! ```
//!
//! Buffers from 2 on are the program's own.

/// What is the same for all that is drawn in a frame: a parameter with `[[buffer(0)]]`.
struct [[msl::partial]] SCNSceneBuffer {
    /// From world space to view space.
    metal::float4x4 viewTransform;

    /// From view space to world space.
    metal::float4x4 inverseViewTransform;

    /// From view space to clip space.
    metal::float4x4 projectionTransform;

    /// From world space to clip space.
    metal::float4x4 viewProjectionTransform;

    /// From view space to the space of cube textures: right-handed, y up.
    metal::float4x4 viewToCubeTransform;

    /// The sum of the scene's ambient lights.
    float4 ambientLightingColor;

    /// The colour of the scene's fog.
    float4 fogColor;

    /// How fog depends on distance: x is -1 / (end - start), y is 1 - start * x, z the exponent.
    float3 fogParameters;

    /// Seconds since the first frame that was drawn with this shader.
    float time;

    /// The sine and the cosine of `time`.
    float sinTime;
    float cosTime;

    /// A random number of the frame from 0 to 1.
    float random01;
};

/// The data of a vertex that an attribute index stands for: `float3 normal [[attribute(SCNVertexSemanticNormal)]];`
/// Which numbers they are is not documented.
enum {
    /// The place in model space, from the geometry source for `vertex`.
    SCNVertexSemanticPosition,

    /// The direction that the surface faces, from the geometry source for `normal`.
    SCNVertexSemanticNormal,

    /// The tangent of the surface in x, y and z; w is the sign of the bitangent.
    SCNVertexSemanticTangent,

    /// The colour, from the geometry source for `color`.
    SCNVertexSemanticColor,

    /// The bones that move the vertex, from the geometry source for `boneIndices`.
    SCNVertexSemanticBoneIndices,
    SCNVertexSemanticSkinJoints,

    /// How much each bone moves the vertex, from the geometry source for `boneWeights`.
    SCNVertexSemanticBoneWeights,
    SCNVertexSemanticSkinWeights,

    /// Texture coordinates, from the geometry sources for `texcoord` in order.
    SCNVertexSemanticTexcoord0,
    SCNVertexSemanticTexcoord1,
    SCNVertexSemanticTexcoord2,
    SCNVertexSemanticTexcoord3,
    SCNVertexSemanticTexcoord4,
    SCNVertexSemanticTexcoord5,
    SCNVertexSemanticTexcoord6,
    SCNVertexSemanticTexcoord7,
};
