//! Scalar types, their limits and mathematical constants, and the enumerations that several headers share.

/// A 16-bit IEEE 754 floating-point number (binary16): 10 bits of mantissa, largest finite value 65504.
/// Literals have the suffix `h`: `0.5h`.
/// Mixed with `float` it is widened to `float`.
typedef __half half;

/// A 16-bit floating-point number with the range of `float` and 7 bits of mantissa.
/// Literals have the suffix `bf`: `1.0bf`.
/// It converts implicitly to `float`, but not from `float` and not from or to `half`.
[[msl::since("3.1")]] typedef __bf16 bfloat;

/// An unsigned 8-bit integer.
typedef unsigned char uchar;

/// An unsigned 16-bit integer.
typedef unsigned short ushort;

/// An unsigned 32-bit integer.
typedef unsigned int uint;

/// An unsigned 64-bit integer.
[[msl::since("2.2")]] typedef unsigned long ulong;

/// An integer type of exactly this width in bits; signed.
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
[[msl::since("2.2")]] typedef long int64_t;

/// An integer type of exactly this width in bits; unsigned.
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
[[msl::since("2.2")]] typedef unsigned long uint64_t;

/// The unsigned 64-bit type of a size in bytes: what `sizeof` gives.
typedef unsigned long size_t;

/// The signed 64-bit type of the difference of two pointers.
typedef long ptrdiff_t;

/// A 64-bit integer type that can hold a pointer.
typedef long intptr_t;
typedef unsigned long uintptr_t;

/// Whether the host gave the function constant `c` a value when it made the pipeline.
/// `c` is the name of a variable with `[[function_constant(index)]]`.
//! since("1.2")
#define is_function_constant_defined(c) __is_function_constant_defined(c)

template <typename T>
[[msl::builtin("is_function_constant_defined"), msl::internal]] constexpr bool __is_function_constant_defined(T c);

/// Marks a function of a library for inlining: `inline`, and inlined always.
#define METAL_FUNC inline __attribute__((__always_inline__))

/// Asks that an argument of a function be a constant expression.
#define METAL_CONST_ARG(argument)

/// The handle of a resource as the host stores it in an argument buffer: 64 bits without meaning to a shader.
struct [[msl::since("3.1")]] MTLResourceID;

namespace metal {
using ::half;
using ::bfloat;
using ::uchar;
using ::ushort;
using ::uint;
using ::ulong;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::size_t;
using ::ptrdiff_t;
using ::intptr_t;
using ::uintptr_t;

/// The type of `nullptr`.
using nullptr_t [[msl::since("3.1")]] = decltype(nullptr);

/// What a shader may do with a texture.
enum class access {
    /// Sample, gather and read.
    sample,
    /// Read texels without a sampler.
    read,
    /// Write texels.
    write,
    /// Read and write texels; writes become visible to later reads of the same thread after `fence()`.
    read_write [[msl::since("ios 2.0, macos 1.2")]],
};

/// How an atomic operation or a fence orders the memory accesses around it.
enum memory_order {
    /// Atomicity only; nothing is ordered.
    memory_order_relaxed,
    /// Later accesses of the thread are not moved before the operation.
    memory_order_acquire [[msl::since("4.1")]],
    /// Earlier accesses of the thread are not moved after the operation.
    memory_order_release [[msl::since("4.1")]],
    /// Acquire and release together.
    memory_order_acq_rel [[msl::since("4.1")]],
    /// A single order of all such operations that every thread sees.
    memory_order_seq_cst [[msl::since("3.2")]],
};

/// The set of threads among which a fence orders memory accesses.
enum [[msl::since("3.2")]] thread_scope {
    /// The calling thread alone.
    thread_scope_thread,
    /// The threads of the SIMD-group.
    thread_scope_simdgroup,
    /// The threads of the threadgroup.
    thread_scope_threadgroup,
    /// All threads on the device.
    thread_scope_device,
};

/// The set of threads that see one another's accesses to an object without a fence.
enum [[msl::since("3.2")]] memory_coherence {
    /// The threads of one threadgroup.
    memory_coherence_threadgroup,
    /// All threads on the device, as for memory that is `coherent(device)`.
    memory_coherence_device,
};

/// The parameters of a rasterisation-rate map as the host writes them into a buffer; read with
/// `rasterization_rate_map_decoder`.
struct [[msl::since("2.2")]] rasterization_rate_map_data;
} // namespace metal

/// Whether a generic pointer points into memory of the named address space; false for a null pointer.
/// After the test a `static_cast` to a pointer of that space is safe.
/// The answer costs a test at run time where the compiler cannot know it.
template <typename T>
[[msl::since("4.1"), msl::builtin("is_thread_addrspace")]] bool is_thread_addrspace(const volatile T *pointer);
template <typename T>
[[msl::since("4.1"), msl::builtin("is_threadgroup_addrspace")]] bool is_threadgroup_addrspace(const volatile T *pointer);
template <typename T>
[[msl::since("4.1"), msl::builtin("is_device_addrspace")]] bool is_device_addrspace(const volatile T *pointer);

namespace metal {
using ::is_thread_addrspace;
using ::is_threadgroup_addrspace;
using ::is_device_addrspace;
} // namespace metal

// Types that the declarations of the library are made from; see DIALECT.md.

template <typename T> struct [[msl::builtin("scalar_of"), msl::internal]] __scalar_of;
template <typename T> struct [[msl::builtin("bool_of"), msl::internal]] __bool_of;
template <typename T> struct [[msl::builtin("int_of"), msl::internal]] __int_of;
template <typename T> struct [[msl::builtin("uint_of"), msl::internal]] __uint_of;
template <typename T> struct [[msl::builtin("short_of"), msl::internal]] __short_of;
template <typename T> struct [[msl::builtin("ushort_of"), msl::internal]] __ushort_of;
template <typename T> struct [[msl::builtin("half_of"), msl::internal]] __half_of;
template <typename T> struct [[msl::builtin("float_of"), msl::internal]] __float_of;
template <typename T> struct [[msl::builtin("unsigned_of"), msl::internal]] __unsigned_of;
template <typename T> struct [[msl::builtin("signed_of"), msl::internal]] __signed_of;
template <typename U, typename T> struct [[msl::builtin("like"), msl::internal]] __like;

/// The number of bits of a `char`.
#define CHAR_BIT 8

/// The smallest and the largest value of an 8-bit integer type. `char` is signed.
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN

/// The smallest and the largest value of a 16-bit integer type.
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535

/// The smallest and the largest value of a 32-bit integer type.
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u

/// The smallest and the largest value of a 64-bit integer type.
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define ULONG_MAX 18446744073709551615ul

/// The number of decimal digits that are enough to write any `float` and read back the same value.
#define FLT_DECIMAL_DIG 9

/// The number of decimal digits that every `float` keeps.
#define FLT_DIG 6

/// The number of bits of the mantissa of `float`, the hidden bit included.
#define FLT_MANT_DIG 24

/// The base of the exponent of `float`.
#define FLT_RADIX 2

/// The exponents of the largest finite and the smallest normalised `float`, to the base 2 and, rounded inwards, to the base 10.
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX_10_EXP 38
#define FLT_MIN_10_EXP (-37)

/// The distance from 1 to the next larger `float`: 2⁻²³, about 1.19e-7.
#define FLT_EPSILON 0x1.0p-23f

/// The largest finite `float`: about 3.40e38.
#define FLT_MAX 0x1.fffffep127f

/// The smallest positive normalised `float`: 2⁻¹²⁶, about 1.18e-38.
#define FLT_MIN 0x1.0p-126f

/// The number of decimal digits that are enough to write any `half` and read back the same value.
#define HALF_DECIMAL_DIG 5

/// The number of decimal digits that every `half` keeps.
#define HALF_DIG 3

/// The number of bits of the mantissa of `half`, the hidden bit included.
#define HALF_MANT_DIG 11

/// The base of the exponent of `half`.
#define HALF_RADIX 2

/// The exponents of the largest finite and the smallest normalised `half`, to the base 2 and, rounded inwards, to the base 10.
#define HALF_MAX_EXP 16
#define HALF_MIN_EXP (-13)
#define HALF_MAX_10_EXP 4
#define HALF_MIN_10_EXP (-4)

/// The distance from 1 to the next larger `half`: 2⁻¹⁰, about 9.77e-4.
#define HALF_EPSILON 0x1.0p-10h

/// The largest finite `half`: 65504.
#define HALF_MAX 0x1.ffcp15h

/// The smallest positive normalised `half`: 2⁻¹⁴, about 6.10e-5.
#define HALF_MIN 0x1.0p-14h

/// The number of decimal digits that are enough to write any `bfloat` and read back the same value.
//! since("3.1")
#define BFLT_DECIMAL_DIG 4

/// The number of decimal digits that every `bfloat` keeps.
//! since("3.1")
#define BFLT_DIG 2

/// The number of bits of the mantissa of `bfloat`, the hidden bit included.
//! since("3.1")
#define BFLT_MANT_DIG 8

/// The base of the exponent of `bfloat`.
//! since("3.1")
#define BFLT_RADIX 2

/// The exponents of the largest finite and the smallest normalised `bfloat`, to the base 2 and, rounded inwards, to the base 10.
//! since("3.1")
#define BFLT_MAX_EXP 128
#define BFLT_MIN_EXP (-125)
#define BFLT_MAX_10_EXP 38
#define BFLT_MIN_10_EXP (-37)

/// The distance from 1 to the next larger `bfloat`: 2⁻⁷, about 7.81e-3.
//! since("3.1")
#define BFLT_EPSILON 0x1.0p-7bf

/// The largest finite `bfloat`: about 3.39e38.
//! since("3.1")
#define BFLT_MAX 0x1.fep127bf

/// The smallest positive normalised `bfloat`: 2⁻¹²⁶, about 1.18e-38.
//! since("3.1")
#define BFLT_MIN 0x1.0p-126bf

/// The largest finite value of the type.
#define MAXFLOAT FLT_MAX
#define MAXHALF HALF_MAX

/// The largest finite value of the type.
//! since("3.1")
#define MAXBFLOAT BFLT_MAX

/// Positive infinity of the type. Under fast math the compiler may assume that no infinities occur.
#define HUGE_VALF as_type<float>(0x7f800000u)
#define HUGE_VALH as_type<half>(ushort(0x7c00))

/// Positive infinity of the type. Under fast math the compiler may assume that no infinities occur.
//! since("3.1")
#define HUGE_VALBF as_type<bfloat>(ushort(0x7f80))

/// Positive infinity as a `float`. Under fast math the compiler may assume that no infinities occur.
#define INFINITY as_type<float>(0x7f800000u)

/// A quiet NaN as a `float`. Under fast math the compiler may assume that no NaN occurs.
#define NAN as_type<float>(0x7fc00000u)

/// What `ilogb` gives for 0 and for NaN.
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

/// e, the base of the natural logarithm, about 2.71828.
#define M_E_F 2.71828182845904523536028747135266250f
#define M_E_H 2.71828182845904523536028747135266250h

/// e, the base of the natural logarithm, about 2.71828.
//! since("3.1")
#define M_E_BF 2.71828182845904523536028747135266250bf

/// log₂(e), about 1.4427.
#define M_LOG2E_F 1.44269504088896340735992468100189214f
#define M_LOG2E_H 1.44269504088896340735992468100189214h

/// log₂(e), about 1.4427.
//! since("3.1")
#define M_LOG2E_BF 1.44269504088896340735992468100189214bf

/// log₁₀(e), about 0.434294.
#define M_LOG10E_F 0.434294481903251827651128918916605082f
#define M_LOG10E_H 0.434294481903251827651128918916605082h

/// log₁₀(e), about 0.434294.
//! since("3.1")
#define M_LOG10E_BF 0.434294481903251827651128918916605082bf

/// ln(2), about 0.693147.
#define M_LN2_F 0.693147180559945309417232121458176568f
#define M_LN2_H 0.693147180559945309417232121458176568h

/// ln(2), about 0.693147.
//! since("3.1")
#define M_LN2_BF 0.693147180559945309417232121458176568bf

/// ln(10), about 2.30259.
#define M_LN10_F 2.30258509299404568401799145468436421f
#define M_LN10_H 2.30258509299404568401799145468436421h

/// ln(10), about 2.30259.
//! since("3.1")
#define M_LN10_BF 2.30258509299404568401799145468436421bf

/// π, about 3.14159.
#define M_PI_F 3.14159265358979323846264338327950288f
#define M_PI_H 3.14159265358979323846264338327950288h

/// π, about 3.14159.
//! since("3.1")
#define M_PI_BF 3.14159265358979323846264338327950288bf

/// π/2, about 1.5708.
#define M_PI_2_F 1.57079632679489661923132169163975144f
#define M_PI_2_H 1.57079632679489661923132169163975144h

/// π/2, about 1.5708.
//! since("3.1")
#define M_PI_2_BF 1.57079632679489661923132169163975144bf

/// π/4, about 0.785398.
#define M_PI_4_F 0.785398163397448309615660845819875721f
#define M_PI_4_H 0.785398163397448309615660845819875721h

/// π/4, about 0.785398.
//! since("3.1")
#define M_PI_4_BF 0.785398163397448309615660845819875721bf

/// 1/π, about 0.31831.
#define M_1_PI_F 0.318309886183790671537767526745028724f
#define M_1_PI_H 0.318309886183790671537767526745028724h

/// 1/π, about 0.31831.
//! since("3.1")
#define M_1_PI_BF 0.318309886183790671537767526745028724bf

/// 2/π, about 0.63662.
#define M_2_PI_F 0.636619772367581343075535053490057448f
#define M_2_PI_H 0.636619772367581343075535053490057448h

/// 2/π, about 0.63662.
//! since("3.1")
#define M_2_PI_BF 0.636619772367581343075535053490057448bf

/// 2/√π, about 1.12838.
#define M_2_SQRTPI_F 1.12837916709551257389615890312154517f
#define M_2_SQRTPI_H 1.12837916709551257389615890312154517h

/// 2/√π, about 1.12838.
//! since("3.1")
#define M_2_SQRTPI_BF 1.12837916709551257389615890312154517bf

/// √2, about 1.41421.
#define M_SQRT2_F 1.41421356237309504880168872420969808f
#define M_SQRT2_H 1.41421356237309504880168872420969808h

/// √2, about 1.41421.
//! since("3.1")
#define M_SQRT2_BF 1.41421356237309504880168872420969808bf

/// 1/√2, about 0.707107.
#define M_SQRT1_2_F 0.707106781186547524400844362104849039f
#define M_SQRT1_2_H 0.707106781186547524400844362104849039h

/// 1/√2, about 0.707107.
//! since("3.1")
#define M_SQRT1_2_BF 0.707106781186547524400844362104849039bf
