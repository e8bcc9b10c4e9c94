//! Where the spaces of a value come from: chains of places, the shortest explanation first.

use std::collections::VecDeque;

use msl_parser::ast::{DeclId, TokenRange};
use rustc_hash::FxHashSet;

use super::Program;
use crate::border::{Input, Output};
use crate::value::{Holder, Root, Source, SourceKind, Spaces, Value};

/// How many chains explain one value.
const MAX_CHAINS: usize = 8;
/// How many sources are looked at for them.
const MAX_LOOKED_AT: usize = 2_000;

/// One step of an explanation, in the body of one function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginStep {
    /// The number of the function.
    pub function: usize,
    /// In the numbering of that function's body. Empty if the step has no place of its own.
    pub range: TokenRange,
    pub kind: OriginKind,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OriginKind {
    /// The address of a local variable or a part of it.
    AddressOf(DeclId),
    /// The address of something in a space, or a pointer whose type names it.
    Points(Spaces),
    /// A call passes this for an input of its callee.
    Passed { callee: usize, input: Input },
    /// A call gives this back.
    Returned { callee: usize },
    /// A call leaves this in an object of its caller.
    LeftBy { callee: usize },
    /// Loaded from memory that is not tracked.
    Loaded(Holder),
    /// The result of a call that leaves the program, or of one through a pointer or table.
    Outside,
    /// Callers that nobody sees can pass anything: the function is visible, or its address is taken.
    UnknownCaller(Input),
    /// No root reaches the function.
    NoCaller(Input),
}

/// A chain of steps from the value back to where a space comes in, and the spaces that do.
type Chain = (Vec<OriginStep>, Spaces);

struct Frame {
    caller: usize,
    call: u32,
    outer: Option<usize>,
}

struct Item<'a> {
    function: usize,
    source: &'a Source,
    mask: Spaces,
    /// The last step so far, in the list of steps.
    step: Option<usize>,
    /// The call that led into the function, if the chain came from there.
    frame: Option<usize>,
}

impl Program {
    /// Where the spaces of a value in a function come from, shortest first. Each chain starts at the value.
    pub fn origins(&self, number: usize, value: &Value) -> Vec<Vec<OriginStep>> {
        let mut steps: Vec<(OriginStep, Option<usize>)> = Vec::new();
        let mut frames: Vec<Frame> = Vec::new();
        let mut seen: FxHashSet<(usize, &SourceKind, Option<usize>)> = FxHashSet::default();
        let mut chains: Vec<Chain> = Vec::new();
        let mut work: VecDeque<Item<'_>> = VecDeque::new();
        let item = |source| Item { function: number, source, mask: value.mask, step: None, frame: None };
        work.extend(value.sources.iter().map(item));
        let mut looked_at = 0;
        while let Some(Item { function, source, mask, step, frame }) = work.pop_front() {
            looked_at += 1;
            if looked_at > MAX_LOOKED_AT || chains.len() >= MAX_CHAINS {
                break;
            }
            if !seen.insert((function, &source.kind, frame)) {
                continue;
            }
            let mut add = |at: usize, range: TokenRange, kind: OriginKind| {
                steps.push((OriginStep { function: at, range, kind }, step));
                steps.len() - 1
            };
            let mut end: Option<(usize, Spaces)> = None;
            match &source.kind {
                SourceKind::Space(spaces, place) => {
                    if spaces.intersection(mask).is_empty() {
                        continue;
                    }
                    let kind = match place.as_ref().map(|place| place.root) {
                        Some(Root::Local(decl)) if *spaces == Spaces::of(msl_ty::store::Space::Thread) => {
                            OriginKind::AddressOf(decl)
                        }
                        _ => OriginKind::Points(*spaces),
                    };
                    end = Some((add(function, source.at, kind), *spaces));
                }
                SourceKind::Memory(holder) => {
                    end = Some((add(function, source.at, OriginKind::Loaded(*holder)), Spaces::ALL));
                }
                SourceKind::Outside => end = Some((add(function, source.at, OriginKind::Outside), Spaces::ALL)),
                SourceKind::Output(call, output) => {
                    let Some(callee) = self.callee(function, *call) else {
                        let at = add(function, source.at, OriginKind::Outside);
                        chains.push((chain_to(&steps, at), Spaces::ALL));
                        continue;
                    };
                    let summary = &self.functions[callee].1;
                    let Some(of) = self.functions[function].1.calls.get(*call as usize) else { continue };
                    let value = match output {
                        Output::Pointee(_) => None,
                        _ => summary.output(output),
                    };
                    let Some(value) = value else {
                        // Left alone, or behind what is returned: what went in.
                        let input = match output {
                            Output::Behind(param, steps) => Input::Behind(*param, steps.clone()),
                            Output::Capture(decl, steps) => Input::Capture(*decl, steps.clone()),
                            Output::Pointee(steps) => Input::Behind(crate::border::THIS, steps.clone()),
                            Output::Return(_) => continue,
                        };
                        if let Some((_, value)) = of.args.iter().find(|(own, _)| *own == input) {
                            let mask = mask.intersection(value.mask);
                            work.extend(value.sources.iter().map(|source| Item {
                                function,
                                source,
                                mask,
                                step,
                                frame,
                            }));
                        }
                        continue;
                    };
                    let kind = match output {
                        Output::Return(_) => OriginKind::Returned { callee },
                        _ => OriginKind::LeftBy { callee },
                    };
                    let at = add(function, of.range, kind);
                    frames.push(Frame { caller: function, call: *call, outer: frame });
                    let inner = Some(frames.len() - 1);
                    let mask = mask.intersection(value.mask);
                    work.extend(value.sources.iter().map(|source| Item {
                        function: callee,
                        source,
                        mask,
                        step: Some(at),
                        frame: inner,
                    }));
                }
                SourceKind::Input(input) => {
                    let Some(input) = self.functions[function].1.inputs.get(*input as usize) else { continue };
                    if let Some(known) = frame {
                        let Frame { caller, call, outer } = frames[known];
                        let Some((range, value)) = self.argument(caller, call, input) else { continue };
                        // The value goes into the call and comes out again: the call is a step already.
                        let _ = range;
                        let mask = mask.intersection(value.mask);
                        work.extend(value.sources.iter().map(|source| Item {
                            function: caller,
                            source,
                            mask,
                            step,
                            frame: outer,
                        }));
                        continue;
                    }
                    let role = self.role(function);
                    if !self.is_called(function) {
                        end = Some((add(function, source.at, OriginKind::NoCaller(input.clone())), Spaces::ALL));
                    } else if role.is_root && !role.is_entry {
                        end = Some((add(function, source.at, OriginKind::UnknownCaller(input.clone())), Spaces::ALL));
                    } else if role.is_entry {
                        let holder = Holder { field: field_of(input), space: None };
                        end = Some((add(function, source.at, OriginKind::Loaded(holder)), Spaces::ALL));
                    }
                    for (caller, call) in self.live_calls(function) {
                        match self.argument(caller, call, input) {
                            Some((range, value)) => {
                                let kind = OriginKind::Passed { callee: function, input: input.clone() };
                                let at = add(caller, range, kind);
                                let mask = mask.intersection(value.mask);
                                work.extend(value.sources.iter().map(|source| Item {
                                    function: caller,
                                    source,
                                    mask,
                                    step: Some(at),
                                    frame: None,
                                }));
                            }
                            None if end.is_none() => {
                                let holder = Holder { field: field_of(input), space: None };
                                let at = add(function, source.at, OriginKind::Loaded(holder));
                                end = Some((at, Spaces::ALL));
                            }
                            None => {}
                        }
                    }
                }
            }
            if let Some((at, spaces)) = end {
                chains.push((chain_to(&steps, at), spaces));
            }
        }
        chains.into_iter().map(|(chain, _)| chain).collect()
    }

    /// The calls of a function that a root reaches.
    fn live_calls(&self, number: usize) -> Vec<(usize, u32)> {
        let mut found: Vec<(usize, u32)> = self.solution.live[number]
            .iter()
            .flat_map(|&id| &self.node(id).callers)
            .map(|&(from, call)| (self.node(from).function, call))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a call passes for an input, and where that stands.
    fn argument(&self, caller: usize, call: u32, input: &Input) -> Option<(TokenRange, &Value)> {
        let call = self.functions[caller].1.calls.get(call as usize)?;
        let (_, value) = call.args.iter().find(|(own, _)| own == input)?;
        let place = match input {
            Input::Param(param, _) | Input::Behind(param, _) => {
                call.places.iter().find(|(own, _)| own == param).map(|(_, range)| *range)
            }
            Input::Capture(..) => None,
        };
        Some((place.unwrap_or(call.range), value))
    }
}

fn field_of(input: &Input) -> Option<DeclId> {
    input.steps().iter().rev().find_map(|step| match step {
        crate::border::Step::Field(field) => Some(*field),
        _ => None,
    })
}

fn chain_to(steps: &[(OriginStep, Option<usize>)], last: usize) -> Vec<OriginStep> {
    let mut chain = Vec::new();
    let mut at = Some(last);
    while let Some(index) = at {
        let (step, before) = &steps[index];
        chain.push(step.clone());
        at = *before;
    }
    chain.reverse();
    chain
}
