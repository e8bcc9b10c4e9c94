//! Questions about types and types made from types, at compile time.

namespace metal {
/// A compile-time constant as a type: `value` is `v`, and an object of the type converts to it.
template <typename T, T v> struct integral_constant {
    /// The constant.
    static constexpr constant T value = v;
    /// The type of the constant.
    using value_type = T;
    /// This type itself.
    using type = integral_constant;
    constexpr operator T() const { return v; }
    constexpr T operator()() const { return v; }
};

/// A truth value as a type.
template <bool B> using bool_constant = integral_constant<bool, B>;

/// The truth values as types.
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

/// `type` is `T`, but only if `B` is true: removes an overload from consideration where it is not.
template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> {
    using type = T;
};
template <bool B, typename T = void> using enable_if_t = typename enable_if<B, T>::type;

/// `type` is `T` if `B` is true, else `F`.
template <bool B, typename T, typename F> struct conditional {
    using type = T;
};
template <typename T, typename F> struct conditional<false, T, F> {
    using type = F;
};
template <bool B, typename T, typename F> using conditional_t = typename conditional<B, T, F>::type;

/// The logical *and* of traits: the first whose `value` is false, else the last. Later ones are not instantiated.
template <typename... T> struct conjunction : true_type {};
template <typename T> struct conjunction<T> : T {};
template <typename T, typename... U>
struct conjunction<T, U...> : conditional_t<bool(T::value), conjunction<U...>, T> {};
template <typename... T> constexpr constant bool conjunction_v = conjunction<T...>::value;

/// The logical *or* of traits: the first whose `value` is true, else the last. Later ones are not instantiated.
template <typename... T> struct disjunction : false_type {};
template <typename T> struct disjunction<T> : T {};
template <typename T, typename... U>
struct disjunction<T, U...> : conditional_t<bool(T::value), T, disjunction<U...>> {};
template <typename... T> constexpr constant bool disjunction_v = disjunction<T...>::value;

/// The names of `conjunction` and `disjunction` that programs use behind `#pragma METAL internals : enable`.
template <typename... T> using _conjunction [[msl::internal]] = conjunction<T...>;
template <typename... T> using _disjunction [[msl::internal]] = disjunction<T...>;

/// Whether two types are the same, qualifiers and address spaces included.
template <typename U, typename V> struct is_same : bool_constant<__is_same(U, V)> {};
template <typename U, typename V> constexpr constant bool is_same_v = is_same<U, V>::value;

/// Whether a value of type `U` converts implicitly to `V`.
template <typename U, typename V> struct is_convertible : bool_constant<__is_convertible(U, V)> {};
template <typename U, typename V> constexpr constant bool is_convertible_v = is_convertible<U, V>::value;

/// Whether `T` is `bool` or a scalar integer type. Vectors are not.
template <typename T> struct is_integral : bool_constant<__is_integral(T)> {};
template <typename T> constexpr constant bool is_integral_v = is_integral<T>::value;

/// Whether `T` is a scalar floating-point type: `half`, `bfloat`, `float`. Vectors are not.
template <typename T> struct is_floating_point : bool_constant<__is_floating_point(T)> {};
template <typename T> constexpr constant bool is_floating_point_v = is_floating_point<T>::value;

/// Whether `T` is a scalar integer or floating-point type.
template <typename T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <typename T> constexpr constant bool is_arithmetic_v = is_arithmetic<T>::value;

/// Whether `T` is an arithmetic, enumeration or pointer type.
template <typename T> struct is_scalar : bool_constant<__is_scalar(T)> {};
template <typename T> constexpr constant bool is_scalar_v = is_scalar<T>::value;

/// Whether `T` is a vector of 2, 3 or 4 components.
template <typename T> struct is_vector : bool_constant<__is_vector(T)> {};
template <typename T> constexpr constant bool is_vector_v = is_vector<T>::value;

/// Whether `T` is an arithmetic type with a sign.
template <typename T> struct is_signed : bool_constant<__is_signed(T)> {};
template <typename T> constexpr constant bool is_signed_v = is_signed<T>::value;

/// Whether `T` is an arithmetic type without a sign.
template <typename T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <typename T> constexpr constant bool is_unsigned_v = is_unsigned<T>::value;

/// Whether `T` is an enumeration.
template <typename T> struct is_enum : bool_constant<__is_enum(T)> {};
template <typename T> constexpr constant bool is_enum_v = is_enum<T>::value;

/// Whether `T` is a structure or class, not a union.
template <typename T> struct is_class : bool_constant<__is_class(T)> {};
template <typename T> constexpr constant bool is_class_v = is_class<T>::value;

/// Whether `T` is a function type.
template <typename T> struct is_function : bool_constant<__is_function(T)> {};
template <typename T> constexpr constant bool is_function_v = is_function<T>::value;

/// Whether `T` is a pointer, whatever its address space.
template <typename T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template <typename T> constexpr constant bool is_pointer_v = is_pointer<T>::value;

/// Whether `T` is an lvalue reference, whatever its address space.
template <typename T> struct is_lvalue_reference : bool_constant<__is_lvalue_reference(T)> {};
template <typename T> constexpr constant bool is_lvalue_reference_v = is_lvalue_reference<T>::value;

/// Whether `T` is `const` itself; a pointer to `const` is not.
template <typename T> struct is_const : bool_constant<__is_const(T)> {};
template <typename T> constexpr constant bool is_const_v = is_const<T>::value;

/// Whether `T` is `volatile` itself.
template <typename T> struct [[msl::since("4.0")]] is_volatile : bool_constant<__is_volatile(T)> {};
template <typename T> [[msl::since("4.0")]] constexpr constant bool is_volatile_v = is_volatile<T>::value;

/// Whether `T` is a built-in array type; `metal::array` is a class.
template <typename T> struct [[msl::since("4.0")]] is_array : bool_constant<__is_array(T)> {};
template <typename T> [[msl::since("4.0")]] constexpr constant bool is_array_v = is_array<T>::value;

/// Whether `T` is an abstract class. Metal has no virtual functions, so none is.
template <typename T> struct [[msl::since("4.0")]] is_abstract : bool_constant<__is_abstract(T)> {};
template <typename T> [[msl::since("4.0")]] constexpr constant bool is_abstract_v = is_abstract<T>::value;

/// Whether a `T` can be made from arguments of these types.
template <typename T, typename... Args> struct [[msl::since("4.0")]] is_constructible : bool_constant<__is_constructible(T, Args...)> {};
template <typename T, typename... Args> [[msl::since("4.0")]] constexpr constant bool is_constructible_v = is_constructible<T, Args...>::value;

/// Whether a `T` can be made without arguments.
template <typename T> struct [[msl::since("4.0")]] is_default_constructible : bool_constant<__is_constructible(T)> {};
template <typename T> [[msl::since("4.0")]] constexpr constant bool is_default_constructible_v = is_default_constructible<T>::value;

/// The same as `is_constructible`: Metal has no exceptions.
template <typename T, typename... Args> struct [[msl::since("4.0")]] is_nothrow_constructible : bool_constant<__is_constructible(T, Args...)> {};
template <typename T, typename... Args> [[msl::since("4.0")]] constexpr constant bool is_nothrow_constructible_v = is_nothrow_constructible<T, Args...>::value;

/// Whether `T` is a pointer or reference that an entry point can take as a buffer.
template <typename T> struct is_metal_buffer : bool_constant<__is_metal_buffer(T)> {};
template <typename T> constexpr constant bool is_metal_buffer_v = is_metal_buffer<T>::value;

/// Whether a buffer of an entry point can hold objects of type `T`.
template <typename T> struct is_metal_buffer_pointee : bool_constant<__is_metal_buffer_pointee(T)> {};
template <typename T> constexpr constant bool is_metal_buffer_pointee_v = is_metal_buffer_pointee<T>::value;

/// `T` without its outermost `const`.
template <typename T> struct remove_const { using type = T; };
template <typename T> struct remove_const<const T> { using type = T; };
template <typename T> using remove_const_t = typename remove_const<T>::type;

/// `T` without its outermost `volatile`.
template <typename T> struct remove_volatile { using type = T; };
template <typename T> struct remove_volatile<volatile T> { using type = T; };
template <typename T> using remove_volatile_t = typename remove_volatile<T>::type;

/// `T` without its outermost `const` and `volatile`.
template <typename T> struct remove_cv { using type = remove_volatile_t<remove_const_t<T>>; };
template <typename T> using remove_cv_t = typename remove_cv<T>::type;

/// `T` without its address space: `float` for `device float`.
template <typename T> struct remove_addrspace { using type = T; };
template <typename T> struct remove_addrspace<thread T> { using type = T; };
template <typename T> struct remove_addrspace<device T> { using type = T; };
template <typename T> struct remove_addrspace<constant T> { using type = T; };
template <typename T> struct remove_addrspace<threadgroup T> { using type = T; };
template <typename T> struct [[msl::since("ios 2.0, macos 2.3")]] remove_addrspace<threadgroup_imageblock T> { using type = T; };
template <typename T> struct [[msl::since("2.3")]] remove_addrspace<ray_data T> { using type = T; };
template <typename T> struct [[msl::since("3.0")]] remove_addrspace<object_data T> { using type = T; };
template <typename T> using remove_addrspace_t = typename remove_addrspace<T>::type;

/// `T` without `coherent`.
template <typename T> struct [[msl::since("3.2")]] remove_coherent { using type = T; };
template <typename T> struct [[msl::since("3.2")]] remove_coherent<coherent device T> { using type = T; };
template <typename T> using remove_coherent_t [[msl::since("3.2")]] = typename remove_coherent<T>::type;

/// What `T` points to, with the address space: `device float` for `device float *`. Other types stay.
template <typename T> struct remove_pointer { using type = T; };
template <typename T> struct remove_pointer<thread T *> { using type = thread T; };
template <typename T> struct remove_pointer<device T *> { using type = device T; };
template <typename T> struct remove_pointer<constant T *> { using type = constant T; };
template <typename T> struct remove_pointer<threadgroup T *> { using type = threadgroup T; };
template <typename T> struct [[msl::since("ios 2.0, macos 2.3")]] remove_pointer<threadgroup_imageblock T *> { using type = threadgroup_imageblock T; };
template <typename T> struct [[msl::since("2.3")]] remove_pointer<ray_data T *> { using type = ray_data T; };
template <typename T> struct [[msl::since("3.0")]] remove_pointer<object_data T *> { using type = object_data T; };
template <typename T> struct [[msl::since("4.1")]] remove_pointer<T *> { using type = T; };
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;

/// What `T` refers to, with the address space: `device float` for `device float &`. Other types stay.
template <typename T> struct remove_reference { using type = T; };
template <typename T> struct remove_reference<thread T &> { using type = thread T; };
template <typename T> struct remove_reference<device T &> { using type = device T; };
template <typename T> struct remove_reference<constant T &> { using type = constant T; };
template <typename T> struct remove_reference<threadgroup T &> { using type = threadgroup T; };
template <typename T> struct [[msl::since("ios 2.0, macos 2.3")]] remove_reference<threadgroup_imageblock T &> { using type = threadgroup_imageblock T; };
template <typename T> struct [[msl::since("2.3")]] remove_reference<ray_data T &> { using type = ray_data T; };
template <typename T> struct [[msl::since("3.0")]] remove_reference<object_data T &> { using type = object_data T; };
template <typename T> struct [[msl::since("4.1")]] remove_reference<T &> { using type = T; };
template <typename T> struct remove_reference<thread T &&> { using type = thread T; };
template <typename T> using remove_reference_t = typename remove_reference<T>::type;

/// The element type of an array, else `T`.
template <typename T> struct [[msl::since("4.0")]] remove_extent { using type = T; };
template <typename T> struct [[msl::since("4.0")]] remove_extent<T[]> { using type = T; };
template <typename T, unsigned long N> struct [[msl::since("4.0")]] remove_extent<T[N]> { using type = T; };
template <typename T> using remove_extent_t [[msl::since("4.0")]] = typename remove_extent<T>::type;

/// `const T`.
template <typename T> struct [[msl::since("4.0")]] add_const { using type = const T; };
template <typename T> using add_const_t [[msl::since("4.0")]] = typename add_const<T>::type;

/// A pointer to `T`, into the address space that `T` has, else into `thread`.
template <typename T> struct [[msl::since("4.0")]] add_pointer { using type = thread T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<thread T> { using type = thread T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<device T> { using type = device T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<constant T> { using type = constant T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<threadgroup T> { using type = threadgroup T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<threadgroup_imageblock T> { using type = threadgroup_imageblock T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<ray_data T> { using type = ray_data T *; };
template <typename T> struct [[msl::since("4.0")]] add_pointer<object_data T> { using type = object_data T *; };
template <typename T> using add_pointer_t [[msl::since("4.0")]] = typename add_pointer<T>::type;

/// The type that a parameter declared as `T` has: arrays become pointers, qualifiers and references are dropped.
template <typename T> struct [[msl::since("4.0")]] decay {
    using __u = remove_reference_t<T>;
    using type = conditional_t<is_array<__u>::value, add_pointer_t<remove_extent_t<__u>>, remove_cv_t<__u>>;
};
template <typename T> using decay_t [[msl::since("4.0")]] = typename decay<T>::type;

/// A value of type `T` for use in `decltype` and `sizeof` only.
template <typename T> [[msl::internal]] T __msl_value_of();

/// The type to which all of the types convert, as the operator `?:` finds it.
template <typename... T> struct [[msl::since("4.0")]] common_type;
template <typename T> struct [[msl::since("4.0")]] common_type<T> { using type = decay_t<T>; };
template <typename T, typename U> struct [[msl::since("4.0")]] common_type<T, U> {
    using type = decay_t<decltype(true ? __msl_value_of<T>() : __msl_value_of<U>())>;
};
template <typename T, typename U, typename... V>
struct [[msl::since("4.0")]] common_type<T, U, V...> {
    using type = typename common_type<typename common_type<T, U>::type, V...>::type;
};
template <typename... T> using common_type_t [[msl::since("4.0")]] = typename common_type<T...>::type;

/// The signed integer type, or vector of it, of the same size as `T`.
template <typename T> struct make_signed { using type = __signed_of<T>; };
template <typename T> using make_signed_t = typename make_signed<T>::type;

/// The unsigned integer type, or vector of it, of the same size as `T`.
template <typename T> struct make_unsigned { using type = __unsigned_of<T>; };
template <typename T> using make_unsigned_t = typename make_unsigned<T>::type;

/// The type of the components of a vector; `T` itself for a scalar.
template <typename T> struct make_scalar { using type = __scalar_of<T>; };
template <typename T> using make_scalar_t = typename make_scalar<T>::type;

/// The number of components of a vector; 1 for a scalar.
template <typename T> struct vec_elements : integral_constant<int, 1> {};
template <typename T, int N> struct vec_elements<vec<T, N>> : integral_constant<int, N> {};

/// The integer type in which an enumeration is stored.
template <typename T> struct underlying_type { using type = __underlying_type(T); };
template <typename T> using underlying_type_t = typename underlying_type<T>::type;

/// `t` as a reference to `const`.
template <typename T> [[msl::since("4.0")]] thread add_const_t<T> &as_const(thread T &t);
} // namespace metal
