//! The type sets of `[[msl::each(T, …)]]`.
//!
//! A set name is a word of the dialect (`floats`, `small_integers`); [`expand`] turns it into its types. The table is
//! described for readers in `DIALECT.md`.

/// An arithmetic scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    BFloat,
    Float,
}

/// A scalar type or a vector of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeSpec {
    pub scalar: Scalar,
    /// 1 for the scalar itself, else 2, 3 or 4.
    pub width: u8,
}

impl Scalar {
    /// All of them.
    pub const ALL: &[Scalar] = &[
        Scalar::Bool,
        Scalar::Char,
        Scalar::UChar,
        Scalar::Short,
        Scalar::UShort,
        Scalar::Int,
        Scalar::UInt,
        Scalar::Long,
        Scalar::ULong,
        Scalar::Half,
        Scalar::BFloat,
        Scalar::Float,
    ];

    /// The name in MSL.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Char => "char",
            Scalar::UChar => "uchar",
            Scalar::Short => "short",
            Scalar::UShort => "ushort",
            Scalar::Int => "int",
            Scalar::UInt => "uint",
            Scalar::Long => "long",
            Scalar::ULong => "ulong",
            Scalar::Half => "half",
            Scalar::BFloat => "bfloat",
            Scalar::Float => "float",
        }
    }

    fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.iter().copied().find(|scalar| scalar.name() == name)
    }
}

/// The widths that a set takes of each of its scalar types.
const ALL_WIDTHS: &[u8] = &[1, 2, 3, 4];
const VECTOR_WIDTHS: &[u8] = &[2, 3, 4];
const SCALAR_WIDTH: &[u8] = &[1];

/// The sets that join several scalar types.
const UNIONS: &[(&str, &[Scalar], &[u8])] = {
    use Scalar::*;
    const SMALL: &[Scalar] = &[Char, UChar, Short, UShort, Int, UInt];
    const INTEGERS: &[Scalar] = &[Char, UChar, Short, UShort, Int, UInt, Long, ULong];
    const FLOATING: &[Scalar] = &[Float, Half];
    const ALL_FLOATING: &[Scalar] = &[Float, Half, BFloat];
    const ARITHMETIC: &[Scalar] = &[Char, UChar, Short, UShort, Int, UInt, Long, ULong, Float, Half, BFloat];
    &[
        ("small_integers", SMALL, ALL_WIDTHS),
        ("long_integers", &[Long, ULong], ALL_WIDTHS),
        ("integers", INTEGERS, ALL_WIDTHS),
        ("signed_integers", &[Char, Short, Int, Long], ALL_WIDTHS),
        ("unsigned_integers", &[UChar, UShort, UInt, ULong], ALL_WIDTHS),
        ("small_signed_integers", &[Char, Short, Int], ALL_WIDTHS),
        ("small_unsigned_integers", &[UChar, UShort, UInt], ALL_WIDTHS),
        ("floating", FLOATING, ALL_WIDTHS),
        ("floating_vectors", FLOATING, VECTOR_WIDTHS),
        ("all_floating", ALL_FLOATING, ALL_WIDTHS),
        ("all_floating_vectors", ALL_FLOATING, VECTOR_WIDTHS),
        ("integer_scalars", INTEGERS, SCALAR_WIDTH),
        ("floating_scalars", FLOATING, SCALAR_WIDTH),
        ("all_floating_scalars", ALL_FLOATING, SCALAR_WIDTH),
        ("arithmetic", ARITHMETIC, ALL_WIDTHS),
        ("everything", Scalar::ALL, ALL_WIDTHS),
    ]
};

/// The types of a set, scalars by width; `None` if the dialect has no set of this name.
pub fn expand(set: &str) -> Option<Vec<TypeSpec>> {
    let product = |scalars: &[Scalar], widths: &[u8]| {
        let of_scalar = |&scalar: &Scalar| widths.iter().map(move |&width| TypeSpec { scalar, width });
        scalars.iter().flat_map(of_scalar).collect::<Vec<_>>()
    };
    if let Some((_, scalars, widths)) = UNIONS.iter().find(|(name, ..)| *name == set) {
        return Some(product(scalars, widths));
    }
    let one = |name: &str, widths| Scalar::from_name(name).map(|scalar| product(&[scalar], widths));
    if let Some(name) = set.strip_suffix("_scalar") {
        return one(name, SCALAR_WIDTH);
    }
    if let Some(name) = set.strip_suffix("_vectors") {
        return one(name, VECTOR_WIDTHS);
    }
    if let Some(name) = set.strip_suffix('s') {
        return one(name, ALL_WIDTHS);
    }
    let width = match set.as_bytes().last() {
        Some(digit @ b'2'..=b'4') => digit - b'0',
        _ => return None,
    };
    one(&set[..set.len() - 1], &[width])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(set: &str) -> String {
        let spell = |spec: TypeSpec| match spec.width {
            1 => spec.scalar.name().to_string(),
            width => format!("{}{width}", spec.scalar.name()),
        };
        expand(set).unwrap().into_iter().map(spell).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sets() {
        assert_eq!(text("floats"), "float float2 float3 float4");
        assert_eq!(text("half_vectors"), "half2 half3 half4");
        assert_eq!(text("float3"), "float3");
        assert_eq!(text("uint_scalar"), "uint");
        assert_eq!(text("floating_scalars"), "float half");
        assert_eq!(text("long_integers"), "long long2 long3 long4 ulong ulong2 ulong3 ulong4");
        assert_eq!(expand("integers").unwrap().len(), 32);
        assert_eq!(expand("everything").unwrap().len(), 48);
        for set in ["", "float", "float1", "float5", "doubles", "s", "_scalar"] {
            assert_eq!(expand(set), None, "{set}");
        }
    }
}
