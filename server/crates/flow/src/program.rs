//! The whole program: in which contexts each function runs, and what each access costs.

use std::sync::Arc;

use msl_parser::ast::{ExprId, TokenRange};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::summary::{Function, Input, Output, Summary};
use crate::value::{SourceKind, Spaces, Value};

/// What the compiler will be able to do with an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Resolution {
    /// One space in every context, the same one. No cost.
    Static,
    /// One space in each context, not the same in all. Costs code size only.
    PerCall,
    /// A branch on the address at run time.
    Runtime,
}

impl Resolution {
    pub const fn as_str(self) -> &'static str {
        match self {
            Resolution::Static => "static",
            Resolution::PerCall => "per-call",
            Resolution::Runtime => "runtime",
        }
    }
}

/// What one input is in one context, or what a value is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Known {
    /// The spaces that it can have: what is true.
    pub spaces: Spaces,
    /// The compiler cannot resolve it: what is paid.
    pub is_runtime: bool,
}

impl Known {
    const ANYWHERE: Known = Known { spaces: Spaces::ALL, is_runtime: true };

    fn join(self, other: Known) -> Known {
        let spaces = self.spaces.union(other.spaces);
        Known { spaces, is_runtime: self.is_runtime || other.is_runtime }
    }

    /// Two values of different spaces meet here.
    fn meet(self, other: Known) -> Known {
        let joined = self.join(other);
        Known { is_runtime: joined.is_runtime || joined.spaces.len() > 1, ..joined }
    }
}

/// One way in which a function is called: what each of its inputs is.
pub type Context = SmallVec<[Known; 4]>;

/// How a function takes part in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Role {
    /// An entry point, or a function that code outside the program can call.
    pub is_root: bool,
    /// An entry point. Its parameters name their spaces; where one does not, that is an error of its own and nothing
    /// follows from it.
    pub is_entry: bool,
    /// Never inlined: all its callers meet in one copy.
    pub is_apart: bool,
}

/// The verdict on one access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessVerdict {
    pub expr: ExprId,
    pub range: TokenRange,
    pub inferred: Spaces,
    /// `None` if the function has no known caller.
    pub resolution: Option<Resolution>,
    /// Reached from a loop of a caller, or in a loop itself.
    pub in_loop: bool,
}

/// The verdicts on everything.
#[derive(Debug, Default, PartialEq)]
pub struct Program {
    pub functions: Vec<(Function, Arc<Summary>)>,
    numbers: FxHashMap<Function, usize>,
    roles: Vec<Role>,
    contexts: Vec<Vec<Context>>,
    /// Called from inside a loop, directly or not.
    pub called_in_loop: Vec<bool>,
    callers: Vec<Vec<(usize, usize)>>,
}

/// A function with more contexts than this is not resolved further.
const MAX_CONTEXTS: usize = 128;

impl Program {
    /// Decides a program of functions with their summaries and roles.
    pub fn new(functions: Vec<(Function, Arc<Summary>, Role)>) -> Program {
        let mut program = Program::default();
        for (function, summary, role) in functions {
            program.numbers.insert(function, program.functions.len());
            program.functions.push((function, summary));
            program.roles.push(role);
        }
        let count = program.functions.len();
        program.contexts = vec![Vec::new(); count];
        program.called_in_loop = vec![false; count];
        program.callers = vec![Vec::new(); count];
        for (caller, (_, summary)) in program.functions.iter().enumerate() {
            for (index, call) in summary.calls.iter().enumerate() {
                if let Some(callee) = call.callee.and_then(|callee| program.numbers.get(&callee)) {
                    program.callers[*callee].push((caller, index));
                }
            }
        }
        program.mark_recursion();
        program.find_contexts();
        program.find_loops();
        program
    }

    /// The number of a function.
    pub fn number(&self, function: Function) -> Option<usize> {
        self.numbers.get(&function).copied()
    }

    /// The calls of a function: caller and the number of the call in its summary.
    pub fn callers(&self, number: usize) -> &[(usize, usize)] {
        &self.callers[number]
    }

    /// The contexts that a function runs in.
    pub fn contexts(&self, number: usize) -> &[Context] {
        &self.contexts[number]
    }

    /// Functions that can reach themselves cannot be inlined away: one copy serves all calls.
    fn mark_recursion(&mut self) {
        let count = self.functions.len();
        for start in 0..count {
            let mut seen = FxHashSet::default();
            let mut stack = self.callees(start);
            while let Some(next) = stack.pop() {
                if next == start {
                    self.roles[start].is_apart = true;
                    break;
                }
                if seen.insert(next) && seen.len() < 2_000 {
                    stack.extend(self.callees(next));
                }
            }
        }
    }

    fn callees(&self, number: usize) -> Vec<usize> {
        let summary = &self.functions[number].1;
        summary.calls.iter().filter_map(|call| self.numbers.get(&call.callee?).copied()).collect()
    }

    fn find_contexts(&mut self) {
        let mut work: Vec<(usize, Context)> = Vec::new();
        for number in 0..self.functions.len() {
            if self.roles[number].is_root {
                let is_entry = self.roles[number].is_entry;
                let context: Context = self.functions[number]
                    .1
                    .inputs
                    .iter()
                    .map(|input| match input {
                        Input::Param(..) if is_entry => Known::default(),
                        _ => Known::ANYWHERE,
                    })
                    .collect();
                if self.add_context(number, context.clone()) {
                    work.push((number, context));
                }
            }
        }
        let mut fuel = 200_000u32;
        while let Some((number, context)) = work.pop() {
            fuel = fuel.saturating_sub(1);
            if fuel == 0 {
                break;
            }
            let summary = Arc::clone(&self.functions[number].1);
            for call in &summary.calls {
                let Some(&callee) = call.callee.as_ref().and_then(|callee| self.numbers.get(callee)) else { continue };
                let passed = self.pass(number, &context, call, callee, 0);
                let (changed, merged) = if self.roles[callee].is_apart {
                    self.merge_context(callee, passed)
                } else {
                    (self.add_context(callee, passed.clone()), passed)
                };
                if changed {
                    work.push((callee, merged));
                }
            }
        }
    }

    fn add_context(&mut self, number: usize, context: Context) -> bool {
        if self.roles[number].is_apart {
            return self.merge_context(number, context).0;
        }
        let known = &mut self.contexts[number];
        if known.contains(&context) || known.len() >= MAX_CONTEXTS {
            return false;
        }
        known.push(context);
        true
    }

    /// All callers meet in the one copy of a function.
    fn merge_context(&mut self, number: usize, context: Context) -> (bool, Context) {
        let known = &mut self.contexts[number];
        let Some(own) = known.first_mut() else {
            known.push(context.clone());
            return (true, context);
        };
        let merged: Context = own.iter().zip(&context).map(|(a, b)| a.meet(*b)).collect();
        if *own == merged {
            return (false, merged);
        }
        *own = merged.clone();
        (true, merged)
    }

    /// The context that a call makes for its callee.
    fn pass(
        &self,
        caller: usize,
        context: &Context,
        call: &crate::summary::Call,
        callee: usize,
        depth: u32,
    ) -> Context {
        let inputs = &self.functions[callee].1.inputs;
        inputs
            .iter()
            .map(|input| match call.args.iter().find(|(own, _)| own == input) {
                Some((_, value)) => self.evaluate(caller, context, value, depth),
                None => self.unpassed(input),
            })
            .collect()
    }

    /// An input that a call does not determine: what lies in memory that is not tracked.
    fn unpassed(&self, input: &Input) -> Known {
        match input {
            Input::Behind(..) | Input::Param(..) => Known::ANYWHERE,
        }
    }

    /// What a value is in a context of its function.
    pub fn evaluate(&self, number: usize, context: &Context, value: &Value, depth: u32) -> Known {
        if depth > 40 {
            return Known::default();
        }
        let mut known = Known::default();
        for source in &value.sources {
            let one = match &source.kind {
                SourceKind::Space(spaces, _) => Known { spaces: *spaces, is_runtime: false },
                SourceKind::Input(input) => context.get(*input as usize).copied().unwrap_or(Known::ANYWHERE),
                SourceKind::Memory | SourceKind::Outside => Known::ANYWHERE,
                SourceKind::Output(call, output) => self.call_output(number, context, *call, output, depth + 1),
            };
            known = known.meet(one);
        }
        if value.is_opaque && !known.spaces.is_empty() {
            known.is_runtime = true;
        }
        known.spaces = known.spaces.intersection(value.mask);
        known
    }

    fn call_output(&self, number: usize, context: &Context, call: u32, output: &Output, depth: u32) -> Known {
        let Some(call) = self.functions[number].1.calls.get(call as usize) else { return Known::ANYWHERE };
        let Some(&callee) = call.callee.as_ref().and_then(|callee| self.numbers.get(callee)) else {
            return Known::ANYWHERE;
        };
        let summary = &self.functions[callee].1;
        let Some((_, value)) = summary.outputs.iter().find(|(own, _)| own == output) else {
            // What the callee leaves alone is what went in.
            return match output {
                Output::Behind(param, steps) => {
                    let input = Input::Behind(*param, steps.clone());
                    match call.args.iter().find(|(own, _)| *own == input) {
                        Some((_, value)) => self.evaluate(number, context, value, depth),
                        None => Known::ANYWHERE,
                    }
                }
                Output::Return(_) => Known::default(),
            };
        };
        let passed = match (self.roles[callee].is_apart, self.contexts[callee].first()) {
            (true, Some(merged)) => merged.clone(),
            _ => self.pass(number, context, call, callee, depth),
        };
        self.evaluate(callee, &passed, value, depth)
    }

    fn find_loops(&mut self) {
        let mut work: Vec<usize> = Vec::new();
        for (caller, (_, summary)) in self.functions.iter().enumerate() {
            let _ = caller;
            for call in &summary.calls {
                if !call.loops.is_empty()
                    && let Some(&callee) = call.callee.as_ref().and_then(|callee| self.numbers.get(callee))
                {
                    work.push(callee);
                }
            }
        }
        while let Some(number) = work.pop() {
            if std::mem::replace(&mut self.called_in_loop[number], true) {
                continue;
            }
            work.extend(self.callees(number));
        }
    }

    /// The verdict on a value at one point of a function: inferred spaces and resolution over all contexts.
    pub fn verdict(&self, number: usize, value: &Value) -> (Spaces, Option<Resolution>) {
        let contexts = &self.contexts[number];
        if contexts.is_empty() {
            // Nobody calls it: any space, and nothing is paid yet.
            let anywhere: Context = std::iter::repeat_n(
                Known { spaces: Spaces::ALL, is_runtime: false },
                self.functions[number].1.inputs.len(),
            )
            .collect();
            let known = self.evaluate(number, &anywhere, value, 0);
            return (known.spaces, None);
        }
        let mut inferred = Spaces::NONE;
        let mut resolution = Resolution::Static;
        let mut single: Option<Spaces> = None;
        for context in contexts {
            let known = self.evaluate(number, context, value, 0);
            inferred = inferred.union(known.spaces);
            if known.is_runtime {
                resolution = Resolution::Runtime;
            } else if resolution != Resolution::Runtime && !known.spaces.is_empty() {
                match single {
                    Some(own) if own != known.spaces => resolution = Resolution::PerCall,
                    _ => single = Some(known.spaces),
                }
            }
        }
        (inferred, Some(resolution))
    }

    /// The verdicts on a function's accesses.
    pub fn accesses(&self, number: usize) -> Vec<AccessVerdict> {
        let summary = &self.functions[number].1;
        summary
            .accesses
            .iter()
            .map(|access| {
                let (inferred, resolution) = self.verdict(number, &access.pointer);
                let in_loop = !access.loops.is_empty() || self.called_in_loop[number];
                AccessVerdict { expr: access.expr, range: access.range, inferred, resolution, in_loop }
            })
            .collect()
    }
}
