//! On which side of the 4.1 boundary a function stands, and what shows it.
//!
//! The language version is stated twice: in the `VERS` tag of a metallib function and in the metadata of its module.
//! Two more facts stand on their own: a symbol that spells `U9MTLthread` can only come from 4.1 or newer, and AIR older
//! than 2.9 cannot hold 4.1. AIR 2.9 proves nothing, because a target of OS 27 may be compiled as 4.0.

use std::fmt;
use std::sync::Arc;

use crate::module::{Module, Producer};
use crate::mtlb::Function;
use crate::problem::{ProblemKind, Problems};
use crate::version::{FIRST_AIR_OF_NEW_ABI, FunctionVersions, Side, Version};

/// A fact that puts a function or module on a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The `VERS` tag of the function states a language version.
    FunctionVersion(Version),
    /// `air.language_version` of the module states a language version.
    ModuleVersion(Version),
    /// A mangled name spells the `thread` address space.
    ThreadDecoration {
        /// The symbol's name, shared by all functions of a module.
        symbol: Arc<str>,
    },
    /// The AIR version is too old for 4.1.
    OldAir(Version),
}

impl Evidence {
    /// The side that the fact speaks for.
    pub fn side(&self) -> Side {
        match self {
            Evidence::FunctionVersion(version) | Evidence::ModuleVersion(version) => Side::of_language(*version),
            Evidence::ThreadDecoration { .. } => Side::From41,
            Evidence::OldAir(_) => Side::Before41,
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::FunctionVersion(version) => write!(f, "its VERS tag states MSL {version}"),
            Evidence::ModuleVersion(version) => write!(f, "air.language_version states Metal {version}"),
            Evidence::ThreadDecoration { symbol } => {
                write!(f, "the symbol {symbol} spells the thread address space, which only 4.1 and later do")
            }
            Evidence::OldAir(version) => {
                write!(f, "AIR {version} cannot hold MSL 4.1, which needs AIR {FIRST_AIR_OF_NEW_ABI}")
            }
        }
    }
}

/// The side of a function or module, with everything that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// `Unknown` when there is no evidence or when pieces of it speak for both sides.
    pub side: Side,
    pub evidence: Vec<Evidence>,
}

impl Verdict {
    /// Whether the evidence speaks for both sides: the file was changed or comes from a foreign tool.
    pub fn is_contradictory(&self) -> bool {
        self.side == Side::Unknown && !self.evidence.is_empty()
    }
}

/// What a module says about its side. Computed once a module, because many functions may share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleEvidence {
    facts: Vec<Evidence>,
    air_version: Option<Version>,
}

impl ModuleEvidence {
    /// Looks at the metadata and the symbols of a module.
    pub fn of(module: &Module<'_>) -> ModuleEvidence {
        let mut facts = Vec::new();
        // The version of a language that is not Metal says nothing about Metal's ABI.
        if let Some(language) = module.language.as_ref().filter(|language| language.name == "Metal") {
            facts.push(Evidence::ModuleVersion(language.version));
        }
        if let Some(symbol) = module.symbols.iter().find(|symbol| symbol.has_thread_decoration()) {
            facts.push(Evidence::ThreadDecoration { symbol: symbol.name_lossy().into() });
        }
        ModuleEvidence { facts, air_version: module.air_version }
    }
}

/// Judges a function by what its `VERS` tag states, by its module, or by both.
pub fn judge(versions: Option<FunctionVersions>, module: Option<&ModuleEvidence>) -> Verdict {
    let mut evidence = Vec::new();
    if let Some(versions) = versions {
        evidence.push(Evidence::FunctionVersion(versions.language));
    }
    evidence.extend(module.iter().flat_map(|module| module.facts.iter().cloned()));
    let air = versions.map(|versions| versions.air).or_else(|| module.and_then(|module| module.air_version));
    if let Some(air) = air.filter(|&air| air < FIRST_AIR_OF_NEW_ABI) {
        evidence.push(Evidence::OldAir(air));
    }
    let speaks_for = |side| evidence.iter().any(|fact| fact.side() == side);
    let side = match (speaks_for(Side::Before41), speaks_for(Side::From41)) {
        (true, false) => Side::Before41,
        (false, true) => Side::From41,
        _ => Side::Unknown,
    };
    Verdict { side, evidence }
}

/// What in a function and its module contradicts the rest, or shows that Apple's tools did not make them. A
/// contradiction does not have to cross the boundary: 3.1 against 3.2 is one, too.
pub fn check_consistency(function: Option<&Function<'_>>, module: &Module<'_>) -> Problems {
    let mut problems = Problems::default();
    let offset = function.map_or(0, |function| function.offset);
    if let Some(versions) = function.and_then(|function| function.versions) {
        let language = module.language.as_ref().map(|language| language.version);
        if let Some(language) = language.filter(|&version| version != versions.language) {
            let message = format!("VERS states MSL {}, air.language_version states {language}", versions.language);
            problems.add(ProblemKind::Inconsistent, offset, message);
        }
        if let Some(air) = module.air_version.filter(|&version| version != versions.air) {
            let message = format!("VERS states AIR {}, air.version states {air}", versions.air);
            problems.add(ProblemKind::Inconsistent, offset, message);
        }
    }
    let target = module.triple.as_deref().and_then(air_of_triple);
    if let Some((target, air)) = target.zip(module.air_version).filter(|(target, air)| target != air) {
        let message = format!("the target is for AIR {target}, air.version states {air}");
        problems.add(ProblemKind::Inconsistent, offset, message);
    }
    if let Some(triple) = module.triple.as_deref().filter(|_| !module.is_air()) {
        problems.add(ProblemKind::Foreign, offset, format!("the target {triple} is not AIR"));
    }
    if let Some(language) = module.language.as_ref().filter(|language| language.name != "Metal") {
        problems.add(ProblemKind::Foreign, offset, format!("the language is {}", language.name));
    }
    if module.producer() == Producer::Foreign {
        let name = module.ident.first().or(module.identification.as_ref());
        problems.add(ProblemKind::Foreign, offset, format!("the module was written by {}", name.map_or("", |n| n)));
    }
    problems
}

/// The AIR version that a triple names: `air64_v28-…` is AIR 2.8. Older compilers leave the suffix out.
fn air_of_triple(triple: &str) -> Option<Version> {
    let suffix = triple.strip_prefix("air64_v2")?.split('-').next()?;
    match suffix.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(Version::new(2, u32::from(digit - b'0'))),
        _ => None,
    }
}
