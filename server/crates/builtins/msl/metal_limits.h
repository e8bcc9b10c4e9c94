//! The limits of the arithmetic types, as constants of the class template `numeric_limits`.

namespace metal {
/// Whether a type has subnormal values.
enum float_denorm_style {
    /// It is not known, or depends on the GPU.
    denorm_indeterminate = -1,
    /// It has none.
    denorm_absent = 0,
    /// It has them.
    denorm_present = 1,
};

/// How results that are not representable are rounded.
enum float_round_style {
    /// It is not known.
    round_indeterminate = -1,
    /// Towards zero.
    round_toward_zero = 0,
    /// To the nearest representable value.
    round_to_nearest = 1,
    /// Towards positive infinity.
    round_toward_infinity = 2,
    /// Towards negative infinity.
    round_toward_neg_infinity = 3,
};

/// The limits of the arithmetic type `T`. For other types every value is zero or false.
template <typename T> struct numeric_limits {
    /// Whether the template has values for this type.
    static constexpr constant bool is_specialized = false;
    /// Whether the type has negative values.
    static constexpr constant bool is_signed = false;
    /// Whether the type is an integer type.
    static constexpr constant bool is_integer = false;
    /// Whether arithmetic in the type does not round.
    static constexpr constant bool is_exact = false;
    /// Whether the type has an infinity.
    static constexpr constant bool has_infinity = false;
    /// Whether the type has a NaN that operations pass on.
    static constexpr constant bool has_quiet_NaN = false;
    /// Whether the type has a NaN that operations report.
    static constexpr constant bool has_signaling_NaN = false;
    /// Whether the type has subnormal values.
    static constexpr constant float_denorm_style has_denorm = denorm_absent;
    /// Whether a loss of precision is told apart as a subnormal one.
    static constexpr constant bool has_denorm_loss = false;
    /// Whether the type follows IEEE 754.
    static constexpr constant bool is_iec559 = false;
    /// Whether the set of values is finite.
    static constexpr constant bool is_bounded = false;
    /// Whether sums that do not fit wrap around.
    static constexpr constant bool is_modulo = false;
    /// The number of digits to the base `radix` that the type keeps: bits of the value, or of the mantissa.
    static constexpr constant int digits = 0;
    /// The number of decimal digits that the type keeps.
    static constexpr constant int digits10 = 0;
    /// The number of decimal digits that tell all values apart.
    static constexpr constant int max_digits10 = 0;
    /// The base of the representation.
    static constexpr constant int radix = 0;
    /// The least exponent to the base `radix` of a normalised value, plus one.
    static constexpr constant int min_exponent = 0;
    /// The least power of ten that is a normalised value.
    static constexpr constant int min_exponent10 = 0;
    /// The greatest exponent to the base `radix` of a finite value, plus one.
    static constexpr constant int max_exponent = 0;
    /// The greatest power of ten that is a finite value.
    static constexpr constant int max_exponent10 = 0;
    /// Whether some value makes an operation trap.
    static constexpr constant bool traps = false;
    /// Whether subnormal results are found before rounding.
    static constexpr constant bool tinyness_before = false;
    /// How results are rounded.
    static constexpr constant float_round_style round_style = round_toward_zero;
    /// The smallest value; for a floating-point type the smallest positive normalised one.
    static constexpr T min() { return T(); }
    /// The largest finite value.
    static constexpr T max() { return T(); }
    /// The smallest finite value; negative for signed types.
    static constexpr T lowest() { return T(); }
    /// The distance from 1 to the next larger value; 0 for integers.
    static constexpr T epsilon() { return T(); }
    /// The largest rounding error, in units of the last place.
    static constexpr T round_error() { return T(); }
    /// Positive infinity; 0 for types without one.
    static constexpr T infinity() { return T(); }
    /// A NaN that operations pass on; 0 for types without one.
    static constexpr T quiet_NaN() { return T(); }
    /// A NaN that operations report; 0 for types without one.
    static constexpr T signaling_NaN() { return T(); }
    /// The smallest positive subnormal value; 0 for integers.
    static constexpr T denorm_min() { return T(); }
};

#define __msl_integer_limits(T, SIGNED, MODULO, DIGITS, DIGITS10, MIN, MAX) \
    { \
        static constexpr constant bool is_specialized = true; \
        static constexpr constant bool is_signed = SIGNED; \
        static constexpr constant bool is_integer = true; \
        static constexpr constant bool is_exact = true; \
        static constexpr constant bool has_infinity = false; \
        static constexpr constant bool has_quiet_NaN = false; \
        static constexpr constant bool has_signaling_NaN = false; \
        static constexpr constant float_denorm_style has_denorm = denorm_absent; \
        static constexpr constant bool has_denorm_loss = false; \
        static constexpr constant bool is_iec559 = false; \
        static constexpr constant bool is_bounded = true; \
        static constexpr constant bool is_modulo = MODULO; \
        static constexpr constant int digits = DIGITS; \
        static constexpr constant int digits10 = DIGITS10; \
        static constexpr constant int max_digits10 = 0; \
        static constexpr constant int radix = 2; \
        static constexpr constant int min_exponent = 0; \
        static constexpr constant int min_exponent10 = 0; \
        static constexpr constant int max_exponent = 0; \
        static constexpr constant int max_exponent10 = 0; \
        static constexpr constant bool traps = false; \
        static constexpr constant bool tinyness_before = false; \
        static constexpr constant float_round_style round_style = round_toward_zero; \
        static constexpr T min() { return MIN; } \
        static constexpr T max() { return MAX; } \
        static constexpr T lowest() { return MIN; } \
        static constexpr T epsilon() { return 0; } \
        static constexpr T round_error() { return 0; } \
        static constexpr T infinity() { return 0; } \
        static constexpr T quiet_NaN() { return 0; } \
        static constexpr T signaling_NaN() { return 0; } \
        static constexpr T denorm_min() { return 0; } \
    }

#define __msl_float_limits(T, P, SUFFIX, NAME) \
    { \
        static constexpr constant bool is_specialized = true; \
        static constexpr constant bool is_signed = true; \
        static constexpr constant bool is_integer = false; \
        static constexpr constant bool is_exact = false; \
        static constexpr constant bool has_infinity = true; \
        static constexpr constant bool has_quiet_NaN = true; \
        static constexpr constant bool has_signaling_NaN = false; \
        static constexpr constant float_denorm_style has_denorm = denorm_indeterminate; \
        static constexpr constant bool has_denorm_loss = false; \
        static constexpr constant bool is_iec559 = true; \
        static constexpr constant bool is_bounded = true; \
        static constexpr constant bool is_modulo = false; \
        static constexpr constant int digits = P##_MANT_DIG; \
        static constexpr constant int digits10 = P##_DIG; \
        static constexpr constant int max_digits10 = P##_DECIMAL_DIG; \
        static constexpr constant int radix = 2; \
        static constexpr constant int min_exponent = P##_MIN_EXP; \
        static constexpr constant int min_exponent10 = P##_MIN_10_EXP; \
        static constexpr constant int max_exponent = P##_MAX_EXP; \
        static constexpr constant int max_exponent10 = P##_MAX_10_EXP; \
        static constexpr constant bool traps = false; \
        static constexpr constant bool tinyness_before = false; \
        static constexpr constant float_round_style round_style = round_to_nearest; \
        static constexpr T min() { return P##_MIN; } \
        static constexpr T max() { return P##_MAX; } \
        static constexpr T lowest() { return -P##_MAX; } \
        static constexpr T epsilon() { return P##_EPSILON; } \
        static constexpr T round_error() { return 0.5##SUFFIX; } \
        static constexpr T infinity() { return T(INFINITY); } \
        static constexpr T quiet_NaN() { return T(NAN); } \
        static constexpr T signaling_NaN() { return T(NAN); } \
        static constexpr T denorm_min() { return NAME; } \
    }

/// The limits of an integer type.
template <> struct numeric_limits<bool> __msl_integer_limits(bool, false, false, 1, 0, false, true);
template <> struct numeric_limits<char> __msl_integer_limits(char, true, false, 7, 2, CHAR_MIN, CHAR_MAX);
template <> struct numeric_limits<signed char> __msl_integer_limits(signed char, true, false, 7, 2, SCHAR_MIN, SCHAR_MAX);
template <> struct numeric_limits<uchar> __msl_integer_limits(uchar, false, true, 8, 2, 0, UCHAR_MAX);
template <> struct numeric_limits<short> __msl_integer_limits(short, true, false, 15, 4, SHRT_MIN, SHRT_MAX);
template <> struct numeric_limits<ushort> __msl_integer_limits(ushort, false, true, 16, 4, 0, USHRT_MAX);
template <> struct numeric_limits<int> __msl_integer_limits(int, true, false, 31, 9, INT_MIN, INT_MAX);
template <> struct numeric_limits<uint> __msl_integer_limits(uint, false, true, 32, 9, 0, UINT_MAX);
template <> struct [[msl::since("2.2")]] numeric_limits<long> __msl_integer_limits(long, true, false, 63, 18, LONG_MIN, LONG_MAX);
template <> struct [[msl::since("2.2")]] numeric_limits<ulong> __msl_integer_limits(ulong, false, true, 64, 19, 0, ULONG_MAX);

/// The limits of a floating-point type.
template <> struct numeric_limits<half> __msl_float_limits(half, HALF, h, 0x1.0p-24h);
template <> struct [[msl::since("3.1")]] numeric_limits<bfloat> __msl_float_limits(bfloat, BFLT, bf, 0x1.0p-133bf);
template <> struct numeric_limits<float> __msl_float_limits(float, FLT, f, 0x1.0p-149f);

#undef __msl_integer_limits
#undef __msl_float_limits
} // namespace metal
