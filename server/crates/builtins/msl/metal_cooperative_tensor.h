//! `<metal_cooperative_tensor>`: tensors whose elements are spread over the threads of a group.
//!
//! An operation makes one (`matmul2d::get_destination_cooperative_tensor`) and decides which thread holds what
//! (MSL spec §2.20.3).

namespace [[msl::since("4.0")]] metal {

/// A place in the elements of a cooperative tensor that the calling thread holds.
template <class ElementType>
class [[msl::internal, msl::partial]] __cooperative_tensor_iterator {
public:
    using value_type = ElementType;
    using difference_type = ptrdiff_t;

    /// The element.
    thread ElementType& operator*() const;
    thread ElementType* operator->() const;
    thread ElementType& operator[](difference_type n) const;

    /// The index of the element in each dimension of the tensor.
    template <typename... Args> [[msl::unknown]] void get_multidimensional_index(Args... args) const;

    /// Moves by one or more elements.
    thread __cooperative_tensor_iterator& operator++() thread;
    __cooperative_tensor_iterator operator++(int) thread;
    thread __cooperative_tensor_iterator& operator--() thread;
    __cooperative_tensor_iterator operator--(int) thread;
    thread __cooperative_tensor_iterator& operator+=(difference_type n) thread;
    thread __cooperative_tensor_iterator& operator-=(difference_type n) thread;
    __cooperative_tensor_iterator operator+(difference_type n) const;
    __cooperative_tensor_iterator operator-(difference_type n) const;
    difference_type operator-(__cooperative_tensor_iterator other) const;

    /// Compares places of the same tensor.
    bool operator==(__cooperative_tensor_iterator other) const;
    bool operator!=(__cooperative_tensor_iterator other) const;
    bool operator<(__cooperative_tensor_iterator other) const;
};

/// A tensor whose elements are spread over the threads that work on an operation.
///
/// Each thread reads and writes the elements that it holds, by an index that has no meaning outside.
/// It cannot be a member of a structure.
///
/// - `ElementType`: the type of an element.
/// - `Extents`: the sizes.
/// - `Layout`: which thread holds what.
template <class ElementType, class Extents, class Layout>
class cooperative_tensor {
public:
    /// The type of an element.
    using element_type = ElementType;
    using value_type = ElementType;
    /// The sizes.
    using extents_type = Extents;
    /// Which thread holds what.
    using layout = Layout;
    /// The type of sizes and indices.
    using index_type = typename Extents::index_type;
    /// The unsigned type of the same width.
    using size_type = typename Extents::size_type;
    /// The type of the number of a dimension.
    using rank_type = typename Extents::rank_type;
    /// The type of an index into the elements of the calling thread.
    using thread_index_type = int16_t;
    /// The unsigned type of the same width.
    using thread_size_type = uint16_t;
    /// Ways to refer to an element.
    using reference = thread ElementType&;
    using const_reference = const thread ElementType&;
    using data_handle_type = thread ElementType*;
    using iterator = __cooperative_tensor_iterator<ElementType>;
    using const_iterator = __cooperative_tensor_iterator<const ElementType>;

    /// A tensor with unspecified elements, or a copy.
    cooperative_tensor();
    cooperative_tensor(const thread cooperative_tensor& other);

    /// The number of dimensions.
    static constexpr rank_type get_rank() { return Extents::rank(); }

    /// The number of elements that the calling thread can hold, the same for all threads.
    thread_size_type get_capacity() const;

    /// The element at an index of the calling thread.
    ///
    /// - `idx`: below `get_capacity()`.
    reference operator[](thread_index_type idx) thread;
    const_reference operator[](thread_index_type idx) const;

    /// The value of an element of the calling thread, given by index, iterator or pointer.
    value_type get(thread_index_type idx) const;
    value_type get(const_iterator it) const;
    value_type get(const thread element_type* ptr) const;

    /// Replaces an element of the calling thread, given by index, iterator or pointer.
    ///
    /// - `v`: the new value.
    void set(thread_index_type idx, value_type v);
    void set(iterator it, value_type v);
    void set(thread element_type* ptr, value_type v);

    /// Whether the element is one of the tensor; where it is not, it must not be used.
    bool is_valid_element(thread_index_type idx) const;
    bool is_valid_element(const_iterator it) const;
    bool is_valid_element(const thread element_type* ptr) const;
    bool get_mask(thread_index_type idx) const;

    /// The index of an element of the calling thread in each dimension of the tensor.
    array<index_type, Extents::rank()> get_multidimensional_index(thread_index_type idx) const;
    array<index_type, Extents::rank()> get_multidimensional_index(const_iterator it) const;
    array<index_type, Extents::rank()> get_multidimensional_index(const thread element_type* ptr) const;

    /// The first element of the calling thread, and the place behind the last.
    iterator begin() thread;
    const_iterator begin() const;
    iterator end() thread;
    const_iterator end() const;

    /// The place of an element, given by index or pointer.
    iterator get_iterator(thread_index_type idx) thread;
    iterator get_iterator(const thread element_type* ptr) thread;
    const_iterator get_iterator(thread_index_type idx) const;
    const_iterator get_iterator(const thread element_type* ptr) const;

    /// The place in this tensor of the same element as that of an iterator of another tensor.
    template <class OtherIterator> iterator map_iterator(OtherIterator it) thread;
    template <class OtherIterator> const_iterator map_iterator(OtherIterator it) const;

    /// Reads all elements from a tensor; all threads have to call it.
    ///
    /// - `t`: has the same sizes, or 1 in dimensions along which its elements are repeated.
    template <class T, class E, class D, class... Tags> [[msl::uniform]] void load(tensor<T, E, D, Tags...> t);

    /// Writes all elements to a tensor; all threads have to call it.
    template <class T, class E, class D, class... Tags> [[msl::uniform]] void store(tensor<T, E, D, Tags...> t) const;
};

/// Whether `T` is a cooperative tensor.
template <class T> struct is_cooperative_tensor : false_type {};
template <class ElementType, class Extents, class Layout>
struct is_cooperative_tensor<cooperative_tensor<ElementType, Extents, Layout>> : true_type {};
template <class T> constexpr constant bool is_cooperative_tensor_v = is_cooperative_tensor<T>::value;

} // namespace metal
