//! Feature macros: `__HAVE_MESH__` and the like, which the library defines by language version.
//!
//! They are not documented, but code tests them with `#if defined(…)`, so the preprocessor must define the right ones.

use msl_preproc::LanguageVersion;

use crate::since::Since;

/// A macro that the library defines as 1 in some versions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureMacro {
    pub name: &'static str,
    /// As in `[[msl::since]]`.
    pub since: &'static str,
    /// Whether toolchains of 4.0 and later no longer define it.
    pub gone_in_4: bool,
}

impl FeatureMacro {
    /// Whether the macro is defined in a version.
    pub fn is_defined_in(&self, version: LanguageVersion) -> bool {
        // A name of one platform family alone stays that family's, unlike a declaration: the macro tells them apart.
        let Some(since) = Since::parse(self.since) else { return false };
        let first = match version.platform {
            msl_preproc::Platform::Ios => since.ios,
            msl_preproc::Platform::MacOs => since.macos,
        };
        first.is_some_and(|(major, minor)| version.at_least(major, minor)) && !(self.gone_in_4 && version.major >= 4)
    }
}

/// The feature macros that a version of the library defines, all as 1.
pub fn feature_macros(version: LanguageVersion) -> impl Iterator<Item = &'static str> {
    FEATURES.iter().filter(move |feature| feature.is_defined_in(version)).map(|feature| feature.name)
}

/// The feature macro of this name, in whatever version.
pub fn feature_macro(name: &str) -> Option<&'static FeatureMacro> {
    FEATURES.binary_search_by(|feature| feature.name.cmp(name)).ok().map(|index| &FEATURES[index])
}

const fn since(name: &'static str, since: &'static str) -> FeatureMacro {
    FeatureMacro { name, since, gone_in_4: false }
}

const fn until_4(name: &'static str, since: &'static str) -> FeatureMacro {
    FeatureMacro { name, since, gone_in_4: true }
}

/// Sorted by name.
const FEATURES: &[FeatureMacro] = &[
    since("__HAVE_16B_COORDS__", "1.2"),
    since("__HAVE_ALWAYS_NEVER_COMPARE_FUNCTION__", "1.1"),
    since("__HAVE_ANISOTROPY_LOD_MIN_MAX__", "ios 1.2, macos 2.0"),
    since("__HAVE_ARBITRARY_GRID_SIZE__", "2.0"),
    since("__HAVE_ARRAYS_OF_SAMPLERS__", "2.0"),
    since("__HAVE_ARRAYS_OF_TEXTURES__", "ios 1.2, macos 2.0"),
    since("__HAVE_ARRAY_CONSTEXPR__", "4.0"),
    since("__HAVE_ARRAY__", "ios 1.2, macos 2.0"),
    since("__HAVE_ATOMIC_BOOL__", "2.4"),
    since("__HAVE_ATOMIC_FENCE__", "3.2"),
    since("__HAVE_ATOMIC_FLOAT__", "3.0"),
    since("__HAVE_ATOMIC_TEMPLATE__", "2.4"),
    since("__HAVE_ATOMIC_ULONG_MIN_MAX__", "2.4"),
    since("__HAVE_ATOMIC_ULONG__", "2.4"),
    since("__HAVE_BARRIER_MEMORY_SCOPE__", "3.2"),
    since("__HAVE_BARYCENTRIC_COORD__", "ios 2.3, macos 2.2"),
    since("__HAVE_BFLOAT__", "3.1"),
    since("__HAVE_BICUBIC_FILTERING__", "ios 1.2, macos 2.3"),
    since("__HAVE_BORDER_COLOR__", "ios 2.3, macos 1.2"),
    since("__HAVE_CALCULATE_LOD__", "ios 2.3, macos 2.2"),
    since("__HAVE_COHERENT__", "3.2"),
    since("__HAVE_COLOR_ARGUMENTS__", "ios 1.0, macos 2.3"),
    since("__HAVE_COMPUTE_COMMANDS_SET_IMAGEBLOCK_SIZE__", "2.3"),
    since("__HAVE_COMPUTE_COMMANDS__", "ios 2.2, macos 2.3"),
    since("__HAVE_COMPUTE_COMMAND_KERNEL_BUFFER_STRIDE__", "3.1"),
    since("__HAVE_COMPUTE_IMPROVED_INDIRECT__", "ios 2.0, macos 2.3"),
    since("__HAVE_COPY_ASSIGNABLE_TEXTURE__", "ios 1.2, macos 2.0"),
    since("__HAVE_DEDUCTION_GUIDES__", "4.0"),
    since("__HAVE_DEFAULT_CONSTRUCTABLE_TEXTURE__", "ios 1.2, macos 2.0"),
    since("__HAVE_DEPENDENT_ATTRIBUTE_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPENDENT_BUFFER_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPENDENT_COLOR_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPENDENT_INDEX_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPENDENT_MAX_TOTAL_THREADS_PER_THREADGROUP_ATTRIBUTE__", "2.2"),
    since("__HAVE_DEPENDENT_PATCH_ATTRIBUTE__", "2.2"),
    since("__HAVE_DEPENDENT_SAMPLER_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPENDENT_TEXTURE_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPENDENT_THREADGROUP_ATTRIBUTE__", "2.0"),
    since("__HAVE_DEPRECATED_FUNC_TYPEDEFS__", "4.0"),
    since("__HAVE_DEPTH_2D_MS_ARRAY__", "ios 2.3, macos 2.1"),
    since("__HAVE_DEPTH_CUBE_ARRAY__", "ios 2.0, macos 1.1"),
    since("__HAVE_DEPTH_CUBE_READ__", "ios 2.0, macos 1.1"),
    since("__HAVE_DEVICE_COHERENT_READ_WRITE_TEXTURES__", "3.2"),
    since("__HAVE_DIVIDE__", "2.1"),
    since("__HAVE_DRAW_INDIRECT__", "1.1"),
    since("__HAVE_DUAL_SOURCE_BLENDING__", "ios 2.0, macos 1.2"),
    since("__HAVE_EARLY_FRAGMENT_TEST__", "1.2"),
    since("__HAVE_EXECUTION_UNIT__", "4.0"),
    since("__HAVE_FMAX3__", "2.1"),
    since("__HAVE_FMA__", "1.1"),
    since("__HAVE_FMEDIAN3__", "2.1"),
    since("__HAVE_FMIN3__", "2.1"),
    since("__HAVE_FUNCTION_CONSTANTS__", "1.2"),
    since("__HAVE_FUNCTION_HANDLES__", "4.0"),
    since("__HAVE_FUNCTION_POINTERS__", "2.3"),
    since("__HAVE_FUNCTION_QUALIFICATION_CXX11_ATTRIBUTES__", "2.3"),
    since("__HAVE_GET_SIZE_COMMAND_BUFFER__", "2.2"),
    since("__HAVE_GLOBAL_COMPUTE_BUILTIN_BINDINGS__", "3.1"),
    since("__HAVE_GLOBAL_RESOURCE_BINDINGS__", "3.2"),
    since("__HAVE_HOST_NAME__", "2.2"),
    until_4("__HAVE_IGNORE_ATTRIBUTE_INCOMPATIBLE_TYPE__", "ios 1.0, macos 1.1"),
    since("__HAVE_IMAGEBLOCKS__", "ios 2.0, macos 2.3"),
    since("__HAVE_IMAGEBLOCK_CHAR_SLICES__", "ios 2.1, macos 2.3"),
    since("__HAVE_INCOMPLETE_POINTEE_TYPE_BUFFER_BINDING__", "2.2"),
    since("__HAVE_INDIRECT_ARGUMENT_BUFFER__", "2.0"),
    since("__HAVE_INDIRECT_WRITABLE_TEXTURES__", "ios 2.2, macos 2.0"),
    since("__HAVE_INT2B_FORMAT_TYPE__", "4.1"),
    since("__HAVE_INT4B_FORMAT_TYPE__", "4.0"),
    since("__HAVE_INTEGER_BIT_EDIT_FUNCTIONS__", "1.2"),
    since("__HAVE_INTEGER_LONG_FUNCTIONS__", "2.3"),
    since("__HAVE_INTERPOLATION_FUNCTIONS__", "2.3"),
    since("__HAVE_LOGGING__", "3.2"),
    since("__HAVE_MAD24__", "2.1"),
    since("__HAVE_MAKE_FILLED_MATRIX__", "2.3"),
    since("__HAVE_MATRIX_MULTIPLE_SCALAR_CONSTRUCTORS__", "2.0"),
    since("__HAVE_MATRIX_SCALAR_DIVISION__", "2.3"),
    since("__HAVE_MATRIX_THREADGROUP_DEFAULT_CONSTRUCTOR__", "3.0"),
    since("__HAVE_MAX3__", "2.1"),
    since("__HAVE_MAX_TOTAL_THREADS_PER_THREADGROUP__", "2.1"),
    since("__HAVE_MEDIAN3__", "2.1"),
    since("__HAVE_MEMFLAG_OPERATORS__", "1.2"),
    since("__HAVE_MEMORY_COHERENCE__", "3.2"),
    since("__HAVE_MESH__", "3.0"),
    since("__HAVE_METAL_FP4_E2M1_FORMAT_TYPE__", "4.1"),
    since("__HAVE_MIN3__", "2.1"),
    since("__HAVE_MIN_LOD_CLAMP__", "2.2"),
    since("__HAVE_MTL_ACCELERATION_STRUCTURE_INSTANCE_OPTIONS__", "2.4"),
    since("__HAVE_MTL_RESOURCE_ID__", "3.1"),
    since("__HAVE_MUL24__", "2.1"),
    since("__HAVE_NESTED_STRUCT__", "2.3"),
    since("__HAVE_NEXTAFTER__", "3.1"),
    until_4("__HAVE_NONE_COMPARE_FUNCTION__", "ios 1.0"),
    since("__HAVE_NON_CONSTEXPR_ATTRIBUTE_INDICES__", "2.0"),
    until_4("__HAVE_NO_ADDR_SPACE_REF__", "ios 1.0, macos 1.1"),
    since("__HAVE_NULLPTR_T__", "3.1"),
    since("__HAVE_NULL_TEXTURE__", "ios 1.2, macos 2.0"),
    until_4("__HAVE_OPERATOR_ADDRESSOF_DELETED__", "ios 1.0, macos 1.1"),
    until_4("__HAVE_OPERATOR_COMMA_DELETED__", "ios 1.0, macos 1.1"),
    since("__HAVE_PACKED_NUMERIC_TYPE__", "4.0"),
    since("__HAVE_PACKED_NUMERIC__", "4.0"),
    since("__HAVE_PACKED_VECTOR_COMPONENTS__", "2.1"),
    since("__HAVE_PACK_UNPACK_RGB10A2_SNORM_FUNCTIONS__", "4.0"),
    since("__HAVE_PIXEL_DATA_TYPES__", "ios 2.0, macos 2.3"),
    since("__HAVE_POSITION_INVARIANCE__", "2.1"),
    since("__HAVE_POST_DEPTH_COVERAGE__", "ios 2.0, macos 2.3"),
    since("__HAVE_PRIMITIVE_ID__", "ios 2.3, macos 2.2"),
    since("__HAVE_PROHIBIT_CXX11_DECL_SPEC_ATTRS__", "2.1"),
    since("__HAVE_QUADGROUP_BALLOT__", "ios 2.2, macos 2.1"),
    since("__HAVE_QUADGROUP_BROADCAST_FIRST__", "ios 2.2, macos 2.1"),
    since("__HAVE_QUADGROUP_IS_FIRST__", "ios 2.2, macos 2.1"),
    since("__HAVE_QUADGROUP_REDUCTION__", "ios 2.3, macos 2.1"),
    since("__HAVE_QUADGROUP_SHUFFLE_AND_FILL__", "2.4"),
    since("__HAVE_QUADGROUP_SHUFFLE_ROTATE_DOWN__", "ios 2.2, macos 2.1"),
    since("__HAVE_QUADGROUP_SHUFFLE_ROTATE_UP__", "ios 2.2, macos 2.1"),
    since("__HAVE_QUADGROUP__", "2.0"),
    since("__HAVE_RASTERIZATION_RATE__", "2.2"),
    since("__HAVE_RASTER_ORDER_GROUP__", "2.0"),
    since("__HAVE_RAYTRACING_CURVES_HINTS__", "3.1"),
    since("__HAVE_RAYTRACING_CURVES__", "3.1"),
    since("__HAVE_RAYTRACING_DIRECT_ACCESS__", "3.2"),
    since("__HAVE_RAYTRACING_EXTENDED_LIMITS__", "2.4"),
    since("__HAVE_RAYTRACING_GET_CANDIDATE_CURVE_DISTANCE__", "3.1"),
    since("__HAVE_RAYTRACING_INDIRECT_INSTANCE_BUILD__", "3.1"),
    since("__HAVE_RAYTRACING_INSTANCE_RANDOM_ACCESS__", "3.1"),
    since("__HAVE_RAYTRACING_INSTANCE_TRANSFORMS__", "2.4"),
    since("__HAVE_RAYTRACING_INTERSECTION_FUNCTION_BUFFER__", "4.0"),
    since("__HAVE_RAYTRACING_INTERSECTION_FUNCTION_HANDLES__", "4.0"),
    since("__HAVE_RAYTRACING_INTERSECTION_QUERY__", "2.4"),
    since("__HAVE_RAYTRACING_MOTION__", "2.4"),
    since("__HAVE_RAYTRACING_MULTI_LEVEL_INSTANCING__", "3.1"),
    since("__HAVE_RAYTRACING_PRIMITIVE_DATA__", "3.0"),
    since("__HAVE_RAYTRACING_RENDER__", "2.4"),
    since("__HAVE_RAYTRACING_TABLE_GET_BUFFERS__", "3.0"),
    since("__HAVE_RAYTRACING_TABLE_SET_BUFFERS__", "3.1"),
    since("__HAVE_RAYTRACING_USER_INSTANCE_ID__", "2.4"),
    since("__HAVE_RAYTRACING__", "2.3"),
    since("__HAVE_RECURSION_COMPUTE__", "2.3"),
    since("__HAVE_RECURSION_RENDER__", "3.0"),
    since("__HAVE_RELAXED_ORDER_ATOMIC__", "ios 1.0, macos 1.1"),
    since("__HAVE_RENDER_COMMANDS__", "2.1"),
    since("__HAVE_RENDER_COMMAND_DEPTH_BIAS__", "4.0"),
    since("__HAVE_RENDER_COMMAND_DEPTH_CLIP_MODE__", "4.0"),
    since("__HAVE_RENDER_COMMAND_DEPTH_STENCIL_STATE__", "4.0"),
    since("__HAVE_RENDER_COMMAND_MESH__", "3.1"),
    since("__HAVE_RENDER_COMMAND_RENDERING__", "4.0"),
    since("__HAVE_RENDER_COMMAND_VERTEX_BUFFER_STRIDE__", "3.1"),
    since("__HAVE_RENDER_DRAW_PATCHES_TESSELLATION_FACTOR_SCALE__", "ios 2.3, macos 2.2"),
    since("__HAVE_RENDER_PIPELINE_STATE__", "ios 2.2, macos 2.1"),
    since("__HAVE_RENDER_TARGET_ARRAY_INDEX_IN_COMPUTE_KERNELS__", "ios 2.1, macos 2.3"),
    since("__HAVE_RENDER_TARGET_ARRAY_INDEX__", "ios 2.1, macos 1.1"),
    until_4("__HAVE_RESTRICT__", "ios 1.0, macos 1.1"),
    since("__HAVE_SAMPLER_LOD_BIAS__", "4.0"),
    since("__HAVE_SAMPLER_REDUCTION__", "ios 3.0, macos 2.3"),
    since("__HAVE_SAMPLE_COMPARE_BIAS_OVERLOAD__", "ios 1.0, macos 2.3"),
    since("__HAVE_SAMPLE_COMPARE_GRADIENT2D_OVERLOAD__", "ios 1.0, macos 2.3"),
    since("__HAVE_SAMPLE_COMPARE_GRADIENTCUBE_OVERLOAD__", "ios 1.0, macos 2.3"),
    since("__HAVE_SAMPLING_INTERPOLATION_QUALIFIER_STRUCTS__", "2.4"),
    since("__HAVE_SELECT_FAST_PRECISE_FUNCTIONS__", "3.2"),
    since("__HAVE_SIMDGROUP_BALLOT_VOTE_ULONG__", "ios 2.3, macos 2.1"),
    since("__HAVE_SIMDGROUP_BALLOT__", "ios 2.2, macos 2.1"),
    since("__HAVE_SIMDGROUP_BARRIER__", "ios 1.2, macos 2.0"),
    since("__HAVE_SIMDGROUP_BROADCAST_FIRST__", "ios 2.2, macos 2.1"),
    since("__HAVE_SIMDGROUP_INFO_IN_FRAGMENT_FUNCTIONS__", "2.2"),
    since("__HAVE_SIMDGROUP_IS_FIRST__", "ios 2.2, macos 2.1"),
    since("__HAVE_SIMDGROUP_MATRIX__", "2.3"),
    since("__HAVE_SIMDGROUP_REDUCTION__", "ios 2.3, macos 2.1"),
    since("__HAVE_SIMDGROUP_SHUFFLE_AND_FILL__", "2.4"),
    since("__HAVE_SIMDGROUP_SHUFFLE_ROTATE_DOWN__", "ios 2.2, macos 2.1"),
    since("__HAVE_SIMDGROUP_SHUFFLE_ROTATE_UP__", "ios 2.2, macos 2.1"),
    since("__HAVE_SIMDGROUP__", "ios 2.2, macos 2.0"),
    since("__HAVE_SIMD_TYPES_PREFIX__", "2.1"),
    since("__HAVE_SPARSE_SAMPLE_COMPARE_BIAS_OVERLOAD__", "ios 2.2, macos 2.3"),
    since("__HAVE_SPARSE_SAMPLE_COMPARE_GRADIENT2D_OVERLOAD__", "ios 2.2, macos 2.3"),
    since("__HAVE_SPARSE_SAMPLE_COMPARE_GRADIENTCUBE_OVERLOAD__", "ios 2.2, macos 2.3"),
    since("__HAVE_SPARSE_TEXTURES__", "ios 2.2, macos 2.3"),
    since("__HAVE_STENCIL_FEEDBACK__", "2.1"),
    since("__HAVE_STITCHABLE_ATTRIBUTE__", "2.4"),
    since("__HAVE_TENSOR_MULTIPLANE__", "4.1"),
    since("__HAVE_TENSOR_VECTOR_ACCESSOR__", "4.0"),
    since("__HAVE_TENSOR__", "4.0"),
    since("__HAVE_TESSELLATION__", "1.2"),
    since("__HAVE_TEXTURE_2D_MS_ARRAY__", "ios 2.3, macos 2.1"),
    since("__HAVE_TEXTURE_BUFFER__", "2.1"),
    since("__HAVE_TEXTURE_CUBE_ARRAY_RELAXED_ORDER_ATOMIC__", "4.0"),
    since("__HAVE_TEXTURE_CUBE_ARRAY_ULONG_COLOR_CHANNEL__", "4.0"),
    since("__HAVE_TEXTURE_CUBE_ARRAY__", "ios 2.0, macos 1.1"),
    since("__HAVE_TEXTURE_CUBE_READ__", "ios 2.0, macos 1.1"),
    since("__HAVE_TEXTURE_CUBE_RELAXED_ORDER_ATOMIC__", "4.0"),
    since("__HAVE_TEXTURE_CUBE_ULONG_COLOR_CHANNEL__", "4.0"),
    since("__HAVE_TEXTURE_CUBE_WRITE__", "ios 2.0, macos 1.1"),
    since("__HAVE_TEXTURE_READWRITE__", "ios 2.0, macos 1.2"),
    since("__HAVE_TEXTURE_RELAXED_ORDER_ATOMIC__", "3.1"),
    since("__HAVE_TEXTURE_ULONG_COLOR_CHANNEL__", "3.1"),
    since("__HAVE_TEXTURE_WRITABLE_FROM_FRAGMENT__", "ios 2.0, macos 1.2"),
    since("__HAVE_TEXTURE_WRITABLE_FROM_VERTEX__", "ios 2.0, macos 1.2"),
    since("__HAVE_THREADGROUP_MEMORY_IN_FRAGMENT_FUNCTIONS__", "ios 2.0, macos 2.3"),
    since("__HAVE_THREAD_SCOPE__", "3.2"),
    since("__HAVE_TRIG_PI__", "1.1"),
    since("__HAVE_TYPE_TRAIT_ADD_CONST__", "4.0"),
    since("__HAVE_TYPE_TRAIT_ADD_POINTER__", "4.0"),
    since("__HAVE_TYPE_TRAIT_COMMON_TYPE__", "4.0"),
    since("__HAVE_TYPE_TRAIT_IS_ABSTRACT__", "4.0"),
    since("__HAVE_TYPE_TRAIT_IS_ARRAY__", "4.0"),
    since("__HAVE_TYPE_TRAIT_IS_CONSTRUCTIBLE__", "4.0"),
    since("__HAVE_TYPE_TRAIT_IS_VOLATILE__", "4.0"),
    since("__HAVE_TYPE_TRAIT_REMOVE_EXTENT__", "4.0"),
    since("__HAVE_UNBOXED_PACKED_VECTORS__", "2.1"),
    since("__HAVE_UNIFORM__", "2.0"),
    since("__HAVE_UNIONS__", "1.2"),
    since("__HAVE_USER_ANNOTATION__", "4.0"),
    since("__HAVE_UTILITY_INDEX_SEQUENCE__", "4.0"),
    until_4("__HAVE_VECTOR_CONVERSION_IN_ARRAY_INIT__", "ios 1.0, macos 1.1"),
    since("__HAVE_VERTEX_AMPLIFICATION__", "2.2"),
    since("__HAVE_VERTEX_VALUE__", "4.0"),
    since("__HAVE_VIEWPORT_ARRAY_INDEX__", "ios 2.1, macos 2.0"),
    since("__HAVE_VISIBLE_FUNCTIONS__", "2.3"),
    since("__HAVE_VISIBLE_FUNCTION_TABLE_RENDER__", "2.4"),
    since("__HAVE_VISIBLE_FUNCTION_TABLE__", "2.3"),
    until_4("__HAVE_ZERO_LOD_ARG__", "macos 1.1"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_by_version() {
        let has = |version: &str, name: &str| {
            feature_macros(LanguageVersion::parse(version).unwrap()).any(|feature| feature == name)
        };
        assert!(has("metal3.0", "__HAVE_MESH__") && !has("macos-metal2.4", "__HAVE_MESH__"));
        assert!(has("ios-metal2.0", "__HAVE_IMAGEBLOCKS__") && !has("macos-metal2.2", "__HAVE_IMAGEBLOCKS__"));
        assert!(has("metal3.1", "__HAVE_BFLOAT__") && has("metal4.1", "__HAVE_TENSOR_MULTIPLANE__"));
    }

    #[test]
    fn names_are_sorted_and_versions_are_read() {
        assert!(FEATURES.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(FEATURES.iter().all(|feature| Since::parse(feature.since).is_some()));
        assert!(feature_macro("__HAVE_MESH__").is_some() && feature_macro("__HAVE_LUCK__").is_none());
    }
}
