//! `<metal_command_buffer>`: indirect command buffers, which a kernel fills with draws and dispatches.
//!
//! A `command_buffer` and the pipeline states are members of an argument buffer.
//! Make a `render_command` or `compute_command` for an index, set it up, and the host executes it later.
//! An index beyond the size of the command buffer is undefined (MSL spec §6.16).

/// The range of commands to execute, as it lies in a buffer.
struct MTLIndirectCommandBufferExecutionRange {
    /// The first command.
    uint location;
    /// The number of commands.
    uint length;
};

namespace [[msl::since("2.1")]] metal {

/// The shape of the primitives that consecutive vertices make.
enum class primitive_type {
    /// Each vertex is a point.
    point = 0,
    /// Each pair of vertices is a line.
    line = 1,
    /// Each vertex is joined to the one before.
    line_strip = 2,
    /// Each three vertices are a triangle.
    triangle = 3,
    /// Each vertex makes a triangle with the two before.
    triangle_strip = 4,
};

/// Which triangles are not drawn.
enum class [[msl::since("4.0")]] cull_mode {
    /// All are drawn.
    none = 0,
    /// Those that face the viewer.
    front = 1,
    /// Those that face away.
    back = 2,
};

/// What happens to fragments in front of the near plane or behind the far plane.
enum class [[msl::since("4.0")]] depth_clip_mode {
    /// They are not drawn.
    clip = 0,
    /// They are drawn with the depth of the plane.
    clamp = 1,
};

/// How triangles are drawn.
enum class [[msl::since("4.0")]] triangle_fill_mode {
    /// Filled.
    fill = 0,
    /// As lines.
    lines = 1,
};

/// A list of commands that the GPU executes later.
///
/// It holds draws or dispatches, not both.
struct [[msl::opaque]] command_buffer {
    /// A null command buffer.
    command_buffer();

    /// The number of commands.
    [[msl::since("2.2")]] size_t size() const;
};

/// A render pipeline, as a member of an argument buffer.
struct [[msl::since("ios 2.2, macos 2.1"), msl::opaque]] render_pipeline_state {
    render_pipeline_state();
};

/// A compute pipeline, as a member of an argument buffer.
struct [[msl::since("ios 2.2, macos 2.3"), msl::opaque]] compute_pipeline_state {
    compute_pipeline_state();
};

/// The depth and stencil tests, as a member of an argument buffer.
struct [[msl::since("4.0"), msl::opaque]] depth_stencil_state {
    depth_stencil_state();
};

/// One draw of a command buffer.
///
/// Copying it with `=` makes another reference to the same command; `copy_command` copies the contents.
/// Of several `draw` calls the last one counts.
struct render_command {
    /// Refers to a command of the command buffer.
    ///
    /// - `icb`: the command buffer.
    /// - `icb_index`: the number of the command, below `icb.size()`.
    explicit render_command(command_buffer icb, uint icb_index);

    /// Sets the pipeline.
    [[msl::since("ios 2.2, macos 2.1")]] void set_render_pipeline_state(render_pipeline_state pipeline_state);

    /// Binds a buffer of the vertex function.
    ///
    /// - `buffer`: the start of the buffer.
    /// - `index`: the number of the buffer slot.
    /// - `stride`: the distance from one element to the next, in bytes.
    template <typename T> void set_vertex_buffer(device T* buffer, uint index);
    template <typename T> void set_vertex_buffer(constant T* buffer, uint index);
    template <typename T> [[msl::since("3.1")]] void set_vertex_buffer(device T* buffer, size_t stride, uint index);
    template <typename T> [[msl::since("3.1")]] void set_vertex_buffer(constant T* buffer, size_t stride, uint index);

    /// Binds a buffer of the fragment function.
    ///
    /// - `buffer`: the start of the buffer.
    /// - `index`: the number of the buffer slot.
    template <typename T> void set_fragment_buffer(device T* buffer, uint index);
    template <typename T> void set_fragment_buffer(constant T* buffer, uint index);

    /// Binds a buffer of the object function.
    ///
    /// - `buffer`: the start of the buffer.
    /// - `index`: the number of the buffer slot.
    template <typename T> [[msl::since("3.1")]] void set_object_buffer(device T* buffer, uint index);
    template <typename T> [[msl::since("3.1")]] void set_object_buffer(constant T* buffer, uint index);

    /// Binds a buffer of the mesh function.
    ///
    /// - `buffer`: the start of the buffer.
    /// - `index`: the number of the buffer slot.
    template <typename T> [[msl::since("3.1")]] void set_mesh_buffer(device T* buffer, uint index);
    template <typename T> [[msl::since("3.1")]] void set_mesh_buffer(constant T* buffer, uint index);

    /// Sets the size of a threadgroup buffer of the object function.
    ///
    /// - `length`: the size in bytes, a multiple of 16.
    /// - `idx`: the number of the threadgroup slot.
    [[msl::since("3.1")]] void set_object_threadgroup_memory_length(uint length, uint idx);

    /// Lets the command wait for those before it in the command buffer.
    [[msl::since("3.1")]] void set_barrier();

    /// Takes back `set_barrier`.
    [[msl::since("3.1")]] void clear_barrier();

    /// Says which triangles are not drawn.
    [[msl::since("4.0")]] void set_cull_mode(cull_mode mode);

    /// Says which order of vertices makes a triangle face the viewer.
    [[msl::since("4.0")]] void set_front_facing_winding(winding w);

    /// Says how triangles are drawn.
    [[msl::since("4.0")]] void set_triangle_fill_mode(triangle_fill_mode mode);

    /// Sets the depth and stencil tests.
    [[msl::since("4.0")]] void set_depth_stencil_state(depth_stencil_state state);

    /// Sets what is added to the depth of each fragment.
    ///
    /// - `bias`: a constant number of the smallest steps of depth.
    /// - `slope_scale`: a factor on the slope of the triangle.
    /// - `clamp`: the bound of the sum, or 0 for none.
    [[msl::since("4.0")]] void set_depth_bias(float bias, float slope_scale, float clamp);

    /// Says what happens outside the near and far planes.
    [[msl::since("4.0")]] void set_depth_clip_mode(depth_clip_mode mode);

    /// Draws consecutive vertices.
    ///
    /// - `type`: the shape of the primitives.
    /// - `vertex_start`: the first vertex.
    /// - `vertex_count`: the number of vertices.
    /// - `instance_count`: the number of instances.
    /// - `base_instance`: the first instance.
    void draw_primitives(
        primitive_type type, uint vertex_start, uint vertex_count, uint instance_count, uint base_instance = 0);

    /// Draws vertices by their indices.
    ///
    /// - `type`: the shape of the primitives.
    /// - `index_count`: the number of indices.
    /// - `index_buffer`: the first index.
    /// - `instance_count`: the number of instances.
    /// - `base_vertex`: added to each index.
    /// - `base_instance`: the first instance.
    template <typename T> [[msl::each(T, ushort_scalar, uint_scalar)]]
    void draw_indexed_primitives(
        primitive_type type, uint index_count, const device T* index_buffer, uint instance_count, uint base_vertex = 0,
        uint base_instance = 0);
    template <typename T> [[msl::each(T, ushort_scalar, uint_scalar)]]
    void draw_indexed_primitives(
        primitive_type type, uint index_count, const constant T* index_buffer, uint instance_count,
        uint base_vertex = 0, uint base_instance = 0);

#define __msl_draw_patches(indices, factors, shape)                                                                    \
    void draw_patches(                                                                                                 \
        uint num_patch_control_points, uint patch_start, uint patch_count, const indices uint* patch_index_buffer,     \
        uint instance_count, uint base_instance, const factors shape* tessellation_factor_buffer,                      \
        uint instance_stride = 0, float scale = 1.0f);
#define __msl_draw_indexed_patches(indices, points, factors, shape)                                                    \
    void draw_indexed_patches(                                                                                         \
        uint num_patch_control_points, uint patch_start, uint patch_count, const indices uint* patch_index_buffer,     \
        const points void* control_point_index_buffer, uint instance_count, uint base_instance,                        \
        const factors shape* tessellation_factor_buffer, uint instance_stride = 0, float scale = 1.0f);

    /// Draws tessellated patches.
    ///
    /// - `num_patch_control_points`: the number of control points of a patch, from 1 to 32.
    /// - `patch_start`: the first patch.
    /// - `patch_count`: the number of patches.
    /// - `patch_index_buffer`: the indices of the patches, or null.
    /// - `instance_count`: the number of instances.
    /// - `base_instance`: the first instance.
    /// - `tessellation_factor_buffer`: the factors of the first patch.
    /// - `instance_stride`: the distance from the factors of one instance to those of the next, in patches.
    /// - `scale`: a factor on all tessellation factors.
    __msl_draw_patches(device, device, MTLQuadTessellationFactorsHalf)
    __msl_draw_patches(device, device, MTLTriangleTessellationFactorsHalf)
    __msl_draw_patches(device, constant, MTLQuadTessellationFactorsHalf)
    __msl_draw_patches(device, constant, MTLTriangleTessellationFactorsHalf)
    __msl_draw_patches(constant, device, MTLQuadTessellationFactorsHalf)
    __msl_draw_patches(constant, device, MTLTriangleTessellationFactorsHalf)
    __msl_draw_patches(constant, constant, MTLQuadTessellationFactorsHalf)
    __msl_draw_patches(constant, constant, MTLTriangleTessellationFactorsHalf)

    /// Draws tessellated patches whose control points are found by index.
    ///
    /// The parameters are those of `draw_patches`, and:
    ///
    /// - `control_point_index_buffer`: the indices of the control points.
    __msl_draw_indexed_patches(device, device, device, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, device, device, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, device, constant, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, device, constant, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, constant, device, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, constant, device, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, constant, constant, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(device, constant, constant, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, device, device, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, device, device, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, device, constant, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, device, constant, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, constant, device, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, constant, device, MTLTriangleTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, constant, constant, MTLQuadTessellationFactorsHalf)
    __msl_draw_indexed_patches(constant, constant, constant, MTLTriangleTessellationFactorsHalf)

#undef __msl_draw_patches
#undef __msl_draw_indexed_patches

    /// Dispatches threadgroups of the object function, or of the mesh function if there is no object function.
    ///
    /// - `threadgroups_per_grid`: the number of threadgroups.
    /// - `threads_per_object_threadgroup`: the size of a threadgroup of the object function.
    /// - `threads_per_mesh_threadgroup`: the size of a threadgroup of the mesh function.
    [[msl::since("3.1")]] void draw_mesh_threadgroups(
        uint3 threadgroups_per_grid, uint3 threads_per_object_threadgroup, uint3 threads_per_mesh_threadgroup);

    /// Dispatches threads of the object function, or of the mesh function if there is no object function.
    ///
    /// - `threads_per_grid`: the number of threads.
    /// - `threads_per_object_threadgroup`: the size of a threadgroup of the object function.
    /// - `threads_per_mesh_threadgroup`: the size of a threadgroup of the mesh function.
    [[msl::since("3.1")]] void draw_mesh_threads(
        uint3 threads_per_grid, uint3 threads_per_object_threadgroup, uint3 threads_per_mesh_threadgroup);

    /// Makes the command do nothing until it is set up again.
    void reset();

    /// Copies the contents of another command; both command buffers have to be made alike.
    void copy_command(render_command that);
};

/// One dispatch of a command buffer.
///
/// Copying it with `=` makes another reference to the same command; `copy_command` copies the contents.
/// Dispatches run at the same time unless barriers order them.
struct [[msl::since("ios 2.2, macos 2.3")]] compute_command {
    /// Refers to a command of the command buffer.
    ///
    /// - `icb`: the command buffer.
    /// - `icb_index`: the number of the command, below `icb.size()`.
    explicit compute_command(command_buffer icb, uint icb_index);

    /// Sets the pipeline.
    void set_compute_pipeline_state(compute_pipeline_state pipeline_state);

    /// Binds a buffer of the kernel.
    ///
    /// - `buffer`: the start of the buffer.
    /// - `index`: the number of the buffer slot.
    /// - `stride`: the distance from one element to the next, in bytes.
    template <typename T> void set_kernel_buffer(device T* buffer, uint index);
    template <typename T> void set_kernel_buffer(constant T* buffer, uint index);
    template <typename T> [[msl::since("3.1")]] void set_kernel_buffer(device T* buffer, size_t stride, uint index);
    template <typename T> [[msl::since("3.1")]] void set_kernel_buffer(constant T* buffer, size_t stride, uint index);

    /// Sets the size of a threadgroup buffer.
    ///
    /// - `length`: the size in bytes, a multiple of 16.
    /// - `idx`: the number of the threadgroup slot.
    void set_threadgroup_memory_length(uint length, uint idx);

    /// Sets the region of the grid that `[[stage_in]]` fetches.
    ///
    /// - `origin`: the first thread.
    /// - `size`: the number of threads.
    void set_stage_in_region(uint3 origin, uint3 size);

    /// Sets the size of an imageblock, in pixels.
    [[msl::since("2.3")]] void set_imageblock_size(ushort2 size);

    /// Lets the command wait for those before it in the command buffer.
    void set_barrier();

    /// Takes back `set_barrier`.
    void clear_barrier();

    /// Dispatches whole threadgroups.
    ///
    /// - `threadgroups_per_grid`: the number of threadgroups.
    /// - `threads_per_threadgroup`: the size of a threadgroup.
    void concurrent_dispatch_threadgroups(uint3 threadgroups_per_grid, uint3 threads_per_threadgroup);

    /// Dispatches threads; threadgroups at the edge may be smaller.
    ///
    /// - `threads_per_grid`: the number of threads.
    /// - `threads_per_threadgroup`: the size of a threadgroup.
    void concurrent_dispatch_threads(uint3 threads_per_grid, uint3 threads_per_threadgroup);

    /// Makes the command do nothing until it is set up again.
    void reset();

    /// Copies the contents of another command; both command buffers have to be made alike.
    void copy_command(compute_command that);
};

} // namespace metal
