//! The calls between functions and the spaces that flow along them.

use super::{Known, Program};
use crate::border::Input;

/// All calls of one function by another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Numbers of functions.
    pub caller: usize,
    pub callee: usize,
    /// The calls, by their numbers in the caller's summary.
    pub calls: Vec<u32>,
    pub flows: Vec<EdgeFlow>,
    /// A call stands in a loop.
    pub in_loop: bool,
}

/// What a call brings to one input of its callee.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeFlow {
    pub input: Input,
    pub known: Known,
}

impl Program {
    /// The calls that a root reaches, by caller and callee.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        let mut index: rustc_hash::FxHashMap<(usize, usize), usize> = Default::default();
        for &id in self.solution.live.iter().flatten() {
            let target = self.node(id);
            let inputs = &self.functions[target.function].1.inputs;
            for &(from, call) in &target.callers {
                let caller = self.node(from).function;
                let at = *index.entry((caller, target.function)).or_insert_with(|| {
                    edges.push(Edge {
                        caller,
                        callee: target.function,
                        calls: Vec::new(),
                        flows: Vec::new(),
                        in_loop: false,
                    });
                    edges.len() - 1
                });
                let edge = &mut edges[at];
                if !edge.calls.contains(&call) {
                    edge.calls.push(call);
                }
                edge.in_loop |= !self.functions[caller].1.calls[call as usize].loops.is_empty();
                for (input, &known) in inputs.iter().zip(&target.context) {
                    match edge.flows.iter_mut().find(|flow| flow.input == *input) {
                        Some(flow) => {
                            flow.known.spaces = flow.known.spaces.union(known.spaces);
                            flow.known.is_runtime |= known.is_runtime;
                            flow.known.is_limited |= known.is_limited;
                        }
                        None => edge.flows.push(EdgeFlow { input: input.clone(), known }),
                    }
                }
            }
        }
        edges.sort_by_key(|edge| (edge.caller, edge.callee));
        edges
    }
}
