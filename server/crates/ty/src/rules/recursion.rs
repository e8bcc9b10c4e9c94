//! Cycles among the functions of a unit (MSL spec §1.5.4): a function may call itself, directly or through others, in
//! compute functions from 2.4 on, and nowhere else.
//!
//! A *node* is a function with a body, or an instance of a template. An edge says that one calls the other by name;
//! calls through pointers are not seen. A *cycle* is a strongly connected set of nodes that has an edge.

use msl_builtins::Since;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::decls::Stage;
use crate::sema::{DeclRef, Env, LocalCaches, Sema, TyDiagnostic};

/// Who calls whom.
pub type CallGraph = FxHashMap<DeclRef, Vec<DeclRef>>;

impl Env {
    /// The functions with a body among those that a check found called, each once, in a fixed order.
    pub fn called_definitions(&self, callees: impl Iterator<Item = DeclRef>) -> Vec<DeclRef> {
        let local = LocalCaches::default();
        let sema = Sema::new(self, &self.ast, &local);
        let mut found: Vec<DeclRef> = callees
            .filter(|item| !sema.is_library(item.decl) && !sema.is_local(item.decl))
            .filter_map(|item| sema.definition(item))
            .collect();
        found.sort_unstable_by_key(|item| (item.decl, item.bind));
        found.dedup();
        found
    }

    /// Whether a function stands under template parameters, so that only its instances are nodes.
    pub fn is_templated(&self, decl: DeclId) -> bool {
        let local = LocalCaches::default();
        crate::check::is_templated(&Sema::new(self, &self.ast, &local), decl)
    }

    /// What is wrong with the cycles of a call graph in the version in force.
    pub fn check_recursion(&self, graph: &CallGraph) -> Vec<TyDiagnostic> {
        let version = self.version;
        // From 3.0 on compilers also say that render functions may recurse; the specification does not.
        let local = LocalCaches::default();
        let sema = Sema::new(self, &self.ast, &local);
        let mut findings = Vec::new();
        for cycle in cycles(graph) {
            // A `constexpr` function may run while compiling only.
            if cycle.iter().any(|item| self.ast[item.decl].specs.contains(Specs::CONSTEXPR)) {
                continue;
            }
            let reached_by = self.entry_points_that_reach(graph, &cycle, &sema);
            let outside_compute = reached_by.iter().find(|(_, stage)| *stage != Stage::Kernel);
            let since = Since::both(2, 4);
            let (severity, rule) = if !since.includes(version) {
                let severity = match reached_by.is_empty() {
                    // A helper that nothing uses is not compiled to the end.
                    true => Severity::Warning,
                    false if version.at_least(2, 3) => Severity::Warning,
                    false => Severity::Error,
                };
                (severity, format!("recursion needs {} or later, in compute functions", sema.needed_version(since)))
            } else if let Some((entry, stage)) = outside_compute {
                let name = sema.decl_name(entry.decl).map_or(String::new(), |name| name.to_string());
                let severity = if version.at_least(3, 0) { Severity::Warning } else { Severity::Error };
                (
                    severity,
                    format!("recursion is for compute functions, and the {} function `{name}` gets here", stage.word()),
                )
            } else {
                continue;
            };
            let Some(&first) = cycle.first() else { continue };
            let mut spelled: Vec<String> =
                cycle.iter().map(|&item| format!("`{}`", sema.spell_instance(item))).collect();
            spelled.extend(spelled.first().cloned());
            let token = self.ast[first.decl].name_token;
            findings.push(TyDiagnostic {
                code: Code::Recursion,
                severity: Some(severity),
                range: TokenRange::new(token, token + 1),
                message: format!("{} calls itself; {rule} (MSL spec §1.5.4)", spelled.join(" → ")),
                related: cycle
                    .iter()
                    .skip(1)
                    .map(|item| {
                        let token = self.ast[item.decl].name_token;
                        (TokenRange::new(token, token + 1), "this is part of the cycle".to_owned())
                    })
                    .collect(),
                fixes: Vec::new(),
            });
        }
        findings
    }

    fn entry_points_that_reach(&self, graph: &CallGraph, cycle: &[DeclRef], sema: &Sema<'_>) -> Vec<(DeclRef, Stage)> {
        let mut entries: Vec<(DeclRef, Stage)> =
            graph.keys().filter_map(|&item| Some((item, sema.stage_of(item.decl)?))).collect();
        entries.sort_unstable_by_key(|(item, _)| (item.decl, item.bind));
        entries.retain(|(entry, _)| {
            let mut seen: FxHashSet<DeclRef> = FxHashSet::default();
            let mut open = vec![*entry];
            while let Some(item) = open.pop() {
                if cycle.contains(&item) {
                    return true;
                }
                if seen.insert(item) {
                    open.extend(graph.get(&item).into_iter().flatten().copied());
                }
            }
            false
        });
        entries
    }
}

/// The cycles of a graph, each in the order of its declarations; the order of the cycles is fixed, too. Tarjan's
/// algorithm without recursion, so that a long chain of calls costs no stack.
fn cycles(graph: &CallGraph) -> Vec<Vec<DeclRef>> {
    struct Mark {
        index: usize,
        low: usize,
        is_open: bool,
    }
    let mut roots: Vec<DeclRef> = graph.keys().copied().collect();
    roots.sort_unstable_by_key(|item| (item.decl, item.bind));
    let mut marks: FxHashMap<DeclRef, Mark> = FxHashMap::default();
    let mut open: Vec<DeclRef> = Vec::new();
    let mut found: Vec<Vec<DeclRef>> = Vec::new();
    for root in roots {
        if marks.contains_key(&root) {
            continue;
        }
        let mut path: Vec<(DeclRef, usize)> = vec![(root, 0)];
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                let index = marks.len();
                marks.insert(node, Mark { index, low: index, is_open: true });
                open.push(node);
            }
            let callees: &[DeclRef] = graph.get(&node).map_or(&[], |callees| callees);
            if let Some(&callee) = callees.get(next) {
                path.push((node, next + 1));
                match marks.get(&callee) {
                    None => path.push((callee, 0)),
                    Some(mark) if mark.is_open => {
                        let low = mark.index;
                        if let Some(own) = marks.get_mut(&node) {
                            own.low = own.low.min(low);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            let Some(&Mark { index, low, .. }) = marks.get(&node) else { continue };
            if let Some((caller, _)) = path.last()
                && let Some(caller) = marks.get_mut(caller)
            {
                caller.low = caller.low.min(low);
            }
            if index != low {
                continue;
            }
            let mut component = Vec::new();
            while let Some(member) = open.pop() {
                if let Some(mark) = marks.get_mut(&member) {
                    mark.is_open = false;
                }
                component.push(member);
                if member == node {
                    break;
                }
            }
            if component.len() > 1 || callees.contains(&node) {
                component.sort_unstable_by_key(|item| (item.decl, item.bind));
                found.push(component);
            }
        }
    }
    found.sort_unstable_by_key(|component| component.first().map(|item| (item.decl, item.bind)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::BindId;

    fn node(number: u32) -> DeclRef {
        DeclRef { decl: DeclId(number), bind: BindId::NONE }
    }

    fn graph(edges: &[(u32, &[u32])]) -> CallGraph {
        edges.iter().map(|&(from, to)| (node(from), to.iter().map(|&to| node(to)).collect())).collect()
    }

    #[test]
    fn chains_are_no_cycles() {
        assert!(cycles(&graph(&[(1, &[2, 3]), (2, &[3]), (3, &[])])).is_empty());
    }

    #[test]
    fn cycles_are_found_once() {
        let found = cycles(&graph(&[(1, &[2]), (2, &[3]), (3, &[1, 4]), (4, &[4]), (5, &[1])]));
        assert_eq!(found, vec![vec![node(1), node(2), node(3)], vec![node(4)]]);
    }

    #[test]
    fn a_long_chain_costs_no_stack() {
        let edges: CallGraph = (0..200_000).map(|number| (node(number), vec![node(number + 1)])).collect();
        assert!(cycles(&edges).is_empty());
    }
}
