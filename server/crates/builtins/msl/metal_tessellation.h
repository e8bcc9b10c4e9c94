//! `<metal_tessellation>`: the control points of a patch, and the structures that a kernel fills for the tessellator.

/// The arguments of an indirect draw of patches, as they lie in a buffer.
struct [[msl::since("1.2")]] MTLDrawPatchIndirectArguments {
    /// The number of patches to draw for each instance.
    uint patchCount;
    /// The number of instances to draw.
    uint instanceCount;
    /// The first patch.
    uint patchStart;
    /// The first instance.
    uint baseInstance;
};

/// The tessellation factors of one quad patch.
struct [[msl::since("1.2")]] MTLQuadTessellationFactorsHalf {
    /// The factors of the edges u = 0, v = 0, u = 1 and v = 1, in this order.
    half edgeTessellationFactor[4];
    /// The factors of the inside along u and v.
    half insideTessellationFactor[2];
};

/// The tessellation factors of one triangle patch.
struct [[msl::since("1.2")]] MTLTriangleTessellationFactorsHalf {
    /// The factors of the edges u = 0, v = 0 and w = 0, in this order.
    half edgeTessellationFactor[3];
    /// The factor of the inside.
    half insideTessellationFactor;
};

namespace metal {

/// The control points of the patch that a post-tessellation vertex function works on.
///
/// Declare it as a `[[stage_in]]` parameter or a member of the `[[stage_in]]` structure.
///
/// - `T`: a structure whose members carry `[[attribute(n)]]`, fetched for each control point.
template <typename T>
class [[msl::since("1.2"), msl::stage(vertex), msl::opaque]] patch_control_point {
public:
    /// The number of control points of the patch.
    size_t size() const;

    /// The control point number `pos`, which is below `size()`.
    T operator[](size_t pos) const;
};

} // namespace metal
