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
    /// by the system.
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
    let start = if name.starts_with(b"_Z") { 2 } else { name.len() };
    Decorations { name, position: start, has_lambda: false }
}

/// The iterator of [`decorations`].
///
/// It walks the name and steps over every identifier as a whole, so that the letters `U9MTLthread` inside a user's
/// identifier are not taken for a qualifier. It is a walk, not a demangler: it need not understand the structure, only
/// know where digits are the length of an identifier and where they are something else.
#[derive(Clone, Debug)]
pub struct Decorations<'a> {
    name: &'a [u8],
    position: usize,
    /// Whether a lambda was met: only then may `E0_` end one, otherwise `0_` belongs to an identifier.
    has_lambda: bool,
}

impl<'a> Iterator for Decorations<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while let Some(&letter) = self.name.get(self.position) {
            let next = self.name.get(self.position + 1).copied().unwrap_or(0);
            match letter {
                b'U' if next.is_ascii_digit() => {
                    self.position += 1;
                    let identifier = self.identifier();
                    if identifier.starts_with(b"MTL") {
                        return Some(identifier);
                    }
                }
                b'0'..=b'9' => {
                    self.identifier();
                }
                // Substitutions `S_`, `S0_`, `Sa`; template parameters `T_`, `T0_`; array bounds `A3_`.
                b'S' | b'T' | b'A' => {
                    self.position += 1;
                    self.skip_while(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase() && letter == b'S');
                    self.skip_if(b'_');
                }
                // Vectors `Dv4_f` and floating-point types `DF16_`, `DF16b`.
                b'D' if matches!(next, b'v' | b'F') => {
                    self.position += 2;
                    self.skip_while(|byte| byte.is_ascii_digit());
                }
                b'L' => self.literal(),
                // Discriminators of local entities: `_0`, `__12_`.
                b'_' => {
                    self.skip_while(|byte| byte == b'_');
                    self.skip_while(|byte| byte.is_ascii_digit());
                }
                // References to function parameters: `fp0_`, `fL1p0_`.
                b'f' if next == b'p' || next == b'L' && self.byte_after_number(self.position + 2) == Some(b'p') => {
                    self.position += 2;
                    self.skip_while(|byte| byte.is_ascii_digit() || byte == b'p');
                }
                // Unnamed types `Ut0_` and numbered lambdas, which end in `E0_`.
                b'U' if next == b't' => {
                    self.position += 2;
                    self.skip_while(|byte| byte.is_ascii_digit());
                }
                b'U' if next == b'l' => {
                    self.has_lambda = true;
                    self.position += 2;
                }
                b'E' if self.has_lambda && self.byte_after_number(self.position + 1) == Some(b'_') => {
                    self.position += 1;
                    self.skip_while(|byte| byte.is_ascii_digit());
                }
                // A suffix that is not part of the mangling: `.123`, `.MTL_FC_INIT_0_t`.
                b'.' => self.position = self.name.len(),
                _ => self.position += 1,
            }
        }
        None
    }
}

impl<'a> Decorations<'a> {
    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) {
        while self.name.get(self.position).is_some_and(|&byte| condition(byte)) {
            self.position += 1;
        }
    }

    fn skip_if(&mut self, wanted: u8) {
        if self.name.get(self.position) == Some(&wanted) {
            self.position += 1;
        }
    }

    /// What follows the number at `start`, if there is a number.
    fn byte_after_number(&self, start: usize) -> Option<u8> {
        let rest = self.name.get(start..)?;
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 { None } else { rest.get(digits).copied() }
    }

    /// Steps over `<length> <identifier>` and returns the identifier.
    fn identifier(&mut self) -> &'a [u8] {
        let mut length = 0usize;
        while let Some(digit) = self.name.get(self.position).filter(|byte| byte.is_ascii_digit()) {
            length = length.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.position += 1;
        }
        let end = self.position.saturating_add(length).min(self.name.len());
        let identifier = self.name.get(self.position..end).unwrap_or_default();
        self.position = end;
        identifier
    }

    /// Steps over the part of a literal `L <type> <value> E` whose digits are a value. Also sees the `L` that marks an
    /// internal name (`_ZL3foo`), after which digits are a length.
    fn literal(&mut self) {
        let is_internal_name = self.position == 2 || self.name.get(self.position - 1) == Some(&b'N');
        self.position += 1;
        let Some(&first) = self.name.get(self.position) else { return };
        if first.is_ascii_lowercase() {
            // A value of a builtin type: `Li8E`, `Lb1E`, `Lin3E`, `Lf3f800000E`.
            self.position += 1;
            self.skip_while(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase());
        } else if first.is_ascii_digit() && !is_internal_name {
            // A value of an enumeration type: `L5Color2E`.
            self.identifier();
            let value = self.name.get(self.position..).unwrap_or_default();
            let digits = value.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'n').count();
            if digits > 0 && value.get(digits) == Some(&b'E') {
                self.position += digits;
            }
        }
    }
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    memchr::memmem::find(haystack, needle).is_some()
}

#[cfg(test)]
mod tests {
    use super::decorations;

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
    fn names_that_are_not_mangled() {
        check("U9MTLthread", &[]);
        check("kernel_U9MTLthread", &[]);
        check("_Z1fv.U9MTLthread", &[]);
        check("_Z", &[]);
        check("_Z99999999999999999999999999999x", &[]);
        check("_ZL", &[]);
    }
}
