//! The type of a braced list of values.

namespace metal {
/// The values of a braced list, for constructors and functions that take any number of them.
/// The values live as long as the list that they were written in.
template <typename T> struct initializer_list {
    /// The type of the values.
    using value_type = T;
    /// A reference to a value; values cannot be changed.
    using reference = const thread T &;
    using const_reference = const thread T &;
    /// The type of the number of values.
    using size_type = size_t;
    /// Points to a value.
    using iterator = const thread T *;
    using const_iterator = const thread T *;
    /// An empty list.
    constexpr initializer_list();
    /// The number of values.
    size_type size() const;
    /// The first value.
    const_iterator begin() const;
    /// Behind the last value.
    const_iterator end() const;
};
} // namespace metal
