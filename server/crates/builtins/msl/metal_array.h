//! `<metal_array>`: arrays of a fixed size as values, also of textures, texture buffers and samplers.
//!
//! `array<texture2d<float>, 8>` is how an entry point or an argument buffer takes several textures at once
//! (MSL spec §2.12.1).

namespace [[msl::since("ios 1.2, macos 2.0")]] metal {

/// `N` elements of type `T`, as a value that can be copied, passed and returned.
///
/// As a parameter of an entry point with `[[texture(n)]]` or `[[sampler(n)]]` it takes `N` consecutive slots.
///
/// - `T`: any type; a texture, texture buffer or sampler for an array of resources.
/// - `N`: the number of elements.
template <typename T, size_t N>
struct array {
    /// The elements; use `operator[]`.
    [[msl::internal]] T __elements[N];

    /// The number of elements.
    constexpr size_t size() const { return N; }

    /// The number of elements.
    constexpr size_t max_size() const { return N; }

    /// Whether there are no elements.
    constexpr bool empty() const { return N == 0; }

#define __msl_array_access(space)                                                                                      \
    constexpr space T& operator[](size_t pos) space;                                                                   \
    constexpr const space T& operator[](size_t pos) const space;                                                       \
    constexpr space T& front() space;                                                                                  \
    constexpr const space T& front() const space;                                                                      \
    constexpr space T& back() space;                                                                                   \
    constexpr const space T& back() const space;                                                                       \
    constexpr space T* data() space;                                                                                   \
    constexpr const space T* data() const space;

    /// The element at `pos` (`operator[]`), the first (`front`), the last (`back`), or a pointer to the first (`data`).
    /// The result refers to the memory in which the array lies; for an array behind a generic reference it is generic (4.1).
    ///
    /// - `pos`: below `size()`.
    __msl_array_access(thread)
    __msl_array_access(device)
    __msl_array_access(threadgroup)
    __msl_array_access(threadgroup_imageblock)
    __msl_array_access(ray_data)
    __msl_array_access(object_data)
    constexpr const constant T& operator[](size_t pos) const constant;
    constexpr const constant T& front() const constant;
    constexpr const constant T& back() const constant;
    constexpr const constant T* data() const constant;
    [[msl::since("4.1")]] constexpr T& operator[](size_t pos);
    [[msl::since("4.1")]] constexpr const T& operator[](size_t pos) const;
    [[msl::since("4.1")]] constexpr T& front();
    [[msl::since("4.1")]] constexpr const T& front() const;
    [[msl::since("4.1")]] constexpr T& back();
    [[msl::since("4.1")]] constexpr const T& back() const;
    [[msl::since("4.1")]] constexpr T* data();
    [[msl::since("4.1")]] constexpr const T* data() const;

#undef __msl_array_access
};

/// Deduces the element type and the number of elements from the initialiser: `array a = {1, 2, 3};` (4.0).
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;

/// A read-only view of consecutive elements that something else owns.
///
/// It lets a function take arrays of textures or samplers of any length.
/// It cannot be a parameter of an entry point or a local variable.
template <typename T>
struct array_ref {
    /// A view of nothing.
    constexpr array_ref();

    /// A view of one element, of `size` elements from `data` on, or of all elements of an array.
    constexpr array_ref(const thread T& elt);
    constexpr array_ref(const device T& elt);
    constexpr array_ref(const constant T& elt);
    constexpr array_ref(const threadgroup T& elt);
    constexpr array_ref(const thread T* data, size_t size);
    constexpr array_ref(const device T* data, size_t size);
    constexpr array_ref(const constant T* data, size_t size);
    constexpr array_ref(const threadgroup T* data, size_t size);
    template <size_t N> constexpr array_ref(const thread T (&data)[N]);
    template <size_t N> constexpr array_ref(const device T (&data)[N]);
    template <size_t N> constexpr array_ref(const constant T (&data)[N]);
    template <size_t N> constexpr array_ref(const threadgroup T (&data)[N]);
    template <size_t N> constexpr array_ref(const thread array<T, N>& data);
    template <size_t N> constexpr array_ref(const device array<T, N>& data);
    template <size_t N> constexpr array_ref(const constant array<T, N>& data);
    template <size_t N> constexpr array_ref(const threadgroup array<T, N>& data);

    /// The number of elements.
    constexpr size_t size() const;

    /// Whether there are no elements.
    constexpr bool empty() const;

    /// The element at `pos`, which is below `size()`.
    constexpr T operator[](size_t pos) const;

    /// The first element.
    constexpr T front() const;

    /// The last element.
    constexpr T back() const;

    /// A pointer to the first element.
    constexpr const T* data() const;
};

#define __msl_make_array_ref(space)                                                                                    \
    template <typename T> constexpr array_ref<T> make_array_ref(const space T& elt);                                   \
    template <typename T> constexpr array_ref<T> make_array_ref(const space T* data, size_t size);                     \
    template <typename T, size_t N> constexpr array_ref<T> make_array_ref(const space T (&data)[N]);                   \
    template <typename T, size_t N> constexpr array_ref<T> make_array_ref(const space array<T, N>& data);

/// Makes a view of one element, of `size` elements from `data` on, or of all elements of an array.
__msl_make_array_ref(thread)
__msl_make_array_ref(device)
__msl_make_array_ref(constant)
__msl_make_array_ref(threadgroup)

#undef __msl_make_array_ref

} // namespace metal
