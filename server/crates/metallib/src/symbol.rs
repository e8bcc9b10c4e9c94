//! Symbols of a module and the address spaces that their mangled names spell.
//!
//! Names follow the Itanium C++ ABI. Metal writes an address space as a vendor qualifier before the pointee:
//! `U9MTLdevice`, `U11MTLconstant`, `U14MTLthreadgroup`, …. Up to language version 4.0 a pointer to `thread` memory is
//! left plain; from 4.1 it is written `U9MTLthread`, and the plain form means a generic pointer. One `U9MTLthread`
//! therefore proves 4.1 or newer, and its absence proves nothing.

use std::borrow::Cow;

/// What a symbol names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    Function,
    Variable,
    Alias,
}

/// How a symbol takes part in linking, as far as that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Linkage {
    /// Visible to other modules.
    External,
    /// Visible, and one of several equal definitions is kept (`weak`, `linkonce`, `common`, `available_externally`).
    Weak,
    /// Concatenated by the linker, such as `@llvm.used`.
    Appending,
    /// Not visible outside its module (`internal`, `private`).
    Local,
}

/// A global value of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// The name as stored, usually ASCII.
    pub name: Cow<'a, [u8]>,
    pub kind: SymbolKind,
    /// Whether the module holds the body or initialiser; otherwise it only declares the symbol.
    pub is_definition: bool,
    pub linkage: Linkage,
}

impl Symbol<'_> {
    /// The name as text, with invalid UTF-8 replaced.
    pub fn name_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.name)
    }

    /// Whether another module has to supply this symbol. The compiler's own functions (`air.…`, `llvm.…`) are supplied
    /// by the system. Functions of system libraries, such as `__tensorops_impl_…`, count as imports, because nothing
    /// tells them from others.
    pub fn is_import(&self) -> bool {
        !self.is_definition && !self.name.starts_with(b"air.") && !self.name.starts_with(b"llvm.")
    }

    /// Whether other modules can link against this symbol.
    pub fn is_export(&self) -> bool {
        self.is_definition && matches!(self.linkage, Linkage::External | Linkage::Weak)
    }

    /// The vendor qualifiers in the mangled name.
    pub fn decorations(&self) -> Decorations<'_> {
        decorations(&self.name)
    }

    /// Whether the mangled name spells the `thread` address space, which only 4.1 and later do.
    pub fn has_thread_decoration(&self) -> bool {
        // Almost no symbol contains the word, and the search for it is much cheaper than the walk.
        contains(&self.name, b"U9MTLthread") && self.decorations().any(|decoration| decoration == b"MTLthread")
    }
}

/// The vendor qualifiers (`MTLdevice`, `MTLthread`, …) of a mangled name, in order. A name that is not mangled has none.
pub fn decorations(name: &[u8]) -> Decorations<'_> {
    Decorations { walk: Walk::new(name) }
}

/// The iterator of [`decorations`].
#[derive(Clone, Debug)]
pub struct Decorations<'a> {
    walk: Walk<'a>,
}

impl<'a> Iterator for Decorations<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.walk.find_map(|token| match token.kind {
            TokenKind::Qualifier(identifier) if identifier.starts_with(b"MTL") => Some(identifier),
            _ => None,
        })
    }
}

/// A form of a mangled name that is the same on both sides of the 4.1 boundary: two names with equal keys differ at most
/// in what `thread` is written as.
///
/// `_Z3fooPf` of 4.0 and `_Z3fooPU9MTLthreadf` of 4.1 are the same function, which a linker does not find. The key leaves
/// the qualifier out, and the numbers of substitutions as well, because each qualified type takes a number.
pub fn key_across_boundary(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.starts_with(b"_Z") {
        return Cow::Borrowed(name);
    }
    let mut key = b"_Z".to_vec();
    for token in Walk::new(name) {
        match token.kind {
            TokenKind::Qualifier(b"MTLthread") => {}
            TokenKind::Substitution => key.extend(b"S_"),
            TokenKind::Qualifier(_) | TokenKind::Other => {
                key.extend(name.get(token.start..token.end).unwrap_or_default());
            }
        }
    }
    Cow::Owned(key)
}

/// A piece of a mangled name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'a> {
    start: usize,
    end: usize,
    kind: TokenKind<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind<'a> {
    /// `U` and an identifier, which is kept.
    Qualifier(&'a [u8]),
    /// `S_`, `S0_`, ….
    Substitution,
    Other,
}

/// A walk through a mangled name, from after its `_Z`.
///
/// It steps over every identifier as a whole, so that the letters `U9MTLthread` inside a user's identifier are not taken
/// for a qualifier. It is not a demangler: it need not understand the structure, only know where digits are the length
/// of an identifier and where they are something else.
#[derive(Clone, Debug)]
struct Walk<'a> {
    name: &'a [u8],
    position: usize,
    /// Whether a lambda was met: only then may `E0_` end one, otherwise `0_` belongs to an identifier.
    has_lambda: bool,
    /// Whether a literal of a qualified enumeration type was begun: then `E2E` ends its type and gives its value.
    in_enumeration_literal: bool,
}

impl<'a> Iterator for Walk<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let start = self.position;
        let letter = self.at(0)?;
        let next = self.at(1).unwrap_or(0);
        let mut kind = TokenKind::Other;
        match letter {
            b'U' if next.is_ascii_digit() => {
                self.position += 1;
                kind = TokenKind::Qualifier(self.identifier());
            }
            b'0'..=b'9' => {
                self.identifier();
            }
            b'S' if next == b'_' || next.is_ascii_digit() || next.is_ascii_uppercase() => {
                self.position += 1;
                self.skip_while(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
                self.skip_if(b'_');
                kind = TokenKind::Substitution;
            }
            // Template parameters `T_`, `T0_`; array bounds `A3_`.
            b'T' | b'A' => self.skip_number(1),
            // Vectors `Dv4_f` and floating-point types `DF16_`, `DF16b`.
            b'D' if matches!(next, b'v' | b'F') => self.skip_number(2),
            // Constructors and destructors: `C1`, `D2`.
            b'C' | b'D' if matches!(next, b'0'..=b'5') => self.position += 2,
            b'L' => self.literal(),
            // Discriminators of local entities: `_0`, `__12_`.
            b'_' => {
                self.skip_while(|byte| byte == b'_');
                self.skip_number(0);
            }
            // References to function parameters: `fp0_`, `fL1p0_`.
            b'f' if next == b'p' => self.skip_number(2),
            b'f' if next == b'L' && self.byte_after_number(2) == Some(b'p') => {
                self.skip_number(2);
                self.skip_number(1);
            }
            // Unnamed types `Ut0_`, and lambdas, which end in `E_` or `E0_`.
            b'U' if next == b't' => self.skip_number(2),
            b'U' if next == b'l' => {
                self.has_lambda = true;
                self.position += 2;
            }
            b'E' if self.has_lambda && (next == b'_' || self.byte_after_number(1) == Some(b'_')) => {
                self.skip_number(1);
            }
            b'E' if self.in_enumeration_literal => {
                self.position += 1;
                self.in_enumeration_literal = !self.skip_value();
            }
            // A suffix that is not part of the mangling: `.123`, `.MTL_FC_INIT_0_t`.
            b'.' => self.position = self.name.len(),
            _ => self.position += 1,
        }
        Some(Token { start, end: self.position, kind })
    }
}

impl<'a> Walk<'a> {
    fn new(name: &'a [u8]) -> Walk<'a> {
        let position = if name.starts_with(b"_Z") { 2 } else { name.len() };
        Walk { name, position, has_lambda: false, in_enumeration_literal: false }
    }

    fn at(&self, offset: usize) -> Option<u8> {
        self.name.get(self.position + offset).copied()
    }

    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) {
        while self.at(0).is_some_and(&condition) {
            self.position += 1;
        }
    }

    fn skip_if(&mut self, wanted: u8) {
        if self.at(0) == Some(wanted) {
            self.position += 1;
        }
    }

    /// Steps over `letters` bytes, then a number that may be empty, then the `_` behind it.
    fn skip_number(&mut self, letters: usize) {
        self.position += letters;
        self.skip_while(|byte| byte.is_ascii_digit());
        self.skip_if(b'_');
    }

    /// What follows the number that starts `offset` bytes further, if there is a number.
    fn byte_after_number(&self, offset: usize) -> Option<u8> {
        let rest = self.name.get(self.position + offset..)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 { None } else { rest.get(digits).copied() }
    }

    /// Steps over `<length> <identifier>` and returns the identifier.
    fn identifier(&mut self) -> &'a [u8] {
        let mut length = 0usize;
        while let Some(digit) = self.at(0).filter(u8::is_ascii_digit) {
            length = length.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.position += 1;
        }
        let end = self.position.saturating_add(length).min(self.name.len());
        let identifier = self.name.get(self.position..end).unwrap_or_default();
        self.position = end;
        identifier
    }

    /// Steps over the type of a literal `L <type> <value> E` and, if its end is known, over the value, whose digits are
    /// no length. Also sees the `L` that marks an internal name (`_ZL3foo`), after which digits are a length.
    fn literal(&mut self) {
        let is_internal_name = self.position == 2 || self.name.get(self.position - 1) == Some(&b'N');
        self.position += 1;
        let Some(first) = self.at(0) else { return };
        if first.is_ascii_lowercase() {
            // A value of a builtin type: `Li8E`, `Lb1E`, `Lin3E`, `Lf3f800000E`.
            self.position += 1;
            self.skip_while(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
        } else if first.is_ascii_digit() && !is_internal_name {
            // A value of an enumeration type: `L5Color2E`, `LN2ns5ColorE2E`, `LS0_2E`.
            self.identifier();
            self.skip_value();
        } else if first == b'N' {
            self.in_enumeration_literal = true;
        } else if first == b'S' {
            self.position += 1;
            self.skip_while(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
            self.skip_if(b'_');
            self.skip_value();
        }
    }

    /// Steps over the value of a literal, if one stands here: digits, perhaps after `n`, up to an `E`.
    fn skip_value(&mut self) -> bool {
        let value = self.name.get(self.position..).unwrap_or_default();
        let digits = value.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'n').count();
        let is_value = digits > 0 && value.get(digits) == Some(&b'E');
        if is_value {
            self.position += digits;
        }
        is_value
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(haystack, needle).is_some()
}

#[cfg(test)]
mod tests {
    use super::{decorations, key_across_boundary};

    fn check(name: &str, expected: &[&str]) {
        let found: Vec<_> = decorations(name.as_bytes()).map(|d| String::from_utf8_lossy(d).into_owned()).collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn qualifiers_of_pointees() {
        check("_Z16load_vector_safeIffLi8ELi3EET0_PU9MTLdeviceKT_PS0_i", &["MTLdevice"]);
        check(
            "_Z30mlx_qmv_f32xsum_v1_load_vectorIDF16bfLi16ELi4EEET0_PU9MTLdeviceKT_PU9MTLthreadS1_",
            &["MTLdevice", "MTLthread"],
        );
        check(
            "_ZN15LoopedElemToLocILi3ElLb1EE4nextEPU11MTLconstantKiPU11MTLconstantKl",
            &["MTLconstant", "MTLconstant"],
        );
        check("_Z3fooPU14MTLthreadgroupDv4_fPU9MTLthreadDF16_", &["MTLthreadgroup", "MTLthread"]);
    }

    #[test]
    fn identifiers_are_stepped_over() {
        check("_Z14fooU9MTLthreadi", &[]);
        check("_Z3fooP14fooU9MTLthread", &[]);
        check("_ZL14fooU9MTLthreadPU9MTLdevicef", &["MTLdevice"]);
        check("_ZN2ns12U9MTLthreadsE", &[]);
    }

    #[test]
    fn digits_that_are_not_lengths() {
        check("_Z1fILi12EEvPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fILin12EEvPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fIL5Color12EEvPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fA12_fS1A_T12_PU9MTLthreadf", &["MTLthread"]);
        check("_ZZ1fvE1g_0PU9MTLthreadf", &["MTLthread"]);
        check("_Z1fIfLi3EEvPU9MTLthreadf", &["MTLthread"]);
        check("_ZN1a12_U9MTLthreadEv", &[]);
        check("_ZZ1fvENKUlvE12_clEvPU9MTLthreadf", &["MTLthread"]);
    }

    #[test]
    fn constructors_lambdas_and_enumerators() {
        check("_ZN3FooC3EPU9MTLthreadf", &["MTLthread"]);
        check("_ZN3FooD2EPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fILN2ns5ColorE5EEvPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fIN2ns1AELN2ns5ColorE12EEvPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fIN2ns5ColorELS1_12EEvPU9MTLthreadf", &["MTLthread"]);
        check("_ZZ1fvENKUlvE_clEvPU9MTLthreadf", &["MTLthread"]);
        check("_ZN1fUt_3barEPU9MTLthreadf", &["MTLthread"]);
        check("_Z1fDF16_3FooPU9MTLthreadf", &["MTLthread"]);
    }

    #[test]
    fn keys_are_equal_across_the_boundary() {
        let equal = |old: &str, new: &str| key_across_boundary(old.as_bytes()) == key_across_boundary(new.as_bytes());
        assert!(equal("_Z3fooPf", "_Z3fooPU9MTLthreadf"));
        // The second parameter has the type of the first; the qualified type takes one number more.
        assert!(equal("_Z3fooPfS_", "_Z3fooPU9MTLthreadfS0_"));
        assert!(equal("_Z4loadIfEvPU9MTLdeviceKT_PS0_", "_Z4loadIfEvPU9MTLdeviceKT_PU9MTLthreadS1_"));
        assert!(!equal("_Z3fooPf", "_Z3fooPU9MTLdevicef"));
        assert!(!equal("_Z3fooPf", "_Z3fooPd"));
        assert!(!equal("_Z3fooP12xU9MTLthread", "_Z3fooP1x"));
        assert!(!equal("foo", "_Z3foov"));
        assert!(equal("kernel_name", "kernel_name"));
    }

    #[test]
    fn names_that_are_not_mangled() {
        check("U9MTLthread", &[]);
        check("kernel_U9MTLthread", &[]);
        check("_Z1fv.U9MTLthread", &[]);
        check("_Z", &[]);
        check("_Z99999999999999999999999999999x", &[]);
        check("_ZL", &[]);
    }
}
