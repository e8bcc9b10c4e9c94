//! Small helpers of generic code: moving, sequences of integers.

namespace metal {
/// `t` as a value that may be moved from.
template <typename T> thread typename remove_reference<T>::type &&move(thread T &&t);

/// A value of type `T` for use inside `decltype` and `sizeof` only; it has no definition.
template <typename T> typename add_rvalue_reference<T>::type declval();

/// A list of integers as a type, to expand a pack of indices from.
template <typename T, T... I> struct integer_sequence {
    /// The type of the integers.
    using value_type = T;
    /// How many there are.
    static constexpr size_t size() { return sizeof...(I); }
};

/// A list of indices as a type.
template <size_t... Ints> using index_sequence [[msl::since("4.0")]] = integer_sequence<size_t, Ints...>;

/// Builds the sequence from its end: each step puts the next smaller number in front.
template <typename T, size_t N, T... I>
struct [[msl::internal]] __sequence_of : __sequence_of<T, N - 1, T(N - 1), I...> {};
template <typename T, T... I> struct [[msl::internal]] __sequence_of<T, 0, I...> {
    using type = integer_sequence<T, I...>;
};

/// The integers from 0 to `N` - 1 as a type.
template <typename T, T N> using make_integer_sequence = typename __sequence_of<T, N>::type;
template <size_t N> using make_index_sequence [[msl::since("4.0")]] = make_integer_sequence<size_t, N>;
} // namespace metal
