//! Shaders and host code joined.

use std::sync::Arc;

use msl_diagnostics::Place;
use msl_project::{FunctionList, HostFile, HostFunction, HostPipeline, PipelineStage};
use rustc_hash::FxHashMap;

use super::{
    shader::{CallTarget, FunctionKind, NamedPlace, ShaderCall, ShaderFunction, ShaderUnit},
    signature::LinkSignature,
};

/// Shaders and host code joined.
#[derive(Clone, Debug, Default)]
pub struct LinkProgram {
    /// Each function once; what several units include is merged.
    pub functions: Vec<ShaderFunction>,
    /// Names of groups in shaders, each place once.
    pub groups: Vec<NamedPlace>,
    /// Function constants, each place once.
    pub constants: Vec<NamedPlace>,
    pub hosts: Vec<HostFile>,
    /// Whether every shader could be modelled.
    pub is_complete: bool,
    /// Files that the units are made of, with whether they could be read in full.
    pub units: Vec<Arc<str>>,
    by_place: FxHashMap<(Place, String), usize>,
    by_name: FxHashMap<String, Vec<usize>>,
}

impl LinkProgram {
    /// Joins what units and host sources say.
    pub fn new(units: &[ShaderUnit], hosts: Vec<HostFile>) -> LinkProgram {
        let mut program = LinkProgram { hosts, is_complete: true, ..LinkProgram::default() };
        for unit in units {
            program.is_complete &= unit.is_complete;
            program.units.push(unit.path.clone());
            for function in &unit.functions {
                program.add(function);
            }
            program.groups.extend(unit.groups.iter().cloned());
            program.constants.extend(unit.constants.iter().cloned());
        }
        for list in [&mut program.groups, &mut program.constants] {
            list.sort();
            list.dedup();
        }
        for (index, function) in program.functions.iter().enumerate() {
            program.by_name.entry(function.name.clone()).or_default().push(index);
        }
        program
    }

    fn add(&mut self, function: &ShaderFunction) {
        let key = (function.place.clone(), function.instance.clone());
        match self.by_place.get(&key) {
            Some(&index) => {
                let known = &mut self.functions[index];
                if function.is_defined && !known.is_defined {
                    *known = function.clone();
                }
            }
            None => {
                self.by_place.insert(key, self.functions.len());
                self.functions.push(function.clone());
            }
        }
    }

    /// The functions that a library offers under a name; definitions, if there are any.
    pub fn named(&self, name: &str) -> Vec<usize> {
        let all: Vec<usize> = self.by_name.get(name).map_or_else(Vec::new, |found| {
            found.iter().copied().filter(|&index| self.functions[index].kind.has_library_name()).collect()
        });
        let defined: Vec<usize> = all.iter().copied().filter(|&index| self.functions[index].is_defined).collect();
        if defined.is_empty() { all } else { defined }
    }

    /// Functions of this name that no library offers.
    pub fn plain_named(&self, name: &str) -> Vec<usize> {
        let found = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        found.iter().copied().filter(|&index| self.functions[index].kind == FunctionKind::Plain).collect()
    }

    /// The functions that a function of host code may be, and whether those are all.
    pub fn resolve(&self, function: &HostFunction) -> (Vec<usize>, bool) {
        let mut found: Vec<usize> = Vec::new();
        let mut is_complete = function.is_complete;
        for (name, _) in &function.names {
            let named = self.named(name);
            is_complete &= !named.is_empty();
            found.extend(named.into_iter().filter(|index| !found.contains(index)).collect::<Vec<_>>());
        }
        (found, is_complete)
    }

    /// The functions in a list, and whether those are all.
    pub fn resolve_list(&self, host: &HostFile, list: &FunctionList) -> (Vec<usize>, bool) {
        let mut all = Vec::new();
        let mut is_complete = list.is_complete;
        for function in list.functions.iter().filter_map(|&index| host.functions.get(index)) {
            let (found, all_found) = self.resolve(function);
            is_complete &= all_found;
            for index in found {
                if !all.contains(&index) {
                    all.push(index);
                }
            }
        }
        (all, is_complete)
    }

    /// Visible functions of a signature.
    pub fn fitting<'a>(&'a self, signature: &'a LinkSignature) -> impl Iterator<Item = usize> + 'a {
        self.functions
            .iter()
            .enumerate()
            .filter(move |(_, function)| {
                function.kind == FunctionKind::Visible
                    && function.signature.as_ref().is_some_and(|own| own.fits(signature))
            })
            .map(|(index, _)| index)
    }

    /// The functions that a call through a pointer or a table may reach, as far as types say.
    pub fn reachable_through(&self, call: &ShaderCall) -> Vec<usize> {
        match &call.target {
            CallTarget::Pointer { signature, .. } => self.fitting(signature).collect(),
            CallTarget::Intersection => self.intersections().collect(),
            CallTarget::Function { .. } | CallTarget::Open => Vec::new(),
        }
    }

    /// All intersection functions.
    pub fn intersections(&self) -> impl Iterator<Item = usize> + '_ {
        let functions = self.functions.iter().enumerate();
        functions.filter(|(_, function)| function.kind == FunctionKind::Intersection).map(|(index, _)| index)
    }

    /// The function with its name at a place.
    pub fn at(&self, place: &Place, instance: &str) -> Option<usize> {
        self.by_place.get(&(place.clone(), instance.to_owned())).copied()
    }

    /// The functions that a direct call may mean. What is declared only may be defined in another unit.
    pub fn callee(&self, call: &ShaderCall) -> Option<usize> {
        let CallTarget::Function { place, instance, name, is_visible } = &call.target else { return None };
        let own = self.at(place, instance);
        let is_defined = own.is_some_and(|index| self.functions[index].is_defined);
        if is_defined || !is_visible {
            return own;
        }
        self.named(name).into_iter().find(|&index| self.functions[index].is_defined).or(own)
    }

    /// The stage of a pipeline, or of the one that it extends.
    pub(crate) fn stages<'a>(&self, host: &'a HostFile, pipeline: &'a HostPipeline) -> &'a [PipelineStage] {
        let mut pipeline = pipeline;
        for _ in 0..8 {
            match pipeline.base.and_then(|base| host.pipelines.get(base)) {
                Some(base) => pipeline = base,
                None => break,
            }
        }
        &pipeline.stages
    }
}
