//! What stands above functions, tables and groups in an editor: how they are joined, as counts that lead to lists.

use std::sync::Arc;

use msl_diagnostics::Place;

use super::{
    depth::{CallDepth, depth_of},
    program::LinkProgram,
    shader::{CallTarget, FunctionKind, ShaderCall},
    signature::LinkSignature,
};

/// A line above a declaration, and the places that it counts.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkLens {
    pub place: Place,
    pub title: String,
    pub targets: Vec<Place>,
}

impl LinkProgram {
    /// The lenses of a shader or header.
    pub fn lenses(&self, path: &Arc<str>) -> Vec<LinkLens> {
        let mut lenses = Vec::new();
        for (index, function) in self.functions.iter().enumerate() {
            if function.place.path != *path || !function.is_defined {
                continue;
            }
            if function.kind == FunctionKind::Visible
                && let Some(signature) = &function.signature
            {
                let tables = self.functions.iter().flat_map(|it| &it.tables);
                let mut targets: Vec<Place> =
                    tables.filter(|table| table.signature.fits(signature)).map(|table| table.place.clone()).collect();
                targets.sort();
                targets.dedup();
                lenses.push(lens(&function.place, count(targets.len(), "fits", "table"), targets));
            }
            if function.kind == FunctionKind::Visible || function.kind.is_entry() {
                lenses.extend(self.depth_lens(index));
            }
            for table in &function.tables {
                let targets: Vec<Place> =
                    self.fitting(&table.signature).map(|index| self.functions[index].place.clone()).collect();
                let plural = if targets.len() == 1 { "visible function fits" } else { "visible functions fit" };
                let title = format!("{} {plural} `{}`", targets.len(), table.name);
                lenses.push(lens(&table.place, title, targets));
            }
        }
        let mut seen: Vec<&str> = Vec::new();
        for group in self.groups.iter().filter(|group| group.place.path == *path) {
            // Once a file, where the group is named first.
            if seen.contains(&group.name.as_str()) {
                continue;
            }
            seen.push(&group.name);
            let calls = self.functions.iter().flat_map(|function| &function.calls);
            let mut targets: Vec<Place> =
                calls.filter(|call| call.groups.contains(&group.name)).map(|call| call.place.clone()).collect();
            targets.sort();
            targets.dedup();
            let title = count(targets.len(), &format!("group `{}`:", group.name), "call");
            lenses.push(lens(&group.place, title, targets));
        }
        lenses.sort_by(|a, b| a.place.cmp(&b.place));
        lenses
    }

    /// How deep calls through pointers nest below a function, by all functions that fit.
    fn depth_lens(&self, function: usize) -> Option<LinkLens> {
        let fits = |_: usize, call: &ShaderCall| self.reachable_through(call);
        let (title, chain) = match depth_of(self, function, &fits)? {
            CallDepth::Levels(0, _) => return None,
            CallDepth::Levels(levels, chain) => (format!("call depth ≥ {levels}"), chain),
            CallDepth::Recursive(cycle) => {
                let names: Vec<&str> = cycle.iter().map(|&index| self.functions[index].own_name.as_str()).collect();
                (format!("may recurse: {}", names.join(" → ")), cycle)
            }
        };
        let targets = chain.iter().map(|&index| self.functions[index].place.clone()).collect();
        Some(lens(&self.functions[function].place, title, targets))
    }

    /// The functions that a call through a pointer at a position may reach: inside the brackets of `table[i]`, or of the
    /// call's arguments.
    pub fn pointer_targets_at(&self, path: &Arc<str>, offset: u32) -> Vec<Place> {
        let calls = self.functions.iter().flat_map(|function| &function.calls);
        let mut found: Vec<&ShaderCall> = calls
            .filter(|call| {
                let range = call.place.range;
                call.place.path == *path && range.start <= offset && offset <= range.end
            })
            .collect();
        found.sort_by_key(|call| call.place.range.end - call.place.range.start);
        let Some(CallTarget::Pointer { signature, .. }) = found.first().map(|call| &call.target) else {
            return Vec::new();
        };
        self.fitting(signature).map(|index| self.functions[index].place.clone()).collect()
    }
}

fn lens(place: &Place, title: String, targets: Vec<Place>) -> LinkLens {
    LinkLens { place: place.clone(), title, targets }
}

fn count(number: usize, before: &str, noun: &str) -> String {
    format!("{before} {number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// A function at the other end of calls through pointers.
#[derive(Clone, Debug, PartialEq)]
pub struct PointerCall {
    /// By index into [`LinkProgram::functions`].
    pub function: usize,
    /// What the calls go through: the name of a table, or the type of the pointer.
    pub via: String,
    /// The calls, in the file of the caller.
    pub sites: Vec<Place>,
}

impl LinkProgram {
    /// The functions that the one with its name at `place` may call through pointers.
    pub fn outgoing_through_pointers(&self, place: &Place) -> Vec<PointerCall> {
        let mut found = Vec::new();
        for caller in self.functions.iter().filter(|function| function.place == *place) {
            for call in &caller.calls {
                let CallTarget::Pointer { signature, table } = &call.target else { continue };
                let via = via(table.and_then(|table| caller.tables.get(table)), signature);
                for callee in self.fitting(signature) {
                    note(&mut found, callee, &via, &call.place);
                }
            }
        }
        found
    }

    /// The functions that may call the one with its name at `place` through pointers.
    pub fn incoming_through_pointers(&self, place: &Place) -> Vec<PointerCall> {
        let mut found = Vec::new();
        let called = self.functions.iter().find(|function| function.place == *place);
        let Some(wanted) = called.filter(|it| it.kind == FunctionKind::Visible).and_then(|it| it.signature.as_ref())
        else {
            return found;
        };
        for (index, caller) in self.functions.iter().enumerate() {
            for call in &caller.calls {
                if let CallTarget::Pointer { signature, table } = &call.target
                    && signature.fits(wanted)
                {
                    let via = via(table.and_then(|table| caller.tables.get(table)), signature);
                    note(&mut found, index, &via, &call.place);
                }
            }
        }
        found
    }
}

fn via(table: Option<&super::shader::ShaderTable>, signature: &LinkSignature) -> String {
    match table {
        Some(table) => format!("via table `{}`", table.name),
        None => format!("via a pointer to `{}`", signature.spelled),
    }
}

fn note(found: &mut Vec<PointerCall>, function: usize, via: &str, site: &Place) {
    match found.iter_mut().find(|call| call.function == function && call.via == via) {
        Some(call) => call.sites.push(site.clone()),
        None => found.push(PointerCall { function, via: via.to_owned(), sites: vec![site.clone()] }),
    }
}
