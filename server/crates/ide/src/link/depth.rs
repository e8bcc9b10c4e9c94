//! How deep calls through function pointers nest, which pipelines have to be told (`maxCallStackDepth`).
//!
//! Apple's description of `maxCallStackDepth` counts indirect calls: of visible functions, of intersection functions, of
//! dynamic libraries. Here a call through a pointer adds one level, and so does a call that lets an intersection function
//! decide; calls of functions by name add none, even where the linker makes them calls of a binary. The depth of an entry
//! point is the longest chain of such levels, so it is never more than what the pipeline needs.

use super::{
    program::LinkProgram,
    shader::{CallTarget, ShaderCall},
};

/// How deep calls nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallDepth {
    /// At most so deep, along these functions.
    Levels(u64, Vec<usize>),
    /// Functions that call each other through pointers in a circle, which begins and ends with the same one.
    Recursive(Vec<usize>),
}

/// Functions that are followed at most; beyond that nothing is said.
const MAX_STEPS: u32 = 200_000;

/// The depth below a function. `targets` gives the functions that a call through a pointer may reach. `None` if the graph
/// is too large.
pub fn depth_of(
    program: &LinkProgram,
    function: usize,
    targets: &dyn Fn(usize, &ShaderCall) -> Vec<usize>,
) -> Option<CallDepth> {
    let mut search =
        Search { program, targets, states: vec![State::New; program.functions.len()], steps: 0, cycle: None };
    let levels = search.visit(function, &mut Vec::new())?;
    Some(match search.cycle {
        Some(cycle) => CallDepth::Recursive(cycle),
        None => CallDepth::Levels(levels, search.chain(function)),
    })
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    New,
    Open,
    /// The levels below, and the function that the longest chain goes on with.
    Done(u64, Option<usize>),
}

struct Search<'a> {
    program: &'a LinkProgram,
    targets: &'a dyn Fn(usize, &ShaderCall) -> Vec<usize>,
    states: Vec<State>,
    steps: u32,
    /// The first circle with a call through a pointer in it.
    cycle: Option<Vec<usize>>,
}

impl Search<'_> {
    /// `path` holds the functions that are open, each with whether the call into it adds a level.
    fn visit(&mut self, function: usize, path: &mut Vec<(usize, bool)>) -> Option<u64> {
        if path.is_empty() {
            path.push((function, false));
        }
        self.steps += 1;
        if self.steps > MAX_STEPS || path.len() > 512 {
            return None;
        }
        self.states[function] = State::Open;
        let mut best = (0, None);
        for call in &self.program.functions[function].calls {
            let (called, adds) = match &call.target {
                CallTarget::Function { .. } => {
                    let Some(callee) = self.program.callee(call) else { continue };
                    (vec![callee], false)
                }
                CallTarget::Pointer { .. } | CallTarget::Intersection => ((self.targets)(function, call), true),
                CallTarget::Open => continue,
            };
            for callee in called {
                let below = match &self.states[callee] {
                    State::Open => {
                        self.note_cycle(callee, adds, path);
                        continue;
                    }
                    State::Done(levels, _) => *levels,
                    State::New => {
                        path.push((callee, adds));
                        let levels = self.visit(callee, path)?;
                        path.pop();
                        levels
                    }
                };
                let levels = below + u64::from(adds);
                if levels > best.0 {
                    best = (levels, Some(callee));
                } else if best.1.is_none() && levels == best.0 && levels > 0 {
                    best.1 = Some(callee);
                }
            }
        }
        self.states[function] = State::Done(best.0, best.1);
        Some(best.0)
    }

    fn note_cycle(&mut self, callee: usize, adds: bool, path: &[(usize, bool)]) {
        let Some(start) = path.iter().position(|(function, _)| *function == callee) else { return };
        let through_pointer = adds || path[start + 1..].iter().any(|(_, adds)| *adds);
        if self.cycle.is_none() && through_pointer {
            let mut cycle: Vec<usize> = path[start..].iter().map(|(function, _)| *function).collect();
            cycle.push(callee);
            self.cycle = Some(cycle);
        }
    }

    /// The longest chain from a function on.
    fn chain(&self, function: usize) -> Vec<usize> {
        let mut chain = vec![function];
        let mut at = function;
        while let State::Done(_, Some(next)) = self.states[at] {
            if chain.len() > self.states.len() {
                break;
            }
            chain.push(next);
            at = next;
        }
        chain
    }
}
