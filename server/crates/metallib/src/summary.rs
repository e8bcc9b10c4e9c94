//! A count of the functions of a library, which does not touch their bitcode.

use std::collections::BTreeMap;

use crate::mtlb::{FunctionKind, Library};
use crate::problem::{ProblemKind, Problems};
use crate::version::{FunctionVersions, Side};

/// How many functions a library has, by version and by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many functions the library says it has.
    pub declared: u32,
    /// How many were found.
    pub found: u32,
    /// By what `VERS` states, ascending; `None` for functions without `VERS`.
    pub by_version: Vec<(Option<FunctionVersions>, u32)>,
    /// By kind, ascending; `None` for functions without `TYPE`.
    pub by_kind: Vec<(Option<FunctionKind>, u32)>,
    /// Functions whose entry has a defect.
    pub defective: u32,
    /// What is wrong with the function list.
    pub problems: Problems,
}

impl Summary {
    /// How many functions `VERS` puts on a side.
    pub fn count_on(&self, side: Side) -> u32 {
        let side_of = |versions: &Option<FunctionVersions>| {
            versions.map_or(Side::Unknown, |versions| Side::of_language(versions.language))
        };
        self.by_version.iter().filter(|(versions, _)| side_of(versions) == side).map(|(_, count)| count).sum()
    }

    /// Whether the library holds functions of both sides.
    pub fn is_mixed(&self) -> bool {
        self.count_on(Side::Before41) > 0 && self.count_on(Side::From41) > 0
    }
}

/// Counts the functions of a library.
pub fn summarize(library: &Library<'_>) -> Summary {
    let mut summary = Summary { declared: library.declared_function_count(), ..Summary::default() };
    let mut versions: BTreeMap<Option<FunctionVersions>, u32> = BTreeMap::new();
    let mut kinds: BTreeMap<Option<FunctionKind>, u32> = BTreeMap::new();
    for function in library.functions() {
        summary.found += 1;
        *versions.entry(function.versions).or_default() += 1;
        *kinds.entry(function.kind).or_default() += 1;
        if let Some(defect) = function.defect {
            summary.defective += 1;
            let message = format!("function {}: {}", function.index, defect.message());
            summary.problems.add(ProblemKind::Malformed, function.offset, message);
        }
    }
    if summary.found < summary.declared {
        let offset = library.header.map_or(0, |header| header.function_list.offset);
        let message = format!("{} of {} functions were found", summary.found, summary.declared);
        summary.problems.add(ProblemKind::Truncated, offset, message);
    }
    summary.by_version = versions.into_iter().collect();
    summary.by_kind = kinds.into_iter().collect();
    summary
}
