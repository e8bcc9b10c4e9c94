//! `<metal_uniform>`: values that are the same in all threads of a draw or dispatch.
//!
//! The type tells the compiler what it cannot always find out, so that it may index resources and branch with scalar
//! instructions (MSL spec §2.14).

namespace [[msl::since("2.0")]] metal {

template <typename T>
struct uniform;

/// Whether `T` is a `uniform` type.
template <typename T> struct is_uniform : false_type {};
template <typename T> struct is_uniform<uniform<T>> : true_type {};
template <typename T> struct is_uniform<const T> : is_uniform<T> {};
template <typename T> struct is_uniform<volatile T> : is_uniform<T> {};
template <typename T> constexpr constant bool is_uniform_v = is_uniform<T>::value;

/// The value type of a `uniform` type, any other type unchanged.
template <typename T> struct remove_uniform {
    using value_type = T;
};
template <typename T> struct remove_uniform<uniform<T>> {
    using value_type = T;
};
template <typename T> struct remove_uniform<const T> {
    using value_type = const typename remove_uniform<T>::value_type;
};
template <typename T> struct remove_uniform<volatile T> {
    using value_type = volatile typename remove_uniform<T>::value_type;
};
template <typename T> using remove_uniform_t = typename remove_uniform<T>::value_type;

/// A value of type `T` that is the same in all threads of the draw or dispatch.
///
/// If it is not the same, behaviour is undefined.
/// It converts implicitly to `T`; an operation on two uniform values is uniform, one that mixes in another value is not.
/// A pointer may point to a uniform value, but a pointer cannot itself be uniform.
///
/// - `T`: an arithmetic scalar or vector type.
template <typename T>
struct uniform {
    static_assert(__is_arithmetic(T) || __is_vector(T), "a uniform value is an arithmetic scalar or vector");

    /// The type of the value.
    using value_type = T;

    /// An unspecified value.
    constexpr uniform();

    /// The value `u`, which has to be the same in all threads.
    template <typename U>
    [[msl::enable_if(__is_convertible(remove_uniform_t<U>, T))]] constexpr uniform(U u);

    /// The value, no longer known to be uniform.
    operator T() const;
};

/// Promises that `x` is the same in all threads of the draw or dispatch.
template <typename T> uniform<T> make_uniform(T x);

#define __msl_uniform_unary(op) \
    template <typename U> uniform<decltype(op U())> operator op(uniform<U> u);
#define __msl_uniform_binary(op) \
    template <typename U, typename V> uniform<decltype(U() op V())> operator op(uniform<U> u, uniform<V> v);
#define __msl_uniform_assign(op, space) \
    template <typename U, typename V> space uniform<U>& operator op(space uniform<U>& u, V v);
#define __msl_uniform_assigns(op) \
    __msl_uniform_assign(op, thread) \
    __msl_uniform_assign(op, device) \
    __msl_uniform_assign(op, threadgroup) \
    __msl_uniform_assign(op, threadgroup_imageblock) \
    __msl_uniform_assign(op, ray_data) \
    __msl_uniform_assign(op, object_data)
#define __msl_uniform_step(op, space) \
    template <typename U> space uniform<U>& operator op(space uniform<U>& u); \
    template <typename U> uniform<U> operator op(space uniform<U>& u, int);
#define __msl_uniform_steps(op) \
    __msl_uniform_step(op, thread) \
    __msl_uniform_step(op, device) \
    __msl_uniform_step(op, threadgroup) \
    __msl_uniform_step(op, threadgroup_imageblock) \
    __msl_uniform_step(op, ray_data) \
    __msl_uniform_step(op, object_data)

/// The operator on the values; the result is uniform because the operands are.
__msl_uniform_unary(+)
__msl_uniform_unary(-)
__msl_uniform_unary(!)
__msl_uniform_unary(~)
__msl_uniform_binary(+)
__msl_uniform_binary(-)
__msl_uniform_binary(*)
__msl_uniform_binary(/)
__msl_uniform_binary(%)
__msl_uniform_binary(&)
__msl_uniform_binary(|)
__msl_uniform_binary(^)
__msl_uniform_binary(<<)
__msl_uniform_binary(>>)
__msl_uniform_binary(&&)
__msl_uniform_binary(||)
__msl_uniform_binary(==)
__msl_uniform_binary(!=)
__msl_uniform_binary(<)
__msl_uniform_binary(>)
__msl_uniform_binary(<=)
__msl_uniform_binary(>=)

/// The assignment operator on the value; `v` has to be uniform.
__msl_uniform_assigns(+=)
__msl_uniform_assigns(-=)
__msl_uniform_assigns(*=)
__msl_uniform_assigns(/=)
__msl_uniform_assigns(%=)
__msl_uniform_assigns(&=)
__msl_uniform_assigns(|=)
__msl_uniform_assigns(^=)
__msl_uniform_assigns(<<=)
__msl_uniform_assigns(>>=)

/// Adds 1 to the value, or subtracts 1.
__msl_uniform_steps(++)
__msl_uniform_steps(--)

#undef __msl_uniform_unary
#undef __msl_uniform_binary
#undef __msl_uniform_assign
#undef __msl_uniform_assigns
#undef __msl_uniform_step
#undef __msl_uniform_steps

} // namespace metal
