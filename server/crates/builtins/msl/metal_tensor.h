//! `<metal_tensor>`: multidimensional arrays in memory, their extents, and the groups of threads that work on them.
//!
//! A tensor is bound by the host (`tensor_handle`), shifted from another one (`slice`), or made over a pointer in the
//! shader (`tensor_inline`).
//! Its element type carries the address space of the elements: `tensor<device half, dextents<int, 2>>`
//! (MSL spec §2.20, §7.1).

namespace [[msl::since("4.0")]] metal {

/// The extent of a dimension whose size is known only at run time.
constexpr constant size_t dynamic_extent = ~size_t(0);

/// The length of a dimension that an operation finds out at run time.
template <typename T> constexpr constant T dynamic_length_v = T(dynamic_extent);

/// The sizes of the dimensions of a tensor.
///
/// - `IndexType`: an integer type, for sizes and indices.
/// - `Extents`: the size of each dimension, or `dynamic_extent`.
template <class IndexType, size_t... Extents>
class extents {
public:
    /// The type of sizes and indices.
    using index_type = IndexType;
    /// The unsigned type of the same width.
    using size_type = make_unsigned_t<IndexType>;
    /// The type of the number of a dimension.
    using rank_type = size_t;

    /// All dynamic sizes are 0.
    constexpr extents();

    /// The dynamic sizes, or all sizes, in order.
    template <class... OtherIndexTypes>
    [[msl::enable_if(sizeof...(OtherIndexTypes) != 0 && (__is_convertible(OtherIndexTypes, IndexType) && ...))]]
    constexpr extents(OtherIndexTypes... dynvals);

    /// The same sizes with another index type, or other dimensions known at compile time.
    template <class OtherIndexType, size_t... OtherExtents>
    constexpr extents(extents<OtherIndexType, OtherExtents...> other);

    /// The number of dimensions.
    static constexpr rank_type rank() { return sizeof...(Extents); }

    /// The number of dimensions whose size is known only at run time.
    static constexpr rank_type rank_dynamic() { return (rank_type(0) + ... + (Extents == dynamic_extent ? 1 : 0)); }

    /// The size of dimension `r` if it is known at compile time, else `dynamic_extent`.
    static constexpr size_t static_extent(rank_type r);

    /// The size of dimension `r`.
    constexpr index_type extent(rank_type r) const;
};

/// Whether both have the same sizes.
template <class IndexType, size_t... Extents, class OtherIndexType, size_t... OtherExtents>
constexpr bool operator==(extents<IndexType, Extents...> lhs, extents<OtherIndexType, OtherExtents...> rhs);
template <class IndexType, size_t... Extents, class OtherIndexType, size_t... OtherExtents>
constexpr bool operator!=(extents<IndexType, Extents...> lhs, extents<OtherIndexType, OtherExtents...> rhs);

/// `dynamic_extent`, for every type.
template <class T> [[msl::internal]] constexpr constant size_t __dynamic_extent_for = dynamic_extent;

/// All sizes are known at run time only.
template <class... IndexTypes> extents(IndexTypes...) -> extents<size_t, __dynamic_extent_for<IndexTypes>...>;

template <class IndexType, size_t Rank, size_t... Extents> struct [[msl::internal]] __dextents
    : __dextents<IndexType, Rank - 1, dynamic_extent, Extents...> {};
template <class IndexType, size_t... Extents> struct __dextents<IndexType, 0, Extents...> {
    using type = extents<IndexType, Extents...>;
};

/// The extents of `Rank` dimensions whose sizes are known only at run time.
template <class IndexType, size_t Rank> using dextents = typename __dextents<IndexType, Rank>::type;

/// Descriptor of a tensor that the host binds.
struct tensor_handle {};

/// Descriptor of a tensor that the shader makes over a pointer. It cannot be a member of a structure.
struct tensor_inline {};

/// Tag of a tensor whose origin is shifted.
struct tensor_offset {};

/// Tag of the plane of a tensor that holds scale factors.
struct [[msl::since("4.1")]] tensor_plane_scales {};

/// Tag of a tensor that has a further plane, with one element for each block of elements.
///
/// - `PlaneTag`: what the plane holds: `tensor_plane_scales`.
/// - `ElementType`: the type of an element of the plane.
/// - `BlockSizes`: the size of a block in each dimension.
template <class PlaneTag, class ElementType, size_t... BlockSizes>
struct [[msl::since("4.1")]] tensor_blockwise {};

template <class ElementType, class Extents, class Descriptor = tensor_handle, class... Tags>
struct tensor;

/// The type of a slice: a host-bound tensor becomes a shifted one.
template <class ElementType, class Extents, class Descriptor, class... Tags> struct [[msl::internal]] __slice_of {
    using type = tensor<ElementType, Extents, Descriptor, Tags...>;
};
template <class ElementType, class Extents> struct __slice_of<ElementType, Extents, tensor_handle> {
    using type = tensor<ElementType, Extents, tensor_handle, tensor_offset>;
};

/// A multidimensional array of elements in memory.
///
/// - `ElementType`: the type of an element with its address space: `device half`, `const constant float`.
///   Host-bound tensors are in `device` or `constant` memory; inline ones also in `threadgroup` or thread memory.
/// - `Extents`: the sizes, `extents<…>` or `dextents<…>`.
/// - `Descriptor`: `tensor_handle` or `tensor_inline`.
/// - `Tags`: `tensor_offset` for a shifted tensor.
template <class ElementType, class Extents, class Descriptor, class... Tags>
struct tensor {
    /// This type.
    using tensor_type = tensor<ElementType, Extents, Descriptor, Tags...>;
    /// The type of an element, with its qualifiers and address space.
    using element_type = ElementType;
    /// The type of an element without them.
    using value_type = remove_cv_t<remove_addrspace_t<ElementType>>;
    /// The sizes.
    using extents_type = Extents;
    /// The type of sizes and indices.
    using index_type = typename Extents::index_type;
    /// The unsigned type of the same width.
    using size_type = typename Extents::size_type;
    /// The type of the number of a dimension.
    using rank_type = typename Extents::rank_type;
    /// A reference to an element.
    using reference = ElementType&;
    /// A pointer to an element.
    using data_handle_type = ElementType*;

    /// A null tensor; `is_null_tensor` tells it apart.
    tensor();

    /// A tensor over memory.
    ///
    /// - `ptr`: the first element.
    /// - `sizes`: the size of each dimension.
    /// - `strides`: the distance from one element to the next in each dimension, in elements; without it the elements
    ///   are dense and the first dimension runs fastest.
    template <class OtherExtents>
    [[msl::enable_if(__is_same(Descriptor, tensor_inline), "only a tensor_inline is made over a pointer")]]
    tensor(data_handle_type ptr, OtherExtents sizes);
    template <class OtherExtents, class StrideType, size_t Rank>
    [[msl::enable_if(__is_same(Descriptor, tensor_inline), "only a tensor_inline is made over a pointer")]]
    tensor(data_handle_type ptr, OtherExtents sizes, array<StrideType, Rank> strides);

    /// The same elements with other extents known at compile time.
    template <class OtherElementType, class OtherExtents, class OtherDescriptor, class... OtherTags>
    tensor(tensor<OtherElementType, OtherExtents, OtherDescriptor, OtherTags...> other);

    /// The number of dimensions.
    static constexpr rank_type get_rank() { return Extents::rank(); }

    /// The size of dimension `r` if it is known at compile time, else `dynamic_extent`.
    static constexpr size_t get_static_extent(rank_type r) { return Extents::static_extent(r); }

    /// The size of dimension `r`.
    index_type get_extent(rank_type r) const;

    /// The distance from one element to the next along dimension `r`, in elements.
    index_type get_stride(rank_type r) const;

    /// The element at an index of each dimension, which has to be inside.
    template <class... OtherIndexTypes> reference operator[](OtherIndexTypes... index) const;
    template <class OtherIndexType> reference operator[](array<OtherIndexType, Extents::rank()> index) const;

    /// The value at an index of each dimension, or 0 outside the tensor.
    template <class... OtherIndexTypes> value_type get(OtherIndexTypes... index) const;
    template <class OtherIndexType> value_type get(array<OtherIndexType, Extents::rank()> index) const;
    template <class... OtherIndexTypes> value_type load(OtherIndexTypes... index) const;
    template <class OtherIndexType> value_type load(array<OtherIndexType, Extents::rank()> index) const;

    /// Replaces the value at an index of each dimension; nothing happens outside the tensor.
    ///
    /// - `v`: the new value.
    template <class... OtherIndexTypes> void set(value_type v, OtherIndexTypes... index) const;
    template <class OtherIndexType> void set(value_type v, array<OtherIndexType, Extents::rank()> index) const;
    template <class... OtherIndexTypes> void store(value_type v, OtherIndexTypes... index) const;
    template <class OtherIndexType> void store(value_type v, array<OtherIndexType, Extents::rank()> index) const;

    /// The part of the tensor from an index of each dimension on, to its end or of the given sizes.
    ///
    /// `t.slice(8, 16)` reaches to the end; `t.slice<32, 64>(8, 16)` has the size 32 × 64 and has to be inside.
    template <class... OtherIndexTypes>
    typename __slice_of<ElementType, dextents<index_type, Extents::rank()>, Descriptor, Tags...>::type slice(
        OtherIndexTypes... index) const;
    template <size_t FirstExtent, size_t... OtherExtents, class... OtherIndexTypes>
    typename __slice_of<ElementType, extents<index_type, FirstExtent, OtherExtents...>, Descriptor, Tags...>::type slice(
        OtherIndexTypes... index) const;
};

/// Deduces an inline tensor over a pointer.
template <class PointerType, class ExtentsType>
tensor(PointerType, ExtentsType) -> tensor<remove_pointer_t<PointerType>, ExtentsType, tensor_inline>;
template <class PointerType, class ExtentsType, class StrideType, size_t Rank>
tensor(PointerType, ExtentsType, array<StrideType, Rank>)
    -> tensor<remove_pointer_t<PointerType>, ExtentsType, tensor_inline>;

/// Whether the tensor is null, as it is where the host bound none.
template <class ElementType, class Extents, class Descriptor, class... Tags>
bool is_null_tensor(tensor<ElementType, Extents, Descriptor, Tags...> t);

/// Whether `T` is a tensor that the host binds.
template <class T> struct is_tensor_handle : false_type {};
template <class ElementType, class Extents, class... Tags>
struct is_tensor_handle<tensor<ElementType, Extents, tensor_handle, Tags...>> : true_type {};
template <class T> constexpr constant bool is_tensor_handle_v = is_tensor_handle<T>::value;

/// Whether `T` is a tensor that the shader makes.
template <class T> struct is_tensor_inline : false_type {};
template <class ElementType, class Extents, class... Tags>
struct is_tensor_inline<tensor<ElementType, Extents, tensor_inline, Tags...>> : true_type {};
template <class T> constexpr constant bool is_tensor_inline_v = is_tensor_inline<T>::value;

/// Whether `T` is a tensor whose origin is shifted.
template <class T> struct has_tensor_offset : false_type {};
template <class ElementType, class Extents, class Descriptor, class... Tags>
struct has_tensor_offset<tensor<ElementType, Extents, Descriptor, Tags...>>
    : bool_constant<(__is_same(Tags, tensor_offset) || ...)> {};
template <class T> constexpr constant bool has_tensor_offset_v = has_tensor_offset<T>::value;

/// The threads of `Size` SIMD-groups, which work on one operation together.
template <size_t Size>
class execution_simdgroups {
public:
    using size_type = size_t;
    /// The number of SIMD-groups, or `dynamic_extent`.
    static constexpr constant size_t static_size = Size;
    execution_simdgroups();
    /// Says the number of SIMD-groups at run time.
    [[msl::enable_if(Size == dynamic_extent, "the number of SIMD-groups is known at compile time")]]
    execution_simdgroups(size_type size);
    /// The number of SIMD-groups.
    constexpr size_type size() const;
};

/// `Size` threads, which work on one operation together.
template <size_t Size>
class execution_threads {
public:
    using size_type = size_t;
    /// The number of threads, or `dynamic_extent`.
    static constexpr constant size_t static_size = Size;
    execution_threads();
    /// The threads of some SIMD-groups.
    template <size_t OtherSize> execution_threads(execution_simdgroups<OtherSize> other);
    /// The number of threads.
    constexpr size_type size() const;
};

/// One thread works on an operation alone.
using execution_thread = execution_threads<1>;
/// A number of threads that is known at run time.
using execution_dthreads = execution_threads<dynamic_extent>;
/// The threads of one SIMD-group work on an operation together.
using execution_simdgroup = execution_simdgroups<1>;
/// The threads of a number of SIMD-groups that is known at run time.
using execution_dsimdgroups = execution_simdgroups<dynamic_extent>;

/// The number of SIMD-groups is known at run time.
template <class T> execution_simdgroups(T) -> execution_simdgroups<dynamic_extent>;

/// Whether `T` is the scope of a single thread.
template <class T> struct is_execution_thread : bool_constant<__is_same(T, execution_thread)> {};
template <class T> constexpr constant bool is_execution_thread_v = is_execution_thread<T>::value;

/// Whether `T` is a scope of a number of threads.
template <class T> struct is_execution_threads : false_type {};
template <size_t Size> struct is_execution_threads<execution_threads<Size>> : true_type {};
template <class T> constexpr constant bool is_execution_threads_v = is_execution_threads<T>::value;

/// Whether `T` is a scope of a number of threads that is known at run time.
template <class T> struct is_execution_dthreads : bool_constant<__is_same(T, execution_dthreads)> {};
template <class T> constexpr constant bool is_execution_dthreads_v = is_execution_dthreads<T>::value;

/// Whether `T` is the scope of a single SIMD-group.
template <class T> struct is_execution_simdgroup : bool_constant<__is_same(T, execution_simdgroup)> {};
template <class T> constexpr constant bool is_execution_simdgroup_v = is_execution_simdgroup<T>::value;

/// Whether `T` is a scope of a number of SIMD-groups.
template <class T> struct is_execution_simdgroups : false_type {};
template <size_t Size> struct is_execution_simdgroups<execution_simdgroups<Size>> : true_type {};
template <class T> constexpr constant bool is_execution_simdgroups_v = is_execution_simdgroups<T>::value;

/// Whether `T` is a scope of a number of SIMD-groups that is known at run time.
template <class T> struct is_execution_dsimdgroups : bool_constant<__is_same(T, execution_dsimdgroups)> {};
template <class T> constexpr constant bool is_execution_dsimdgroups_v = is_execution_dsimdgroups<T>::value;

} // namespace metal
