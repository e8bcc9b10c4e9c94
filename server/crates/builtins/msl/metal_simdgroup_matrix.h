//! `<metal_simdgroup_matrix>`: matrices of 8 × 8 elements that the threads of a SIMD-group hold and multiply together.
//!
//! The elements of such a matrix are spread over the threads of the SIMD-group.
//! Every function here has to be called by all threads of the SIMD-group with the same matrices (uniform control flow).

namespace [[msl::since("2.3")]] metal {

/// Whether `T` can be the element type of a SIMD-group matrix: `half`, `float` or `bfloat` (3.1).
template <typename T>
struct is_simdgroup_matrix_element : bool_constant<__is_same(T, half) || __is_same(T, float) || __is_same(T, bfloat)> {};

/// A matrix of `Cols` columns and `Rows` rows, whose elements are spread over the threads of a SIMD-group.
///
/// The only size is 8 × 8.
/// It lives in thread memory: load it from and store it to `device` or `threadgroup` memory.
///
/// - `T`: the type of an element: `half`, `float` or `bfloat` (3.1).
template <typename T, int Cols, int Rows = Cols>
struct simdgroup_matrix {
    static_assert(is_simdgroup_matrix_element<T>::value, "the elements of a SIMD-group matrix are half, float or bfloat");
    static_assert(Cols == 8 && Rows == 8, "a SIMD-group matrix has 8 columns and 8 rows");

    /// The elements of the matrix that the calling thread holds, as a vector.
    using storage_type = vec<T, 2>;

    /// A matrix with unspecified elements.
    simdgroup_matrix();

    /// A matrix with `value` on the diagonal and zero elsewhere.
    explicit simdgroup_matrix(T value);

    /// The elements that the calling thread holds; which ones is up to the hardware.
    thread storage_type& thread_elements() thread;
    storage_type thread_elements() const;
};

/// The SIMD-group matrix of 8 × 8 `float`.
using simdgroup_float8x8 = simdgroup_matrix<float, 8, 8>;
/// The SIMD-group matrix of 8 × 8 `half`.
using simdgroup_half8x8 = simdgroup_matrix<half, 8, 8>;
/// The SIMD-group matrix of 8 × 8 `bfloat`.
using simdgroup_bfloat8x8 [[msl::since("3.1")]] = simdgroup_matrix<bfloat, 8, 8>;

/// A matrix with `value` in every element.
///
/// Write the element type and the size: `make_filled_simdgroup_matrix<float, 8, 8>(0)`.
template <typename T, int Cols, int Rows = Cols, typename U>
[[msl::uniform, msl::enable_if(__is_convertible(U, T))]]
simdgroup_matrix<T, Cols, Rows> make_filled_simdgroup_matrix(U value);

/// Loads the matrix `d` from memory.
///
/// - `src`: the first element of the matrix in memory, rows one after another.
/// - `elements_per_row`: the distance from one row to the next, in elements.
/// - `matrix_origin`: the column (`x`) and row (`y`) in memory at which the matrix starts.
/// - `transpose_matrix`: whether the matrix is stored by columns.
template <typename T, int Cols, int Rows>
[[msl::uniform, msl::across("simdgroup")]] void simdgroup_load(
    thread simdgroup_matrix<T, Cols, Rows>& d, const device T* src, ulong elements_per_row = Cols,
    ulong2 matrix_origin = ulong2(0), bool transpose_matrix = false);
template <typename T, int Cols, int Rows>
[[msl::uniform, msl::across("simdgroup")]] void simdgroup_load(
    thread simdgroup_matrix<T, Cols, Rows>& d, const threadgroup T* src, ulong elements_per_row = Cols,
    ulong2 matrix_origin = ulong2(0), bool transpose_matrix = false);
template <typename T, int Cols, int Rows>
[[msl::since("4.1"), msl::uniform, msl::across("simdgroup")]] void simdgroup_load(
    thread simdgroup_matrix<T, Cols, Rows>& d, const T* src, ulong elements_per_row = Cols,
    ulong2 matrix_origin = ulong2(0), bool transpose_matrix = false);

/// Stores the matrix `a` to memory.
///
/// - `dst`: the first element of the matrix in memory, rows one after another.
/// - `elements_per_row`: the distance from one row to the next, in elements.
/// - `matrix_origin`: the column (`x`) and row (`y`) in memory at which the matrix starts.
/// - `transpose_matrix`: whether the matrix is stored by columns.
template <typename T, int Cols, int Rows>
[[msl::uniform, msl::across("simdgroup")]] void simdgroup_store(
    simdgroup_matrix<T, Cols, Rows> a, device T* dst, ulong elements_per_row = Cols,
    ulong2 matrix_origin = ulong2(0), bool transpose_matrix = false);
template <typename T, int Cols, int Rows>
[[msl::uniform, msl::across("simdgroup")]] void simdgroup_store(
    simdgroup_matrix<T, Cols, Rows> a, threadgroup T* dst, ulong elements_per_row = Cols,
    ulong2 matrix_origin = ulong2(0), bool transpose_matrix = false);
template <typename T, int Cols, int Rows>
[[msl::since("4.1"), msl::uniform, msl::across("simdgroup")]] void simdgroup_store(
    simdgroup_matrix<T, Cols, Rows> a, T* dst, ulong elements_per_row = Cols, ulong2 matrix_origin = ulong2(0),
    bool transpose_matrix = false);

/// `d = a * b`.
///
/// - `d`: receives the product; it may be of another element type than the factors.
/// - `a`: `K` columns and `Rows` rows.
/// - `b`: `Cols` columns and `K` rows.
template <typename R, typename T, typename U, int K, int Rows, int Cols>
[[msl::uniform, msl::across("simdgroup")]] void simdgroup_multiply(
    thread simdgroup_matrix<R, Cols, Rows>& d, simdgroup_matrix<T, K, Rows> a, simdgroup_matrix<U, Cols, K> b);

/// `d = a * b + c`.
///
/// - `d`: receives the result; it may be the same matrix as `c`, and of another element type than the factors.
/// - `a`: `K` columns and `Rows` rows.
/// - `b`: `Cols` columns and `K` rows.
template <typename R, typename T, typename U, typename V, int K, int Rows, int Cols>
[[msl::uniform, msl::across("simdgroup")]] void simdgroup_multiply_accumulate(
    thread simdgroup_matrix<R, Cols, Rows>& d, simdgroup_matrix<T, K, Rows> a, simdgroup_matrix<U, Cols, K> b,
    simdgroup_matrix<V, Cols, Rows> c);

/// The product of two SIMD-group matrices; its elements have the type of those of `a`.
template <typename T, typename U, int K, int Rows, int Cols>
[[msl::uniform]] simdgroup_matrix<T, Cols, Rows> operator*(
    simdgroup_matrix<T, K, Rows> a, simdgroup_matrix<U, Cols, K> b);

/// Multiplies `a` by `b` from the right.
template <typename T, typename U, int Rows, int Cols>
[[msl::uniform]] thread simdgroup_matrix<T, Cols, Rows>& operator*=(
    thread simdgroup_matrix<T, Cols, Rows>& a, simdgroup_matrix<U, Rows, Cols> b);

} // namespace metal
