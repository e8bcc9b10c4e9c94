//! The attributes of MSL as one table of facts (MSL spec §2.12–§2.19, §5.1–§5.9).
//!
//! Vocabulary:
//!
//! * An [`AttributeInfo`] describes one attribute name: how its arguments look and in which ways it may be used.
//! * A [`Use`] is one legal way: in which [`Role`], for which [`Stages`], on which types, since when. An attribute such
//!   as `position` has several: an output of vertex functions and an input of fragment functions.
//!
//! The table says what is legal; the checks that go beyond one attribute (at most one `stage_in`, equal types among
//! position attributes, tags that gate an input) are the checker's.
//! The rows stand in [`crate::attribute_table`].

use crate::attribute_table::{ATTRIBUTES, SPREADS};
use crate::sets::{Scalar, TypeSpec};
use crate::since::Since;

/// One attribute name.
#[derive(Clone, Copy, Debug)]
pub struct AttributeInfo {
    /// The name between the brackets.
    pub name: &'static str,
    pub args: Args,
    /// At least one; for an attribute that is illegal in every use that the code could mean, messages list these.
    pub uses: &'static [Use],
    /// The version from which the attribute is deprecated, and what to write instead.
    pub deprecated: Option<(&'static str, &'static str)>,
    /// What it does, in Markdown.
    pub doc: &'static str,
}

/// One legal way to use an attribute.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub role: Role,
    /// The kinds of function that it makes sense for; for members, the functions that use the structure.
    pub stages: Stages,
    /// Any of these; empty where the type does not matter.
    pub types: &'static [Allowed],
    /// As in `[[msl::since]]`; empty for 1.0.
    pub since: &'static str,
}

/// What an attribute does for the declaration that it stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Makes a function an entry point, visible or stitchable.
    Qualifier,
    /// States a property of a function.
    Function,
    /// A value that a stage receives: a parameter of an entry point or a member of a structure that is one.
    Input,
    /// A value that a stage gives to the next: the function's result or a member of it.
    Output,
    /// A slot of an argument table: a parameter of an entry point; from 3.2 on also a program-scope variable.
    Binding,
    /// A built-in value as a program-scope variable (MSL spec §5.9).
    Global,
    /// A member of a structure: an index, a name, a layout.
    Member,
    /// How a fragment input is interpolated (MSL spec §5.4).
    Interpolation,
    /// A function constant, or what depends on one (MSL spec §5.8).
    FunctionConstant,
    /// Stands on a statement.
    Statement,
}

/// A set of threads that work together, from the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    Quadgroup,
    Simdgroup,
    Threadgroup,
}

impl Group {
    /// The group in words.
    pub const fn words(self) -> &'static str {
        match self {
            Group::Quadgroup => "quad-group",
            Group::Simdgroup => "SIMD-group",
            Group::Threadgroup => "threadgroup",
        }
    }
}

/// How the values relate that the threads of a draw or grid get for one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Of a grid, and differs from thread to thread within groups from this size on.
    Grid(Group),
    /// Of a draw, and differs from one vertex or fragment to the next.
    Draw,
    /// The same in a whole threadgroup, or in whatever the hardware runs together of a draw.
    Shared,
    /// Nothing says.
    Open,
}

/// How the values of the input of this attribute relate (MSL spec §5.2.3, tables 5.8 and 5.9); `None` for attributes that
/// are no inputs.
pub fn spread(name: &str) -> Option<Spread> {
    SPREADS.binary_search_by(|(own, _)| (*own).cmp(name)).ok().map(|index| SPREADS[index].1)
}

/// The smallest group within which the input of this attribute differs from thread to thread of a grid; `None` for an
/// input that is the same in a whole threadgroup, and for other attributes.
pub fn differs_within(name: &str) -> Option<Group> {
    match spread(name) {
        Some(Spread::Grid(group)) => Some(group),
        _ => None,
    }
}

/// Whether only functions that run on tiles have the input of this attribute: fragment functions, and those kernels that
/// have it (MSL spec §5.6).
pub fn is_of_tiles(name: &str) -> bool {
    let both = Stages::FRAGMENT.or(Stages::KERNEL);
    attribute(name).is_some_and(|info| info.uses.iter().any(|one| one.role == Role::Input && one.stages == both))
}

/// A set of function kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Stages(pub u16);

impl Stages {
    pub const NONE: Stages = Stages(0);
    /// Vertex functions without `[[patch]]`.
    pub const VERTEX: Stages = Stages(1);
    /// Vertex functions with `[[patch]]`.
    pub const POST_TESSELLATION: Stages = Stages(1 << 1);
    pub const FRAGMENT: Stages = Stages(1 << 2);
    pub const KERNEL: Stages = Stages(1 << 3);
    pub const OBJECT: Stages = Stages(1 << 4);
    pub const MESH: Stages = Stages(1 << 5);
    pub const INTERSECTION: Stages = Stages(1 << 6);
    pub const VISIBLE: Stages = Stages(1 << 7);
    pub const ANY_VERTEX: Stages = Stages::VERTEX.or(Stages::POST_TESSELLATION);
    /// Functions that run as threads of a grid.
    pub const GRID: Stages = Stages::KERNEL.or(Stages::OBJECT).or(Stages::MESH);
    pub const ANY_ENTRY_POINT: Stages =
        Stages::ANY_VERTEX.or(Stages::FRAGMENT).or(Stages::GRID).or(Stages::INTERSECTION);
    pub const ALL: Stages = Stages::ANY_ENTRY_POINT.or(Stages::VISIBLE);

    pub const fn or(self, other: Stages) -> Stages {
        Stages(self.0 | other.0)
    }

    pub const fn contains(self, other: Stages) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn intersects(self, other: Stages) -> bool {
        self.0 & other.0 != 0
    }
}

/// A type or group of types that an attribute may stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Exactly this scalar or vector type.
    Type(Scalar, u8),
    /// A scalar or vector of these scalar types.
    ScalarOrVector(&'static [Scalar]),
    /// An array of `float`.
    FloatArray,
    /// `float4x3` and the like, columns first.
    FloatMatrix(u8, u8),
    /// `array_ref<uint>`.
    UintArrayRef,
    Structure,
    /// Pointers and references to `device` and `constant`, acceleration structures, function tables, tensors.
    Buffer,
    /// Texture types and arrays of them.
    Texture,
    /// `sampler` and arrays of it.
    Sampler,
    /// Pointers and references to `threadgroup`.
    ThreadgroupPointer,
    /// References (and pointers) to the space that carries a payload: `ray_data`, `object_data`.
    PayloadReference,
    /// Pointers and references to `const device`.
    ConstDevicePointer,
    /// A reference to `float` in `ray_data` or `thread`: an input that is also an output.
    FloatReference,
}

impl Allowed {
    /// The scalar and vector types that are meant, where it is a list of such.
    pub fn specs(self) -> Vec<TypeSpec> {
        match self {
            Allowed::Type(scalar, width) => vec![TypeSpec { scalar, width }],
            Allowed::ScalarOrVector(scalars) => {
                scalars.iter().flat_map(|&scalar| (1..=4).map(move |width| TypeSpec { scalar, width })).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The group in words, for messages.
    pub fn describe(self) -> String {
        match self {
            Allowed::Type(scalar, 1) => scalar.name().to_owned(),
            Allowed::Type(scalar, width) => format!("{}{width}", scalar.name()),
            Allowed::ScalarOrVector(scalars) => {
                let names: Vec<_> = scalars.iter().map(|scalar| scalar.name()).collect();
                format!("a scalar or vector of {}", names.join(", "))
            }
            Allowed::FloatArray => "an array of float".to_owned(),
            Allowed::FloatMatrix(columns, rows) => format!("float{columns}x{rows}"),
            Allowed::UintArrayRef => "array_ref<uint>".to_owned(),
            Allowed::Structure => "a structure".to_owned(),
            Allowed::Buffer => {
                "a pointer or reference to device or constant, or a resource bound as a buffer".to_owned()
            }
            Allowed::Texture => "a texture or an array of textures".to_owned(),
            Allowed::Sampler => "a sampler or an array of samplers".to_owned(),
            Allowed::ThreadgroupPointer => "a pointer or reference to threadgroup".to_owned(),
            Allowed::PayloadReference => "a reference to ray_data or object_data".to_owned(),
            Allowed::ConstDevicePointer => "a pointer or reference to const device".to_owned(),
            Allowed::FloatReference => "float, or a reference to float in ray_data".to_owned(),
        }
    }
}

/// The form of an attribute's argument list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Args {
    /// No parentheses.
    None,
    /// One integer constant in this range, inclusive.
    Index { max: u32 },
    /// One integer constant without an upper bound of the language.
    Number,
    /// From one to three integer constants.
    Sizes,
    /// A free name, compared as text.
    Name,
    /// One non-empty string literal.
    String,
    /// One or more string literals.
    Strings,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `patch(quad | triangle)` and, in second place, the number of control points, 0 to 32.
    Patch,
    /// The primitive type and then tags (MSL spec §2.17.1).
    Intersection,
    /// Either an index from 0 to 65535 (on the constant itself) or the name of a function constant.
    FunctionConstant,
    /// Optionally, a type.
    OptionalType,
}

/// The facts about an attribute; `None` if MSL has none of this name.
pub fn attribute(name: &str) -> Option<&'static AttributeInfo> {
    ATTRIBUTES.binary_search_by(|info| info.name.cmp(name)).ok().map(|index| &ATTRIBUTES[index])
}

/// All attributes, by name.
pub fn attributes() -> &'static [AttributeInfo] {
    ATTRIBUTES
}

impl AttributeInfo {
    /// The first version in which any use is legal.
    pub fn since(&self) -> Since {
        let earliest = |a: Option<(u8, u8)>, b: Option<(u8, u8)>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.uses.iter().map(Use::since).fold(Since { ios: None, macos: None }, |all, one| Since {
            ios: earliest(all.ios, one.ios),
            macos: earliest(all.macos, one.macos),
        })
    }

    /// Whether some use has this role.
    pub fn has_role(&self, role: Role) -> bool {
        self.uses.iter().any(|one| one.role == role)
    }
}

impl Use {
    /// The version in which this use appears.
    pub fn since(&self) -> Since {
        Since::parse(self.since).unwrap_or(Since::ALWAYS)
    }
}

/// Attributes of C++ and of the compiler that say nothing about Metal; they are legal and are not checked.
pub fn is_foreign_attribute(namespace: Option<&str>, name: &str) -> bool {
    namespace.is_some_and(|namespace| matches!(namespace, "clang" | "gnu" | "_Clang" | "__gnu__"))
        || FOREIGN.contains(&name)
}

const FOREIGN: &[&str] = &[
    "carries_dependency",
    "deprecated",
    "fallthrough",
    "likely",
    "maybe_unused",
    "no_unique_address",
    "nodiscard",
    "noreturn",
    "unlikely",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        for pair in ATTRIBUTES.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} {}", pair[0].name, pair[1].name);
        }
    }

    #[test]
    fn rows_are_well_formed() {
        for info in ATTRIBUTES {
            assert!(!info.uses.is_empty() && info.doc.ends_with('.'), "{}", info.name);
            for one in info.uses {
                assert!(one.since.is_empty() || Since::parse(one.since).is_some(), "{}", info.name);
                assert!(one.stages != Stages::NONE || one.role != Role::Input, "{}", info.name);
            }
        }
    }

    #[test]
    fn each_input_has_a_spread() {
        let is_input = |info: &AttributeInfo| info.has_role(Role::Input) || info.has_role(Role::Global);
        let inputs: Vec<_> = ATTRIBUTES.iter().filter(|info| is_input(info)).map(|info| info.name).collect();
        let spreads: Vec<_> = SPREADS.iter().map(|(name, _)| *name).collect();
        assert_eq!(inputs, spreads);
        assert_eq!(differs_within("thread_index_in_quadgroup"), Some(Group::Quadgroup));
        assert_eq!((differs_within("vertex_id"), spread("vertex_id")), (None, Some(Spread::Draw)));
        assert_eq!(spread("visible"), None);
    }

    #[test]
    fn inputs_of_tiles() {
        let found: Vec<_> = ATTRIBUTES.iter().map(|info| info.name).filter(|name| is_of_tiles(name)).collect();
        assert_eq!(
            found,
            [
                "alias_implicit_imageblock",
                "alias_implicit_imageblock_color",
                "pixel_position_in_tile",
                "pixels_per_tile",
                "tile_index"
            ]
        );
    }

    #[test]
    fn facts() {
        let types = |name: &str, role| {
            let info = attribute(name).unwrap();
            let one = info.uses.iter().find(|one| one.role == role).unwrap();
            one.types.iter().map(|allowed| allowed.describe()).collect::<Vec<_>>().join(" | ")
        };
        assert_eq!(types("position", Role::Output), "float4");
        assert_eq!(types("vertex_id", Role::Input), "ushort | uint");
        assert_eq!(types("point_size", Role::Output), "float");
        assert_eq!(attribute("buffer").unwrap().args, Args::Index { max: 30 });
        assert_eq!(attribute("texture").unwrap().args, Args::Index { max: 127 });
        assert_eq!(attribute("barycentric_coord").unwrap().since().to_string(), "ios 2.3, macos 2.2");
        assert_eq!(attribute("thread_execution_width").unwrap().deprecated.unwrap().0, "3.0");
        assert!(attribute("vertexid").is_none() && is_foreign_attribute(None, "maybe_unused"));
    }
}
