//! `<metal_atomic>`: atomic types and the functions that read, write and modify them as one step.
//!
//! An atomic object lives in `device` or `threadgroup` memory and is reached through a pointer or reference;
//! it cannot be copied, assigned or declared in thread memory (MSL spec §2.6, §6.15).
//! The functions come in one form for each space and value type, because a pointer to one space never converts
//! to a pointer to another.

namespace metal {

enum class mem_flags;

/// An object of type `T` that threads may read and modify without data races.
///
/// `T` is `int`, `uint` (1.0), `bool`, `ulong` (2.4) or `float` (3.0).
/// `ulong` and `float` atomics live in `device` memory only.
/// Use the `atomic_*_explicit` functions on a pointer to it; it has no operators and cannot be copied.
template <typename T>
struct [[msl::since("2.4"), msl::opaque, msl::no_copy]] atomic {
    static_assert(
        __is_same(T, int) || __is_same(T, uint) || __is_same(T, bool) || __is_same(T, ulong) || __is_same(T, float),
        "an atomic object holds an int, uint, bool, ulong or float");
};

/// The name of `atomic` in older versions; atomic_int is `_atomic<int>` there.
template <typename T> using _atomic [[msl::internal]] = atomic<T>;

/// Atomic `int`: loads, stores, exchanges and all `atomic_fetch_*` functions, in `device` and `threadgroup` memory.
using atomic_int = atomic<int>;
/// Atomic `uint`: loads, stores, exchanges and all `atomic_fetch_*` functions, in `device` and `threadgroup` memory.
using atomic_uint = atomic<uint>;
/// Atomic `bool`: loads, stores and exchanges; there is no `atomic_fetch_*` function for it.
using atomic_bool [[msl::since("2.4")]] = atomic<bool>;
/// Atomic `ulong` in `device` memory: only `atomic_min_explicit` and `atomic_max_explicit`.
using atomic_ulong [[msl::since("2.4")]] = atomic<ulong>;
/// Atomic `float` in `device` memory: loads, stores, exchanges, `atomic_fetch_add_explicit` and
/// `atomic_fetch_sub_explicit`.
using atomic_float [[msl::since("3.0")]] = atomic<float>;

/// Stores `desired` into `*object` as one indivisible step.
///
/// - `object`: the atomic object, in `device` or `threadgroup` memory (`atomic_float`: `device` only).
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`. From 4.1 the form with `flags` also takes
///   `memory_order_release`, and `flags` says which memory the order covers.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
void atomic_store_explicit(volatile device atomic<T>* object, T desired, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
void atomic_store_explicit(volatile threadgroup atomic<T>* object, T desired, memory_order order);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
void atomic_store_explicit(volatile device atomic_bool* object, bool desired, memory_order order);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
void atomic_store_explicit(volatile threadgroup atomic_bool* object, bool desired, memory_order order);
[[msl::since("3.0"), msl::order(relaxed), msl::constant(order)]]
void atomic_store_explicit(volatile device atomic_float* object, float desired, memory_order order);

/// Returns the value of `*object` as one indivisible step.
///
/// - `object`: the atomic object, in `device` or `threadgroup` memory (`atomic_float`: `device` only).
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`. From 4.1 the form with `flags` also takes
///   `memory_order_acquire`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_load_explicit(const volatile device atomic<T>* object, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_load_explicit(const volatile threadgroup atomic<T>* object, memory_order order);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
bool atomic_load_explicit(const volatile device atomic_bool* object, memory_order order);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
bool atomic_load_explicit(const volatile threadgroup atomic_bool* object, memory_order order);
[[msl::since("3.0"), msl::order(relaxed), msl::constant(order)]]
float atomic_load_explicit(const volatile device atomic_float* object, memory_order order);

/// Replaces the value of `*object` by `desired` as one indivisible step and returns the value that it had before.
///
/// - `object`: the atomic object, in `device` or `threadgroup` memory (`atomic_float`: `device` only).
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_exchange_explicit(volatile device atomic<T>* object, T desired, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_exchange_explicit(volatile threadgroup atomic<T>* object, T desired, memory_order order);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
bool atomic_exchange_explicit(volatile device atomic_bool* object, bool desired, memory_order order);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
bool atomic_exchange_explicit(volatile threadgroup atomic_bool* object, bool desired, memory_order order);
[[msl::since("3.0"), msl::order(relaxed), msl::constant(order)]]
float atomic_exchange_explicit(volatile device atomic_float* object, float desired, memory_order order);

/// Replaces the value of `*object` by `desired` if it equals `*expected`, as one indivisible step.
///
/// Returns `true` if the value was replaced. Otherwise returns `false` and copies the current value into
/// `*expected`. Values are compared bit by bit. The weak form may fail although the values are equal:
/// call it in a loop.
///
/// - `expected`: a variable of the calling thread; it is read, and written on failure.
/// - `success`, `failure`: the order in either case, constants; up to 4.0 only `memory_order_relaxed`.
template <typename T>
[[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(success), msl::constant(failure)]]
bool atomic_compare_exchange_weak_explicit(
    volatile device atomic<T>* object, thread T* expected, T desired, memory_order success, memory_order failure);
template <typename T>
[[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(success), msl::constant(failure)]]
bool atomic_compare_exchange_weak_explicit(
    volatile threadgroup atomic<T>* object, thread T* expected, T desired, memory_order success, memory_order failure);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(success), msl::constant(failure)]]
bool atomic_compare_exchange_weak_explicit(
    volatile device atomic_bool* object, thread bool* expected, bool desired, memory_order success,
    memory_order failure);
[[msl::since("2.4"), msl::order(relaxed), msl::constant(success), msl::constant(failure)]]
bool atomic_compare_exchange_weak_explicit(
    volatile threadgroup atomic_bool* object, thread bool* expected, bool desired, memory_order success,
    memory_order failure);
[[msl::since("3.0"), msl::order(relaxed), msl::constant(success), msl::constant(failure)]]
bool atomic_compare_exchange_weak_explicit(
    volatile device atomic_float* object, thread float* expected, float desired, memory_order success,
    memory_order failure);

/// Adds `operand` to `*object` as one indivisible step and returns the value that it had before.
///
/// Integers wrap around on overflow.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory; from 3.0 also `atomic_float` in
///   `device` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`. From 4.1 the form with `flags` takes every order.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_add_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_add_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);
[[msl::since("3.0"), msl::order(relaxed), msl::constant(order)]]
float atomic_fetch_add_explicit(volatile device atomic_float* object, float operand, memory_order order);

/// Subtracts `operand` from `*object` as one indivisible step and returns the value that it had before.
///
/// Integers wrap around on overflow.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory; from 3.0 also `atomic_float` in
///   `device` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_sub_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_sub_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);
[[msl::since("3.0"), msl::order(relaxed), msl::constant(order)]]
float atomic_fetch_sub_explicit(volatile device atomic_float* object, float operand, memory_order order);

/// Combines `*object` with `operand` by bitwise AND as one indivisible step and returns the value that it had before.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_and_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_and_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);

/// Combines `*object` with `operand` by bitwise OR as one indivisible step and returns the value that it had before.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_or_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_or_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);

/// Combines `*object` with `operand` by bitwise exclusive OR as one indivisible step and returns the value that it
/// had before.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_xor_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_xor_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);

/// Replaces `*object` by the smaller of its value and `operand` as one indivisible step and returns the value that
/// it had before.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_min_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_min_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);

/// Replaces `*object` by the larger of its value and `operand` as one indivisible step and returns the value that
/// it had before.
///
/// - `object`: an `int` or `uint` atomic in `device` or `threadgroup` memory.
/// - `order`: a constant; up to 4.0 only `memory_order_relaxed`.
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_max_explicit(volatile device atomic<T>* object, T operand, memory_order order);
template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::order(relaxed), msl::constant(order)]]
T atomic_fetch_max_explicit(volatile threadgroup atomic<T>* object, T operand, memory_order order);

/// Replaces the 64-bit `*object` by the smaller of its value and `operand` as one indivisible step.
///
/// Nothing is returned: the hardware does not deliver the previous value.
///
/// - `object`: an `atomic_ulong` in `device` memory. A generic pointer has to be cast to `device` first.
/// - `order`: only `memory_order_relaxed`.
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
void atomic_min_explicit(volatile device atomic_ulong* object, ulong operand, memory_order order);

/// Replaces the 64-bit `*object` by the larger of its value and `operand` as one indivisible step.
///
/// Nothing is returned: the hardware does not deliver the previous value.
///
/// - `object`: an `atomic_ulong` in `device` memory. A generic pointer has to be cast to `device` first.
/// - `order`: only `memory_order_relaxed`.
[[msl::since("2.4"), msl::order(relaxed), msl::constant(order)]]
void atomic_max_explicit(volatile device atomic_ulong* object, ulong operand, memory_order order);

// The same operations on memory that is coherent across the device.

#define __msl_atomics(space, version)                                                                                  \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since(version),                   \
        msl::order(relaxed)]]                                                                                          \
    void atomic_store_explicit(volatile space atomic<T>* object, T desired, memory_order order);                       \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since(version),                   \
        msl::order(relaxed)]]                                                                                          \
    T atomic_load_explicit(const volatile space atomic<T>* object, memory_order order);                                \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since(version),                   \
        msl::order(relaxed)]]                                                                                          \
    T atomic_exchange_explicit(volatile space atomic<T>* object, T desired, memory_order order);                       \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since(version),                   \
        msl::order(relaxed)]]                                                                                          \
    bool atomic_compare_exchange_weak_explicit(volatile space atomic<T>* object, thread T* expected, T desired,        \
        memory_order success, memory_order failure);                                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_add_explicit(volatile space atomic<T>* object, T operand, memory_order order);                      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_sub_explicit(volatile space atomic<T>* object, T operand, memory_order order);                      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_and_explicit(volatile space atomic<T>* object, T operand, memory_order order);                      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_or_explicit(volatile space atomic<T>* object, T operand, memory_order order);                       \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_xor_explicit(volatile space atomic<T>* object, T operand, memory_order order);                      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_min_explicit(volatile space atomic<T>* object, T operand, memory_order order);                      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since(version), msl::order(relaxed)]]          \
    T atomic_fetch_max_explicit(volatile space atomic<T>* object, T operand, memory_order order);
#define __msl_float_atomics(space, version)                                                                            \
    [[msl::since(version), msl::order(relaxed)]]                                                                       \
    void atomic_store_explicit(volatile space atomic_float* object, float desired, memory_order order);                \
    [[msl::since(version), msl::order(relaxed)]]                                                                       \
    float atomic_load_explicit(const volatile space atomic_float* object, memory_order order);                         \
    [[msl::since(version), msl::order(relaxed)]]                                                                       \
    float atomic_exchange_explicit(volatile space atomic_float* object, float desired, memory_order order);            \
    [[msl::since(version), msl::order(relaxed)]]                                                                       \
    bool atomic_compare_exchange_weak_explicit(volatile space atomic_float* object, thread float* expected,            \
        float desired, memory_order success, memory_order failure);                                                    \
    [[msl::since(version), msl::order(relaxed)]]                                                                       \
    float atomic_fetch_add_explicit(volatile space atomic_float* object, float operand, memory_order order);           \
    [[msl::since(version), msl::order(relaxed)]]                                                                       \
    float atomic_fetch_sub_explicit(volatile space atomic_float* object, float operand, memory_order order);

/// The operation of the same name on memory that is coherent across the whole device.
__msl_atomics(coherent(device) device, "3.2")
__msl_float_atomics(coherent(device) device, "3.2")
[[msl::since("3.2"), msl::order(relaxed)]]
void atomic_min_explicit(volatile coherent(device) device atomic_ulong* object, ulong operand, memory_order order);
[[msl::since("3.2"), msl::order(relaxed)]]
void atomic_max_explicit(volatile coherent(device) device atomic_ulong* object, ulong operand, memory_order order);

/// The operation of the same name through a generic pointer.
__msl_atomics(, "4.1")
__msl_float_atomics(, "4.1")

#undef __msl_atomics
#undef __msl_float_atomics

// From 4.1 the acquire and release orders exist; they need the form that says which memory is ordered.

#define __msl_ordered_atomics(space)                                                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since("4.1")]]                    \
    void atomic_store_explicit(volatile space atomic<T>* object, T desired, memory_order order, mem_flags flags);      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since("4.1")]]                    \
    T atomic_load_explicit(const volatile space atomic<T>* object, memory_order order, mem_flags flags);               \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since("4.1")]]                    \
    T atomic_exchange_explicit(volatile space atomic<T>* object, T desired, memory_order order, mem_flags flags);      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar, bool_scalar), msl::since("4.1")]]                    \
    bool atomic_compare_exchange_weak_explicit(volatile space atomic<T>* object, thread T* expected, T desired,        \
        memory_order success, memory_order failure, mem_flags flags);                                                  \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_add_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);     \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_sub_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);     \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_and_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);     \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_or_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);      \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_xor_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);     \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_min_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);     \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("4.1")]]                                 \
    T atomic_fetch_max_explicit(volatile space atomic<T>* object, T operand, memory_order order, mem_flags flags);
#define __msl_ordered_float_atomics(space)                                                                             \
    [[msl::since("4.1")]]                                                                                              \
    void atomic_store_explicit(volatile space atomic_float* object, float desired, memory_order order,                 \
        mem_flags flags);                                                                                              \
    [[msl::since("4.1")]]                                                                                              \
    float atomic_load_explicit(const volatile space atomic_float* object, memory_order order, mem_flags flags);        \
    [[msl::since("4.1")]]                                                                                              \
    float atomic_exchange_explicit(volatile space atomic_float* object, float desired, memory_order order,             \
        mem_flags flags);                                                                                              \
    [[msl::since("4.1")]]                                                                                              \
    bool atomic_compare_exchange_weak_explicit(volatile space atomic_float* object, thread float* expected,            \
        float desired, memory_order success, memory_order failure, mem_flags flags);                                   \
    [[msl::since("4.1")]]                                                                                              \
    float atomic_fetch_add_explicit(volatile space atomic_float* object, float operand, memory_order order,            \
        mem_flags flags);                                                                                              \
    [[msl::since("4.1")]]                                                                                              \
    float atomic_fetch_sub_explicit(volatile space atomic_float* object, float operand, memory_order order,            \
        mem_flags flags);

/// The atomic operation of the same name, which also orders other memory accesses.
///
/// - `order` (or `success` and `failure`): a constant.
///   Stores take `memory_order_relaxed` and `memory_order_release`, loads `memory_order_relaxed` and
///   `memory_order_acquire`, operations that read and write also `memory_order_acq_rel`.
/// - `flags`: the memory whose accesses are ordered, a union of `mem_flags` values.
__msl_ordered_atomics(device)
__msl_ordered_atomics(threadgroup)
__msl_ordered_atomics(coherent(device) device)
__msl_ordered_float_atomics(device)
__msl_ordered_float_atomics(coherent(device) device)
__msl_ordered_atomics()
__msl_ordered_float_atomics()

#undef __msl_ordered_atomics
#undef __msl_ordered_float_atomics

// The names without `_explicit`, which the specification gives to iOS before Metal 3 (MSL spec §6.15.4).

#define __msl_short_atomics(space)                                                                                     \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    void atomic_store(volatile space atomic<T>* object, T desired);                                                    \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_load(const volatile space atomic<T>* object);                                                             \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_exchange(volatile space atomic<T>* object, T desired);                                                    \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    bool atomic_compare_exchange_weak(volatile space atomic<T>* object, thread T* expected, T desired);                \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_add(volatile space atomic<T>* object, T operand);                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_sub(volatile space atomic<T>* object, T operand);                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_and(volatile space atomic<T>* object, T operand);                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_or(volatile space atomic<T>* object, T operand);                                                    \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_xor(volatile space atomic<T>* object, T operand);                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_min(volatile space atomic<T>* object, T operand);                                                   \
    template <typename T> [[msl::each(T, int_scalar, uint_scalar), msl::since("ios 2.0"), msl::until("3.0")]]          \
    T atomic_fetch_max(volatile space atomic<T>* object, T operand);

/// The operation of the name with `_explicit` under `memory_order_relaxed`.
__msl_short_atomics(device)
__msl_short_atomics(threadgroup)

#undef __msl_short_atomics

/// Orders the memory accesses before the fence against those after it, for the threads of `scope`.
///
/// A fence has no effect on which threads run: it is not a barrier.
///
/// - `flags`: the memory that is ordered, a union of `mem_flags` values.
/// - `order`: a constant, `memory_order_seq_cst` (or `memory_order_relaxed`, which does nothing); from 4.1 also the
///   acquire and release orders.
/// - `scope`: the set of threads that see the order.
[[msl::since("3.2"), msl::fence, msl::constant(order), msl::constant(scope)]]
void atomic_thread_fence(mem_flags flags, memory_order order, thread_scope scope = thread_scope_device);

} // namespace metal
