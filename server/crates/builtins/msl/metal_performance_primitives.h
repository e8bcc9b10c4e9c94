//! `<MetalPerformancePrimitives/MetalPerformancePrimitives.h>`: multiplication and convolution of tensors by the threads
//! of a group together.
//!
//! An operation is a class template; its descriptor and its execution scope are template arguments.
//! All threads of the scope have to call `run` (MSL spec §7.2).

namespace [[msl::since("4.0"), msl::partial]] mpp {

namespace [[msl::partial]] tensor_ops {

using metal::dynamic_extent;
using metal::dynamic_length_v;

/// The sizes and the mode of a multiplication of matrices.
struct matmul2d_descriptor {
    /// What happens to the destination.
    enum class mode {
        /// It is replaced by the product.
        multiply,
        /// The product is added to it.
        multiply_accumulate,
    };

    /// - `m`: the rows of the left operand and of the destination.
    /// - `n`: the columns of the right operand and of the destination.
    /// - `k`: the columns of the left operand and rows of the right; by default found at run time.
    /// - `left_transpose`: whether the left operand is transposed first.
    /// - `right_transpose`: whether the right operand is transposed first.
    /// - `relaxed`: whether `float` operands may lose precision.
    /// - `matmul_mode`: what happens to the destination.
    constexpr matmul2d_descriptor(
        int m, int n, int k = dynamic_length_v<int>, bool left_transpose = false, bool right_transpose = false,
        bool relaxed = false, mode matmul_mode = mode::multiply)
        : m(m), n(n), k(k), transpose_left(left_transpose), transpose_right(right_transpose),
          relaxed_precision(relaxed), matmul_mode(matmul_mode) {}

    /// The parameters of the constructor.
    int m;
    int n;
    int k;
    bool transpose_left;
    bool transpose_right;
    bool relaxed_precision;
    mode matmul_mode;
};

/// Which operand or result of an operation a cooperative tensor is laid out for.
template <int Operand, class... Operation> struct [[msl::internal]] __operand_layout {};

/// The multiplication of two matrices by the threads of `Scope`.
///
/// - `Descriptor`: the sizes, a `constexpr` variable.
/// - `Scope`: `metal::execution_thread`, `metal::execution_simdgroup` or `metal::execution_simdgroups<N>`, where `N` is
///   the number of SIMD-groups of the threadgroup.
template <matmul2d_descriptor Descriptor, class Scope, class... Args>
class [[msl::partial]] matmul2d {
public:
    /// Computes the product of `left` and `right` into `destination`; all threads of the scope have to call it.
    ///
    /// - `left`: a tensor of K columns and M rows; the first dimension is the column.
    /// - `right`: a tensor of N columns and K rows.
    /// - `destination`: a tensor or cooperative tensor of N columns and M rows.
    template <class Left, class Right, class Destination>
    [[msl::uniform]] void run(thread Left& left, thread Right& right, thread Destination& destination) const;

    /// A cooperative tensor for the left operand, the right operand, the result, or the result reduced along a
    /// dimension.
    ///
    /// - `Left`, `Right`: the types of the operands, without address space.
    /// - `Element`: the type of an element.
    template <class Left, class Right, class Element, class... Source>
    metal::cooperative_tensor<Element, metal::dextents<int, 2>, __operand_layout<0, matmul2d, Left, Right>>
    get_left_input_cooperative_tensor(Source... source) const;
    template <class Left, class Right, class Element, class... Source>
    metal::cooperative_tensor<Element, metal::dextents<int, 2>, __operand_layout<1, matmul2d, Left, Right>>
    get_right_input_cooperative_tensor(Source... source) const;
    template <class Left, class Right, class Element>
    metal::cooperative_tensor<Element, metal::dextents<int, 2>, __operand_layout<2, matmul2d, Left, Right>>
    get_destination_cooperative_tensor() const;
    template <class Left, class Right, class Element>
    metal::cooperative_tensor<Element, metal::dextents<int, 1>, __operand_layout<3, matmul2d, Left, Right>>
    get_row_reduction_destination_cooperative_tensor() const;
    template <class Left, class Right, class Element>
    metal::cooperative_tensor<Element, metal::dextents<int, 1>, __operand_layout<4, matmul2d, Left, Right>>
    get_column_reduction_destination_cooperative_tensor() const;

    /// Whether a cooperative tensor can be the left or the right operand as it is.
    template <class Left, class Right, class Destination, class Source>
    bool is_compatible_as_left_input(thread Source& source) const;
    template <class Left, class Right, class Destination, class Source>
    bool is_compatible_as_right_input(thread Source& source) const;
};

/// How the values along a row or column become one.
enum class reduction_operation {
    sum,
    max,
    min,
};

/// Reduces each row of a cooperative tensor to one value.
///
/// - `source`: the tensor.
/// - `destination`: receives the values, made by `get_row_reduction_destination_cooperative_tensor`.
/// - `op`: how.
/// - `identity`: the value to start from.
template <class Source, class Destination, class Identity>
[[msl::uniform]] void reduce_rows(
    thread Source& source, thread Destination& destination, reduction_operation op, Identity identity);
template <class Source, class Destination>
[[msl::uniform]] void reduce_rows(
    thread Source& source, thread Destination& destination, reduction_operation op = reduction_operation::sum);

/// Reduces each column of a cooperative tensor to one value.
///
/// - `source`: the tensor.
/// - `destination`: receives the values, made by `get_column_reduction_destination_cooperative_tensor`.
/// - `op`: how.
/// - `identity`: the value to start from.
template <class Source, class Destination, class Identity>
[[msl::uniform]] void reduce_columns(
    thread Source& source, thread Destination& destination, reduction_operation op, Identity identity);
template <class Source, class Destination>
[[msl::uniform]] void reduce_columns(
    thread Source& source, thread Destination& destination, reduction_operation op = reduction_operation::sum);

/// The order of the dimensions of the activations of a convolution.
enum class convolution2d_activation_layout {
    /// Batch, height, width, channels; channels run fastest.
    nhwc,
};

/// The order of the dimensions of the weights of a convolution.
enum class convolution2d_weights_layout {
    /// Height, width, input channels, output channels; output channels run fastest.
    hwio,
};

/// The sizes and the mode of a convolution.
struct convolution2d_descriptor {
    /// What happens to the destination.
    enum class mode {
        /// It is replaced by the result.
        multiply,
        /// The result is added to it.
        multiply_accumulate,
    };

    /// - `destination_dimensions`: the sizes of the output.
    /// - `source_dimensions`: the sizes of the input.
    /// - `kernel_dimensions`: the width and height of the window.
    /// - `activation_layout`: the order of the dimensions of the input.
    /// - `weights_layout`: the order of the dimensions of the weights.
    /// - `strides`: the step of the window.
    /// - `dilations`: the distance between elements of the window.
    /// - `groups`: the number of groups of channels.
    /// - `relaxed_precision`: whether `float` operands may lose precision.
    /// - `convolution2d_mode`: what happens to the destination.
    constexpr convolution2d_descriptor(
        int4 destination_dimensions, int4 source_dimensions, int2 kernel_dimensions,
        convolution2d_activation_layout activation_layout = convolution2d_activation_layout::nhwc,
        convolution2d_weights_layout weights_layout = convolution2d_weights_layout::hwio, int2 strides = int2(1),
        int2 dilations = int2(1), int groups = 1, bool relaxed_precision = false,
        mode convolution2d_mode = mode::multiply)
        : destination_dimensions(destination_dimensions), source_dimensions(source_dimensions),
          kernel_dimensions(kernel_dimensions), activation_layout(activation_layout), weights_layout(weights_layout),
          strides(strides), dilations(dilations), groups(groups), relaxed_precision(relaxed_precision),
          convolution2d_mode(convolution2d_mode) {}

    /// The parameters of the constructor.
    int4 destination_dimensions;
    int4 source_dimensions;
    int2 kernel_dimensions;
    convolution2d_activation_layout activation_layout;
    convolution2d_weights_layout weights_layout;
    int2 strides;
    int2 dilations;
    int groups;
    bool relaxed_precision;
    mode convolution2d_mode;
};

/// The two-dimensional convolution of a tensor by the threads of `Scope`.
///
/// - `Descriptor`: the sizes, a `constexpr` variable.
/// - `Scope`: `metal::execution_simdgroups<N>`, where `N` is the number of SIMD-groups of the threadgroup.
template <convolution2d_descriptor Descriptor, class Scope, class... Args>
class convolution2d {
public:
    /// Computes the convolution; all threads of the scope have to call it.
    ///
    /// - `activation`: the input, a tensor of four dimensions.
    /// - `weights`: the window, a tensor of four dimensions.
    /// - `destination`: the output, a tensor or cooperative tensor.
    template <class Activation, class Weights, class Destination, class... RunArgs>
    [[msl::uniform]] void run(
        thread Activation& activation, thread Weights& weights, thread Destination& destination,
        RunArgs... args) const;

    /// A cooperative tensor for the result.
    ///
    /// - `Activation`, `Weights`: the types of the operands, without address space.
    /// - `Element`: the type of an element.
    template <class Activation, class Weights, class Element>
    metal::cooperative_tensor<Element, metal::dextents<int, 4>, __operand_layout<2, convolution2d, Activation, Weights>>
    get_destination_cooperative_tensor() const;
};

} // namespace tensor_ops

} // namespace mpp
