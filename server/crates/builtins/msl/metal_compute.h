//! `<metal_compute>`: barriers among the threads of a group, and the memory flags that they and fences take.

/// The arguments of an indirect dispatch in a buffer, when the CPU fixes the size of a threadgroup.
struct [[msl::since("1.1")]] MTLDispatchThreadgroupsIndirectArguments {
    /// The number of threadgroups of the grid in x, y and z.
    uint threadgroupsPerGrid[3];
};

/// The arguments of an indirect dispatch in a buffer that gives the number of threads.
struct [[msl::since("ios 2.0, macos 2.3")]] MTLDispatchThreadsIndirectArguments {
    /// The number of threads of the grid in x, y and z.
    uint threadsPerGrid[3];
    /// The number of threads of one threadgroup in x, y and z.
    uint threadsPerThreadgroup[3];
};

/// The arguments of an indirect setting of the stage-in region in a buffer. The specification does not list it; it is
/// there for kernels that fill such buffers.
struct [[msl::since("2.1")]] MTLStageInRegionIndirectArguments {
    /// The corner of the region in x, y and z.
    uint stageInOrigin[3];
    /// The size of the region in x, y and z.
    uint stageInSize[3];
};

namespace metal {

/// Which memory a barrier or fence orders. Combine several with `|`.
enum class mem_flags {
    /// No memory: the barrier only lets the threads wait for each other.
    mem_none = 0,
    /// `device` memory.
    mem_device = 1,
    /// `threadgroup` memory.
    mem_threadgroup = 2,
    /// `device` and `threadgroup` memory.
    mem_device_and_threadgroup
        [[msl::deprecated("combine mem_flags::mem_device and mem_flags::mem_threadgroup with |")]] = 3,
    /// Texture memory.
    mem_texture [[msl::since("ios 2.0, macos 1.2")]] = 4,
    /// Imageblock memory of a tile.
    mem_threadgroup_imageblock [[msl::since("ios 2.0, macos 2.3")]] = 8,
    /// `object_data` memory, the payload between an object and a mesh function.
    mem_object_data [[msl::since("3.0")]] = 16,
};

/// The flags in `x`, in `y`, or in both.
[[msl::since("1.2")]] constexpr mem_flags operator|(mem_flags x, mem_flags y);
/// The flags both in `x` and in `y`.
[[msl::since("1.2")]] constexpr mem_flags operator&(mem_flags x, mem_flags y);
/// The flags in exactly one of `x` and `y`.
[[msl::since("1.2")]] constexpr mem_flags operator^(mem_flags x, mem_flags y);
/// The flags that are not in `x`.
[[msl::since("1.2")]] constexpr mem_flags operator~(mem_flags x);

/// Waits until every thread of the threadgroup has reached the barrier.
///
/// Memory of the kinds in `flags` that any of them wrote before the barrier is visible to all of them after it.
/// Either all threads of the group reach the barrier or none: in a branch or loop, the condition has to be the same
/// for all of them.
///
/// - `flags`: the memory that is ordered; `mem_flags::mem_none` orders nothing.
/// - `scope`: the set of threads that see the order (3.2).
[[msl::uniform, msl::fence, msl::stage(kernel, fragment, mesh, object), msl::across("threadgroup")]]
void threadgroup_barrier(mem_flags flags);
[[msl::since("3.2"), msl::uniform, msl::fence, msl::stage(kernel, fragment, mesh, object), msl::across("threadgroup")]]
void threadgroup_barrier(mem_flags flags, thread_scope scope);

/// Waits until every thread of the SIMD-group has reached the barrier.
///
/// If the threadgroup is no larger than one SIMD-group, it does what `threadgroup_barrier` does and costs less.
/// All threads of the SIMD-group have to reach it.
///
/// - `flags`: the memory that is ordered; `mem_flags::mem_none` orders nothing.
/// - `scope`: the set of threads that see the order (3.2).
[[msl::since("ios 1.2, macos 2.0"), msl::uniform, msl::fence, msl::stage(kernel, fragment, mesh, object), msl::across("simdgroup")]]
void simdgroup_barrier(mem_flags flags);
[[msl::since("3.2"), msl::uniform, msl::fence, msl::stage(kernel, fragment, mesh, object), msl::across("simdgroup")]]
void simdgroup_barrier(mem_flags flags, thread_scope scope);

/// The barrier of the same name, which orders memory as an acquire, a release or both.
///
/// - `order`: a constant.
/// - `options`: the set of threads that see the order.
template <typename... Options>
[[msl::since("4.1"), msl::uniform, msl::fence, msl::constant(order), msl::stage(kernel, fragment, mesh, object), msl::across("threadgroup")]]
void threadgroup_barrier(mem_flags flags, memory_order order, Options... options);
template <typename... Options>
[[msl::since("4.1"), msl::uniform, msl::fence, msl::constant(order), msl::stage(kernel, fragment, mesh, object), msl::across("simdgroup")]]
void simdgroup_barrier(mem_flags flags, memory_order order, Options... options);

} // namespace metal
