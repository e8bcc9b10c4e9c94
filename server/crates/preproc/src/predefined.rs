//! The macros that are defined before the first line: those of the language version, those that every clang-based
//! compiler has, and those whose value depends on where they stand.
//!
//! Which of `__METAL__`, `__METAL_MACOS__` and `__METAL_IOS__` exists depends on the version: below 3.0 the platform's,
//! from 3.0 on `__METAL__` alone, since the language is one there.

mod features;

use std::{
    fmt::Write,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rustc_hash::FxHashMap;

use crate::{
    macros::{Builtin, MacroDef, MacroTable},
    preprocess::macros_of_text,
    source::FileId,
    version::{LanguageVersion, Platform},
};

/// The predefined macros of a version. They are made once for each version.
pub fn predefined_macros(version: LanguageVersion) -> Arc<MacroTable> {
    static TABLES: OnceLock<Mutex<FxHashMap<LanguageVersion, Arc<MacroTable>>>> = OnceLock::new();
    let tables = TABLES.get_or_init(Mutex::default);
    let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
    let table = tables.entry(version).or_insert_with(|| {
        let mut table = macros_of_text(FileId::PREDEFINED, predefined_text(version));
        for &(name, builtin) in Builtin::ALL {
            table.define(Arc::new(MacroDef::builtin(name, builtin)));
        }
        Arc::new(table)
    });
    Arc::clone(table)
}

/// The predefined macros of a version as `#define` lines, without those that are computed.
pub fn predefined_text(version: LanguageVersion) -> String {
    let mut text = String::with_capacity(16 << 10);
    let mut define = |name: &str, value: &str| {
        let _ = writeln!(text, "#define {name} {value}");
    };
    define("__METAL_VERSION__", &version.macro_value().to_string());
    define("__cplusplus", &format!("{}L", version.cplusplus()));
    if version.at_least(3, 0) {
        define("__METAL__", "1");
    } else {
        match version.platform {
            Platform::MacOs => define("__METAL_MACOS__", "1"),
            Platform::Ios => define("__METAL_IOS__", "1"),
        }
    }
    if version.at_least(2, 0) {
        // Strictly the deployment target decides the AIR version; this is that of the first system with the language
        // version: 2.0 for Metal 2.0, one minor number more for each language version after it.
        let steps = [(2, 1), (2, 2), (2, 3), (2, 4), (3, 0), (3, 1), (3, 2), (4, 0)];
        let minor = steps.iter().filter(|&&(major, minor)| version.at_least(major, minor)).count();
        define("__AIR_VERSION__", &(20_000 + 100 * minor).to_string());
    }
    for feature in features::FEATURES {
        let since = match (version.platform, version.at_least(3, 0)) {
            (_, true) => feature.macos.or(feature.ios),
            (Platform::MacOs, false) => feature.macos,
            (Platform::Ios, false) => feature.ios,
        };
        if since.is_some_and(|since| version.at_least(since / 10, since % 10)) {
            define(feature.name, "1");
        }
    }
    for &(name, value) in COMMON {
        define(name, value);
    }
    text
}

/// What does not depend on the version. Sizes are those of MSL's types (MSL spec §2.1): `int` has 32 bits, `long` and
/// pointers 64, `float` is binary32; `double` and `long long` do not exist.
const COMMON: &[(&str, &str)] = &[
    // Metal's compiler, for 64-bit targets, with its default of fast math.
    ("__AIR64__", "1"),
    ("__FAST_MATH__", "1"),
    ("__FINITE_MATH_ONLY__", "1"),
    // The numbers of the math modes, which programs pass to the compiler's builtin functions.
    ("__METAL_FAST_MATH__", "0"),
    ("__METAL_HALF_MATH__", "1"),
    ("__METAL_NATIVE_MATH__", "2"),
    ("__METAL_PRECISE_MATH__", "3"),
    ("__METAL_MATH_FP32_FUNCTIONS_FAST__", "1"),
    // clang. The version is that of the clang that Metal's compiler was forked from at least; programs test for its
    // presence, not for its number.
    ("__clang__", "1"),
    ("__clang_major__", "17"),
    ("__clang_minor__", "0"),
    ("__clang_patchlevel__", "0"),
    ("__clang_version__", "\"17.0.0\""),
    ("__llvm__", "1"),
    ("__GNUC__", "4"),
    ("__GNUC_MINOR__", "2"),
    ("__GNUC_PATCHLEVEL__", "1"),
    ("__GNUG__", "4"),
    ("__GXX_ABI_VERSION", "1002"),
    ("__APPLE__", "1"),
    ("__MACH__", "1"),
    ("__VERSION__", "\"Metal\""),
    ("__STDC__", "1"),
    ("__STDC_HOSTED__", "0"),
    ("__DATE__", "\"Jan  1 1970\""),
    ("__TIME__", "\"00:00:00\""),
    ("__TIMESTAMP__", "\"Thu Jan  1 00:00:00 1970\""),
    ("__OPTIMIZE__", "1"),
    ("__NO_INLINE__", "1"),
    ("__LP64__", "1"),
    ("_LP64", "1"),
    // Byte order.
    ("__LITTLE_ENDIAN__", "1"),
    ("__ORDER_BIG_ENDIAN__", "4321"),
    ("__ORDER_LITTLE_ENDIAN__", "1234"),
    ("__ORDER_PDP_ENDIAN__", "3412"),
    ("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__"),
    // Integers.
    ("__CHAR_BIT__", "8"),
    ("__BOOL_WIDTH__", "8"),
    ("__SCHAR_MAX__", "127"),
    ("__SHRT_MAX__", "32767"),
    ("__INT_MAX__", "2147483647"),
    ("__LONG_MAX__", "9223372036854775807L"),
    ("__SHRT_WIDTH__", "16"),
    ("__INT_WIDTH__", "32"),
    ("__LONG_WIDTH__", "64"),
    ("__SIZE_WIDTH__", "64"),
    ("__PTRDIFF_WIDTH__", "64"),
    ("__INTPTR_WIDTH__", "64"),
    ("__UINTPTR_WIDTH__", "64"),
    ("__POINTER_WIDTH__", "64"),
    ("__SIZE_MAX__", "18446744073709551615UL"),
    ("__PTRDIFF_MAX__", "9223372036854775807L"),
    ("__INTPTR_MAX__", "9223372036854775807L"),
    ("__UINTPTR_MAX__", "18446744073709551615UL"),
    ("__INTMAX_MAX__", "9223372036854775807L"),
    ("__UINTMAX_MAX__", "18446744073709551615UL"),
    ("__INT8_MAX__", "127"),
    ("__INT16_MAX__", "32767"),
    ("__INT32_MAX__", "2147483647"),
    ("__INT64_MAX__", "9223372036854775807L"),
    ("__UINT8_MAX__", "255"),
    ("__UINT16_MAX__", "65535"),
    ("__UINT32_MAX__", "4294967295U"),
    ("__UINT64_MAX__", "18446744073709551615UL"),
    ("__INT8_TYPE__", "signed char"),
    ("__INT16_TYPE__", "short"),
    ("__INT32_TYPE__", "int"),
    ("__INT64_TYPE__", "long"),
    ("__UINT8_TYPE__", "unsigned char"),
    ("__UINT16_TYPE__", "unsigned short"),
    ("__UINT32_TYPE__", "unsigned int"),
    ("__UINT64_TYPE__", "unsigned long"),
    ("__INTMAX_TYPE__", "long"),
    ("__UINTMAX_TYPE__", "unsigned long"),
    ("__INTPTR_TYPE__", "long"),
    ("__UINTPTR_TYPE__", "unsigned long"),
    ("__PTRDIFF_TYPE__", "long"),
    ("__SIZE_TYPE__", "unsigned long"),
    ("__SIZEOF_SHORT__", "2"),
    ("__SIZEOF_INT__", "4"),
    ("__SIZEOF_LONG__", "8"),
    ("__SIZEOF_FLOAT__", "4"),
    ("__SIZEOF_POINTER__", "8"),
    ("__SIZEOF_PTRDIFF_T__", "8"),
    ("__SIZEOF_SIZE_T__", "8"),
    // binary32.
    ("__FLT_RADIX__", "2"),
    ("__FLT_MANT_DIG__", "24"),
    ("__FLT_DIG__", "6"),
    ("__FLT_DECIMAL_DIG__", "9"),
    ("__FLT_EPSILON__", "1.19209290e-7F"),
    ("__FLT_MIN__", "1.17549435e-38F"),
    ("__FLT_MAX__", "3.40282347e+38F"),
    ("__FLT_DENORM_MIN__", "1.40129846e-45F"),
    ("__FLT_NORM_MAX__", "3.40282347e+38F"),
    ("__FLT_MIN_EXP__", "(-125)"),
    ("__FLT_MAX_EXP__", "128"),
    ("__FLT_MIN_10_EXP__", "(-37)"),
    ("__FLT_MAX_10_EXP__", "38"),
    ("__FLT_HAS_DENORM__", "1"),
    ("__FLT_HAS_INFINITY__", "1"),
    ("__FLT_HAS_QUIET_NAN__", "1"),
    ("__FLT_EVAL_METHOD__", "0"),
    // binary16.
    ("__FLT16_MANT_DIG__", "11"),
    ("__FLT16_DIG__", "3"),
    ("__FLT16_DECIMAL_DIG__", "5"),
    ("__FLT16_EPSILON__", "9.765625e-4F16"),
    ("__FLT16_MIN__", "6.103515625e-5F16"),
    ("__FLT16_MAX__", "6.5504e+4F16"),
    ("__FLT16_DENORM_MIN__", "5.9604644775390625e-8F16"),
    ("__FLT16_MIN_EXP__", "(-13)"),
    ("__FLT16_MAX_EXP__", "16"),
    ("__FLT16_MIN_10_EXP__", "(-4)"),
    ("__FLT16_MAX_10_EXP__", "4"),
    ("__FLT16_HAS_DENORM__", "1"),
    ("__FLT16_HAS_INFINITY__", "1"),
    ("__FLT16_HAS_QUIET_NAN__", "1"),
];
