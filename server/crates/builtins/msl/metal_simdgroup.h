//! `<metal_simdgroup>`: functions by which the threads of one SIMD-group exchange and combine values.
//!
//! A SIMD-group is the set of threads of a threadgroup that run in step; `[[threads_per_simdgroup]]` is their number.
//! A thread is *active* if it executes the call; inactive threads take no part, and a value read from one is undefined.
//! In this file the *lane* of a thread is its index in the SIMD-group, which runs from 0 to the number of threads in the group minus one (`[[thread_index_in_simdgroup]]`).

namespace metal {

#define __msl_simd_types chars, uchars, shorts, ushorts, ints, uints, halfs, floats
#define __msl_simd_integers chars, uchars, shorts, ushorts, ints, uints

/// One bit for each thread of a SIMD-group: bit `i` belongs to the thread of lane `i`.
///
/// If a SIMD-group has fewer than 64 threads, the bits above are undefined.
struct [[msl::since("ios 2.2, macos 2.1")]] simd_vote {
    /// The unsigned integer that holds the bits.
    using vote_t = uint64_t;

    /// Makes a vote of the bits of `v`.
    explicit constexpr simd_vote(vote_t v = 0);

    /// The bits as an integer.
    explicit constexpr operator vote_t() const;

    /// Whether the bits of all threads of the SIMD-group are set, active or not.
    bool all() const;

    /// Whether the bit of at least one thread of the SIMD-group is set.
    bool any() const;
};

/// Returns `data` of the thread of lane `broadcast_lane_id` to all threads of the SIMD-group.
///
/// - `broadcast_lane_id`: a lane of the SIMD-group, the same in all its threads.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.0"), msl::uniform(broadcast_lane_id), msl::across("simdgroup", same)]]
T simd_broadcast(T data, ushort broadcast_lane_id);

/// Returns `data` of the first active thread, the one with the lowest lane, to all active threads.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.1"), msl::across("simdgroup", same)]]
T simd_broadcast_first(T data);

/// Returns `data` of the thread of lane `simd_lane_id`.
///
/// - `simd_lane_id`: a lane of the SIMD-group; it may differ from thread to thread.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.0"), msl::across("simdgroup")]]
T simd_shuffle(T data, ushort simd_lane_id);

/// Returns `data` of the thread whose lane is `delta` higher.
///
/// Nothing wraps around: the upper `delta` lanes keep their own value.
///
/// - `delta`: the distance in lanes, the same in all threads of the SIMD-group.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.0"), msl::uniform(delta), msl::across("simdgroup")]]
T simd_shuffle_down(T data, ushort delta);

/// Returns `data` of the thread whose lane is `delta` lower.
///
/// Nothing wraps around: the lower `delta` lanes keep their own value.
///
/// - `delta`: the distance in lanes, the same in all threads of the SIMD-group.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.0"), msl::uniform(delta), msl::across("simdgroup")]]
T simd_shuffle_up(T data, ushort delta);

/// Returns `data` of the thread whose lane is the caller's lane XOR `mask`.
///
/// Pairs of threads exchange values; this is the step of a butterfly reduction.
///
/// - `mask`: the same in all threads of the SIMD-group.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.0"), msl::uniform(mask), msl::across("simdgroup")]]
T simd_shuffle_xor(T data, ushort mask);

/// Returns `data` of the thread whose lane is `delta` higher, wrapping around at the end of the SIMD-group.
///
/// - `delta`: the distance in lanes, the same in all threads of the SIMD-group.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.1"), msl::uniform(delta), msl::across("simdgroup")]]
T simd_shuffle_rotate_down(T data, ushort delta);

/// Returns `data` of the thread whose lane is `delta` lower, wrapping around at the start of the SIMD-group.
///
/// - `delta`: the distance in lanes, the same in all threads of the SIMD-group.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.2, macos 2.1"), msl::uniform(delta), msl::across("simdgroup")]]
T simd_shuffle_rotate_up(T data, ushort delta);

/// Returns `data` of the thread whose lane is `delta` higher, or `filling_data` where there is no such lane.
///
/// The upper `delta` lanes receive `filling_data` of the lower `delta` lanes.
///
/// - `delta`: the distance in lanes, the same in all threads of the SIMD-group.
/// - `modulo`: splits the SIMD-group into vectors of this many lanes, each shifted on its own; a constant, one of 2, 4, 8, 16 and 32.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("2.4"), msl::uniform(delta), msl::across("simdgroup")]]
T simd_shuffle_and_fill_down(T data, T filling_data, ushort delta);
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("2.4"), msl::uniform(delta), msl::constant(modulo), msl::across("simdgroup")]]
T simd_shuffle_and_fill_down(T data, T filling_data, ushort delta, ushort modulo);

/// Returns `data` of the thread whose lane is `delta` lower, or `filling_data` where there is no such lane.
///
/// The lower `delta` lanes receive `filling_data` of the upper `delta` lanes.
///
/// - `delta`: the distance in lanes, the same in all threads of the SIMD-group.
/// - `modulo`: splits the SIMD-group into vectors of this many lanes, each shifted on its own; a constant, one of 2, 4, 8, 16 and 32.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("2.4"), msl::uniform(delta), msl::across("simdgroup")]]
T simd_shuffle_and_fill_up(T data, T filling_data, ushort delta);
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("2.4"), msl::uniform(delta), msl::constant(modulo), msl::across("simdgroup")]]
T simd_shuffle_and_fill_up(T data, T filling_data, ushort delta, ushort modulo);

/// Returns one bit for each thread: set where `expr` is true and the thread is active.
[[msl::since("ios 2.2, macos 2.1"), msl::across("simdgroup", same)]]
simd_vote simd_ballot(bool expr);

/// Returns one bit for each thread: set where the thread is active, as `simd_ballot(true)` does.
[[msl::since("ios 2.2, macos 2.1"), msl::across("simdgroup", same)]]
simd_vote simd_active_threads_mask();

/// Whether `expr` is true in all active threads.
[[msl::since("ios 2.2, macos 2.1"), msl::across("simdgroup", same)]]
bool simd_all(bool expr);

/// Whether `expr` is true in at least one active thread.
[[msl::since("ios 2.2, macos 2.1"), msl::across("simdgroup", same)]]
bool simd_any(bool expr);

/// Whether the calling thread is the active thread of the lowest lane.
///
/// It is the usual way to let one thread of a SIMD-group write the result.
[[msl::since("ios 2.2, macos 2.1"), msl::across("simdgroup")]]
bool simd_is_first();

/// Whether the calling thread is a helper thread, which runs only so that its neighbours can compute derivatives.
///
/// Its writes have no effect.
/// Fragment functions only.
[[msl::since("ios 2.3, macos 2.1"), msl::stage(fragment), msl::across("simdgroup")]]
bool simd_is_helper_thread();

/// The sum of `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_sum(T data);

/// The product of `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_product(T data);

/// The smallest `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_min(T data);

/// The largest `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_max(T data);

/// The bitwise AND of `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_integers), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_and(T data);

/// The bitwise OR of `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_integers), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_or(T data);

/// The bitwise exclusive OR of `data` over all active threads of the SIMD-group, returned to each of them.
///
/// Vectors are combined component by component.
template <typename T> [[msl::each(T, __msl_simd_integers), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup", same)]]
T simd_xor(T data);

/// The sum of `data` over the active threads of lower lanes.
///
/// The first active thread receives 0.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup")]]
T simd_prefix_exclusive_sum(T data);

/// The sum of `data` over the active threads of lower lanes and the calling thread.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup")]]
T simd_prefix_inclusive_sum(T data);

/// The product of `data` over the active threads of lower lanes.
///
/// The first active thread receives 1.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup")]]
T simd_prefix_exclusive_product(T data);

/// The product of `data` over the active threads of lower lanes and the calling thread.
template <typename T> [[msl::each(T, __msl_simd_types), msl::since("ios 2.3, macos 2.1"), msl::across("simdgroup")]]
T simd_prefix_inclusive_product(T data);

#undef __msl_simd_types
#undef __msl_simd_integers

} // namespace metal
