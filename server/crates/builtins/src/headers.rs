//! The headers: their files, their order, and which spellings of `#include` name them.
//!
//! Vocabulary:
//!
//! * A [`Header`] is one file of declarations. Its *name* is what stands between the angle brackets of the real
//!   library: `metal_math`, `simd/simd.h`.
//! * The *umbrella* headers (`metal_stdlib`, the framework's main header) have no declarations of their own and stand
//!   for others.
//! * Declarations of all headers of Metal's library are visible in every unit; which header offers a name matters for
//!   messages and hovers.
//! * A *framework header* is a header for shaders of one of Apple's other frameworks: `SwiftUI/SwiftUI_Metal.h`. Its
//!   declarations are visible only in units that include it; a [`FrameworkSet`] says which those are.
//! * A framework that is *known by name* has no declarations here; all that is known is that Apple's SDKs have it.

use crate::{sdk, since::Since};

/// The number of a header in [`HEADERS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HeaderId(pub u8);

/// One header of the library.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// The spelling between the angle brackets.
    pub name: &'static str,
    /// The language version that introduced the header, as written in a `since`; empty for 1.0.
    pub since: &'static str,
    pub visibility: Visibility,
    /// The declarations, in the dialect.
    pub text: &'static str,
}

/// Which units see the declarations of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// All; `<metal_stdlib>` includes it.
    Stdlib,
    /// All, though it has to be included by itself.
    Library,
    /// Only those that include it.
    Framework,
}

macro_rules! header {
    ($name:literal) => {
        header!($name, "", Stdlib, $name)
    };
    ($name:literal, $since:literal) => {
        header!($name, $since, Stdlib, $name)
    };
    ($name:literal, $since:literal, $visibility:ident, $file:literal) => {
        Header {
            name: $name,
            since: $since,
            visibility: Visibility::$visibility,
            text: include_str!(concat!("../msl/", $file, ".h")),
        }
    };
}

/// All headers with declarations, in the order in which they are parsed: a header uses only names of those before it.
pub const HEADERS: &[Header] = &[
    header!("TargetConditionals.h", "", Library, "target_conditionals"),
    header!("metal_types"),
    header!("metal_extended_vector"),
    header!("metal_packed_vector"),
    header!("metal_matrix"),
    header!("simd/simd.h", "", Library, "simd"),
    header!("metal_type_traits"),
    header!("metal_limits"),
    header!("metal_initializer_list"),
    header!("metal_utility"),
    header!("metal_functional"),
    header!("metal_assert"),
    header!("metal_math"),
    header!("metal_common"),
    header!("metal_geometric"),
    header!("metal_relational"),
    header!("metal_integer"),
    header!("metal_pack"),
    header!("metal_array", "ios 1.2, macos 2.0"),
    header!("metal_uniform", "2.0"),
    header!("metal_atomic"),
    header!("metal_compute"),
    header!("metal_simdgroup", "ios 2.2, macos 2.0"),
    header!("metal_quadgroup", "ios 2.0, macos 2.1"),
    header!("metal_simdgroup_matrix", "2.3", Library, "metal_simdgroup_matrix"),
    header!("metal_texture"),
    header!("metal_graphics"),
    header!("metal_interpolate", "2.3"),
    header!("metal_vertex_value", "4.0"),
    header!("metal_pixel", "ios 2.0, macos 2.3"),
    header!("metal_imageblocks", "ios 2.0, macos 2.3"),
    header!("metal_tessellation", "1.2"),
    header!("metal_mesh", "3.0"),
    header!("metal_command_buffer", "2.1", Library, "metal_command_buffer"),
    header!("metal_visible_function_table", "2.3"),
    header!("metal_raytracing", "2.3", Library, "metal_raytracing"),
    header!("metal_curves", "3.1"),
    header!("metal_logging", "3.2", Library, "metal_logging"),
    header!("metal_packed_numeric", "4.0", Library, "metal_packed_numeric"),
    header!("metal_tensor", "4.0", Library, "metal_tensor"),
    header!("metal_cooperative_tensor", "4.0", Library, "metal_cooperative_tensor"),
    header!("MetalPerformancePrimitives/MetalPerformancePrimitives.h", "4.0", Library, "metal_performance_primitives"),
    header!("__metal_compiler", "", Stdlib, "compiler"),
    header!("SwiftUI/SwiftUI_Metal.h", "", Framework, "frameworks/swiftui"),
    header!("CoreImage/CoreImage.h", "", Framework, "frameworks/coreimage"),
    header!("SceneKit/scn_metal", "", Framework, "frameworks/scenekit"),
    header!("RealityKit/RealityKit.h", "", Framework, "frameworks/realitykit"),
    header!("MetalPerformanceShaders/MetalPerformanceShaders.h", "", Framework, "frameworks/metal_performance_shaders"),
];

/// The other spellings of framework headers. A framework's main header stands for the part of it that is for shaders.
const FRAMEWORK_SPELLINGS: &[(&str, &str)] = &[
    ("SwiftUI/SwiftUI.h", "SwiftUI/SwiftUI_Metal.h"),
    ("CoreImage/CIKernelMetalLib.h", "CoreImage/CoreImage.h"),
    ("scn_metal", "SceneKit/scn_metal"),
    ("SceneKit/SceneKit.h", "SceneKit/scn_metal"),
];

/// How names begin that a framework header declares beside those that are known.
const UNLISTED_NAMES: &[(&str, &str)] = &[
    ("SceneKit/scn_metal", "SCN"),
    ("SceneKit/scn_metal", "scn_"),
    ("MetalPerformanceShaders/MetalPerformanceShaders.h", "MPS"),
    ("MetalPerformanceShaders/MetalPerformanceShaders.h", "mps"),
];

/// The framework headers that a unit includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameworkSet(u32);

impl FrameworkSet {
    /// Adds a header; one of Metal's library changes nothing, because every unit has it.
    pub fn insert(&mut self, id: HeaderId) {
        if let Some(bit) = Self::bit(id) {
            self.0 |= bit;
        }
    }

    /// Whether it has a framework header.
    pub fn contains(self, id: HeaderId) -> bool {
        Self::bit(id).is_some_and(|bit| self.0 & bit != 0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as a number, for data that leaves the program and comes back.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The set of a number that [`FrameworkSet::bits`] gave; what names no header is left out.
    pub fn from_bits(bits: u32) -> FrameworkSet {
        let mut set = FrameworkSet::default();
        headers().filter(|&id| FrameworkSet(bits).contains(id)).for_each(|id| set.insert(id));
        set
    }

    /// Whether one of the headers may declare a name in the global scope that is not known here.
    pub fn may_declare(self, name: &str) -> bool {
        UNLISTED_NAMES.iter().any(|(header, start)| {
            name.starts_with(start) && headers().any(|id| self.contains(id) && id.header().name == *header)
        })
    }

    fn bit(id: HeaderId) -> Option<u32> {
        let is_framework = |header: &Header| header.visibility == Visibility::Framework;
        if !is_framework(id.header()) {
            return None;
        }
        let number = HEADERS[..id.0 as usize].iter().filter(|header| is_framework(header)).count();
        1u32.checked_shl(number as u32)
    }
}

impl HeaderId {
    /// The header of this number.
    pub fn header(self) -> &'static Header {
        &HEADERS[self.0 as usize]
    }

    /// The version that introduced the header.
    pub fn since(self) -> Since {
        Since::parse(self.header().since).unwrap_or(Since::ALWAYS)
    }

    /// The header's own description: the text of its `//!` lines, without those that give versions of macros.
    pub fn documentation(self) -> String {
        let lines = self.header().text.lines().map_while(|line| line.strip_prefix("//!"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    }
}

/// All headers, in order.
pub fn headers() -> impl ExactSizeIterator<Item = HeaderId> {
    (0..HEADERS.len()).map(|index| HeaderId(index as u8))
}

/// What an `#include` that names no file of the project stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryInclude {
    /// A header with declarations.
    Header(HeaderId),
    /// A header of the library without declarations of its own: `<metal_stdlib>`.
    Umbrella(&'static str),
    /// A header of the C or C++ standard library, which Metal has not (MSL spec §1.5.4); with the header of Metal's
    /// library that offers most of the same, if there is one.
    Standard { instead: Option<&'static str> },
    /// A header of Apple's SDKs that has no declarations here.
    Sdk,
}

/// Whether a header of C belongs to the compiler rather than to a library, so that it may be there (C [conform], the
/// headers of freestanding implementations).
pub fn comes_with_compiler(spelling: &str) -> bool {
    matches!(spelling, "float.h" | "limits.h" | "stdbool.h" | "stddef.h" | "stdint.h")
}

/// Finds out what the text between the brackets or quotes of an `#include` names.
pub fn lookup_include(spelling: &str) -> Option<LibraryInclude> {
    if let Some(index) = HEADERS.iter().position(|header| header.name == spelling) {
        return Some(LibraryInclude::Header(HeaderId(index as u8)));
    }
    if let Some(name) = UMBRELLAS.iter().find(|name| **name == spelling) {
        return Some(LibraryInclude::Umbrella(name));
    }
    let named = |name: &str| HEADERS.iter().position(|header| header.name == name).map(|index| HeaderId(index as u8));
    if let Some((_, name)) = FRAMEWORK_SPELLINGS.iter().find(|(other, _)| *other == spelling) {
        return named(name).map(LibraryInclude::Header);
    }
    if spelling.starts_with("MetalPerformancePrimitives/") {
        return named("MetalPerformancePrimitives/MetalPerformancePrimitives.h").map(LibraryInclude::Header);
    }
    // The parts of `<simd/simd.h>` that hosts and shaders share.
    if matches!(
        spelling,
        "simd/base.h"
            | "simd/types.h"
            | "simd/vector_types.h"
            | "simd/matrix_types.h"
            | "simd/packed.h"
            | "simd/vector.h"
            | "simd/matrix.h"
    ) {
        return named("simd/simd.h").map(LibraryInclude::Header);
    }
    if let Some((_, instead)) = STANDARD_HEADERS.iter().find(|(name, _)| *name == spelling) {
        return Some(LibraryInclude::Standard { instead: *instead });
    }
    sdk::has_header(spelling).then_some(LibraryInclude::Sdk)
}

/// Headers of Metal's library that only include others or define feature macros.
const UMBRELLAS: &[&str] = &["metal_stdlib", "metal_config"];

/// Headers of C and C++ that people include by habit, and what to include instead.
const STANDARD_HEADERS: &[(&str, Option<&str>)] = &[
    ("algorithm", Some("metal_math")),
    ("array", Some("metal_array")),
    ("atomic", Some("metal_atomic")),
    ("bit", None),
    ("bitset", None),
    ("cassert", Some("metal_assert")),
    ("assert.h", Some("metal_assert")),
    ("cfloat", Some("metal_types")),
    ("float.h", Some("metal_types")),
    ("chrono", None),
    ("climits", Some("metal_types")),
    ("limits.h", Some("metal_types")),
    ("cmath", Some("metal_math")),
    ("math.h", Some("metal_math")),
    ("complex", None),
    ("complex.h", None),
    ("concepts", None),
    ("cstddef", Some("metal_types")),
    ("stddef.h", Some("metal_types")),
    ("cstdint", Some("metal_types")),
    ("stdint.h", Some("metal_types")),
    ("stdbool.h", None),
    ("cstdio", Some("metal_logging")),
    ("stdio.h", Some("metal_logging")),
    ("cstdlib", None),
    ("stdlib.h", None),
    ("cstring", None),
    ("string.h", None),
    ("deque", None),
    ("exception", None),
    ("functional", Some("metal_functional")),
    ("initializer_list", Some("metal_initializer_list")),
    ("iostream", Some("metal_logging")),
    ("iterator", None),
    ("limits", Some("metal_limits")),
    ("list", None),
    ("map", None),
    ("memory", None),
    ("mutex", None),
    ("new", None),
    ("numbers", Some("metal_types")),
    ("numeric", None),
    ("optional", None),
    ("queue", None),
    ("random", None),
    ("ratio", None),
    ("set", None),
    ("span", Some("metal_array")),
    ("stack", None),
    ("stdexcept", None),
    ("string", None),
    ("string_view", None),
    ("thread", None),
    ("tuple", None),
    ("type_traits", Some("metal_type_traits")),
    ("typeinfo", None),
    ("unordered_map", None),
    ("unordered_set", None),
    ("utility", Some("metal_utility")),
    ("valarray", None),
    ("variant", None),
    ("vector", Some("metal_array")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let name = |spelling| match lookup_include(spelling) {
            Some(LibraryInclude::Header(id)) => id.header().name,
            other => panic!("{spelling}: {other:?}"),
        };
        assert_eq!(name("metal_math"), "metal_math");
        assert_eq!(name("simd/simd.h"), "simd/simd.h");
        assert_eq!(name("simd/vector_types.h"), "simd/simd.h");
        assert_eq!(
            name("MetalPerformancePrimitives/MPPTensorOpsMatMul2d.h"),
            "MetalPerformancePrimitives/MetalPerformancePrimitives.h"
        );
        assert_eq!(lookup_include("metal_stdlib"), Some(LibraryInclude::Umbrella("metal_stdlib")));
        assert_eq!(lookup_include("cmath"), Some(LibraryInclude::Standard { instead: Some("metal_math") }));
        assert_eq!(name("SwiftUI/SwiftUI.h"), "SwiftUI/SwiftUI_Metal.h");
        assert_eq!(lookup_include("ARKit/ARKit.h"), Some(LibraryInclude::Sdk));
        assert_eq!(lookup_include("vector_types.h"), None);
        assert_eq!(lookup_include("metal"), None);
    }

    #[test]
    fn every_header_describes_itself() {
        for id in headers() {
            assert!(!id.documentation().is_empty(), "{}", id.header().name);
            assert!(Since::parse(id.header().since).is_some() || id.header().since.is_empty());
        }
    }
}
