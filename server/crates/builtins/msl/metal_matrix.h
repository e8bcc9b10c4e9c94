//! Matrices of `float` and `half`, and the functions on them.

namespace metal {
/// A matrix of `Cols` columns, each a `vec<T, Rows>`, stored column by column; `T` is `float` or `half`, `Cols` and
/// `Rows` are 2, 3 or 4.
///
/// `m[c]` is column `c`, `m[c][r]` or `m[c].x` an element.
/// It is made from one scalar (on the diagonal), from its columns, or from all its elements column by column.
/// `*` is the product of linear algebra for matrices and vectors and works on every element for a scalar.
template <typename T, int Cols, int Rows = Cols> struct [[msl::builtin("matrix")]] matrix;
} // namespace metal

/// A matrix of 2 columns and 2 rows of `half`: 2 × `half2`, 8 bytes, aligned to 4.
using half2x2 = metal::matrix<half, 2, 2>;

/// A matrix of 2 columns and 3 rows of `half`: 2 × `half3`, 16 bytes, aligned to 8.
using half2x3 = metal::matrix<half, 2, 3>;

/// A matrix of 2 columns and 4 rows of `half`: 2 × `half4`, 16 bytes, aligned to 8.
using half2x4 = metal::matrix<half, 2, 4>;

/// A matrix of 3 columns and 2 rows of `half`: 3 × `half2`, 12 bytes, aligned to 4.
using half3x2 = metal::matrix<half, 3, 2>;

/// A matrix of 3 columns and 3 rows of `half`: 3 × `half3`, 24 bytes, aligned to 8.
using half3x3 = metal::matrix<half, 3, 3>;

/// A matrix of 3 columns and 4 rows of `half`: 3 × `half4`, 24 bytes, aligned to 8.
using half3x4 = metal::matrix<half, 3, 4>;

/// A matrix of 4 columns and 2 rows of `half`: 4 × `half2`, 16 bytes, aligned to 4.
using half4x2 = metal::matrix<half, 4, 2>;

/// A matrix of 4 columns and 3 rows of `half`: 4 × `half3`, 32 bytes, aligned to 8.
using half4x3 = metal::matrix<half, 4, 3>;

/// A matrix of 4 columns and 4 rows of `half`: 4 × `half4`, 32 bytes, aligned to 8.
using half4x4 = metal::matrix<half, 4, 4>;

/// A matrix of 2 columns and 2 rows of `float`: 2 × `float2`, 16 bytes, aligned to 8.
using float2x2 = metal::matrix<float, 2, 2>;

/// A matrix of 2 columns and 3 rows of `float`: 2 × `float3`, 32 bytes, aligned to 16.
using float2x3 = metal::matrix<float, 2, 3>;

/// A matrix of 2 columns and 4 rows of `float`: 2 × `float4`, 32 bytes, aligned to 16.
using float2x4 = metal::matrix<float, 2, 4>;

/// A matrix of 3 columns and 2 rows of `float`: 3 × `float2`, 24 bytes, aligned to 8.
using float3x2 = metal::matrix<float, 3, 2>;

/// A matrix of 3 columns and 3 rows of `float`: 3 × `float3`, 48 bytes, aligned to 16.
using float3x3 = metal::matrix<float, 3, 3>;

/// A matrix of 3 columns and 4 rows of `float`: 3 × `float4`, 48 bytes, aligned to 16.
using float3x4 = metal::matrix<float, 3, 4>;

/// A matrix of 4 columns and 2 rows of `float`: 4 × `float2`, 32 bytes, aligned to 8.
using float4x2 = metal::matrix<float, 4, 2>;

/// A matrix of 4 columns and 3 rows of `float`: 4 × `float3`, 64 bytes, aligned to 16.
using float4x3 = metal::matrix<float, 4, 3>;

/// A matrix of 4 columns and 4 rows of `float`: 4 × `float4`, 64 bytes, aligned to 16.
using float4x4 = metal::matrix<float, 4, 4>;

namespace metal {
using ::half2x2; using ::half2x3; using ::half2x4;
using ::half3x2; using ::half3x3; using ::half3x4;
using ::half4x2; using ::half4x3; using ::half4x4;
using ::float2x2; using ::float2x3; using ::float2x4;
using ::float3x2; using ::float3x3; using ::float3x4;
using ::float4x2; using ::float4x3; using ::float4x4;

/// The determinant of a square matrix.
template <typename T, int K> T determinant(matrix<T, K, K> m);

/// The transpose of a matrix: element (`c`, `r`) becomes element (`r`, `c`).
template <typename T, int Cols, int Rows> matrix<T, Rows, Cols> transpose(matrix<T, Cols, Rows> m);

/// A matrix whose elements all have the value `value`, converted to `T`.
template <typename T, int Cols, int Rows = Cols, typename U>
[[msl::since("2.3"), msl::enable_if(__is_convertible(U, T))]] matrix<T, Cols, Rows> make_filled_matrix(U value);
} // namespace metal

/// The name that code shared with the host uses for a matrix of `half`.
using matrix_half2x2 = half2x2;
using simd_half2x2 = half2x2;
using matrix_half2x3 = half2x3;
using simd_half2x3 = half2x3;
using matrix_half2x4 = half2x4;
using simd_half2x4 = half2x4;
using matrix_half3x2 = half3x2;
using simd_half3x2 = half3x2;
using matrix_half3x3 = half3x3;
using simd_half3x3 = half3x3;
using matrix_half3x4 = half3x4;
using simd_half3x4 = half3x4;
using matrix_half4x2 = half4x2;
using simd_half4x2 = half4x2;
using matrix_half4x3 = half4x3;
using simd_half4x3 = half4x3;
using matrix_half4x4 = half4x4;
using simd_half4x4 = half4x4;

/// The name that code shared with the host uses for a matrix of `float`.
using matrix_float2x2 = float2x2;
using simd_float2x2 = float2x2;
using matrix_float2x3 = float2x3;
using simd_float2x3 = float2x3;
using matrix_float2x4 = float2x4;
using simd_float2x4 = float2x4;
using matrix_float3x2 = float3x2;
using simd_float3x2 = float3x2;
using matrix_float3x3 = float3x3;
using simd_float3x3 = float3x3;
using matrix_float3x4 = float3x4;
using simd_float3x4 = float3x4;
using matrix_float4x2 = float4x2;
using simd_float4x2 = float4x2;
using matrix_float4x3 = float4x3;
using simd_float4x3 = float4x3;
using matrix_float4x4 = float4x4;
using simd_float4x4 = float4x4;
