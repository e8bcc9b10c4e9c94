//! The whole program: in which contexts each function runs, and what each access costs.
//!
//! Vocabulary:
//!
//! * A *node* is a function in one context. Its calls lead to nodes of the callees, as full inlining would copy them.
//! * A node is *live* if it can be reached from a root: an entry point, a function that code outside of the program can
//!   call, or one whose address is taken. What is paid is decided by live nodes only.
//! * A function that stays *apart*, because it is never inlined or calls itself, has one live node, in which all its
//!   callers meet.
//!
//! [`solve`] finds the nodes; [`origins`] tells where the spaces of a value come from.

mod graph;
mod origins;
mod solve;

use std::sync::Arc;

use msl_parser::ast::{DeclId, ExprId, TokenRange};
use msl_ty::DeclRef;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::summary::{Access, Callee, Summary};
use crate::value::{Spaces, Value};

pub use graph::{Edge, EdgeFlow};
pub use origins::{OriginKind, OriginStep};

/// A function of the program, or a lambda in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    pub item: DeclRef,
    pub closure: Option<ExprId>,
}

impl Function {
    pub fn of(item: DeclRef) -> Function {
        Function { item, closure: None }
    }
}

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
    /// A limit of the analysis was reached: nothing is claimed.
    pub is_limited: bool,
}

impl Known {
    /// From code or memory that nobody sees.
    pub const ANYWHERE: Known = Known { spaces: Spaces::ALL, is_runtime: true, is_limited: false };
    /// Nothing is known, because the analysis gave up.
    pub const LIMITED: Known = Known { spaces: Spaces::ALL, is_runtime: false, is_limited: true };

    /// Two values meet in one place.
    pub(crate) fn meet(self, other: Known) -> Known {
        let spaces = self.spaces.union(other.spaces);
        let is_limited = self.is_limited || other.is_limited;
        let differs = !is_limited && spaces.len() > 1;
        Known { spaces, is_runtime: self.is_runtime || other.is_runtime || differs, is_limited }
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
    /// Calls itself, directly or through others; such a function is apart too.
    pub is_recursive: bool,
    /// A dynamic library exports it; such a function is a root too.
    pub is_exported: bool,
    /// Its address is taken; such a function is a root too.
    pub is_taken: bool,
}

/// The verdict on one value at one point of a function, over all contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub inferred: Spaces,
    /// `None` if the function has no known caller, or a limit was reached.
    pub resolution: Option<Resolution>,
    /// Why nothing is claimed where that is a limit of the analysis.
    pub limit: Option<&'static str>,
}

/// The verdict on one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessVerdict {
    pub expr: ExprId,
    pub range: TokenRange,
    pub inferred: Spaces,
    /// `None` if the function has no known caller, or a limit was reached.
    pub resolution: Option<Resolution>,
    pub limit: Option<&'static str>,
    /// In a loop, or reached from a loop of a caller.
    pub in_loop: bool,
}

/// What a value is for one call of its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallerVerdict {
    /// The number of the calling function.
    pub caller: usize,
    /// The call, by its number in the caller's summary.
    pub call: u32,
    pub known: Known,
}

/// A function in one context.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub(crate) function: usize,
    pub(crate) context: Context,
    /// The node that each call leads to; `None` if it leads nowhere that is known.
    pub(crate) passed: Vec<Option<u32>>,
    pub(crate) outputs: Vec<Known>,
    /// Live nodes that call this one, and the number of the call. Without limit of their number.
    pub(crate) callers: Vec<(u32, u32)>,
    /// Reached from a loop: the call that leads here from the nearest one.
    pub(crate) loop_via: Option<(u32, u32)>,
}

/// The verdicts on everything.
#[derive(Debug, Default, PartialEq)]
pub struct Program {
    /// By number.
    pub functions: Vec<(Function, Arc<Summary>)>,
    solution: Arc<Solution>,
}

/// The contexts of a program's functions. It holds no places, and nothing but what flows decides it: two programs whose
/// summaries [flow alike](Summary::flows_like) have the same.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Solution {
    numbers: FxHashMap<Function, usize>,
    by_decl: FxHashMap<DeclId, Vec<usize>>,
    roles: Vec<Role>,
    nodes: Vec<Node>,
    /// The live nodes of each function.
    live: Vec<Vec<u32>>,
    /// For functions that nobody calls: the node in which every input can be anything.
    detached: Vec<Option<u32>>,
    /// Why the contexts of a function are not all known.
    limits: Vec<Option<&'static str>>,
}

/// A function of a program with its summary and role.
pub type Part = (DeclRef, Arc<Summary>, Role);

impl Solution {
    /// Decides a program.
    pub(crate) fn of(parts: &[Part]) -> Solution {
        let roles = parts.iter().map(|&(item, _, role)| (item, role)).collect();
        solve::solve(&solve::numbered(parts), &roles)
    }

    /// The number of a function.
    fn number(&self, function: Function) -> Option<usize> {
        self.numbers.get(&function).copied()
    }

    fn resolve(&self, caller: Function, callee: Callee) -> Option<usize> {
        let function = match callee {
            Callee::Function(item) => Function::of(item),
            Callee::Closure(expr) => Function { closure: Some(expr), ..caller },
            Callee::Outside => return None,
        };
        self.number(function)
    }
}

impl Program {
    /// A program of functions that was decided.
    pub(crate) fn new(parts: &[Part], solution: Arc<Solution>) -> Program {
        Program { functions: solve::numbered(parts), solution }
    }

    /// The number of a function.
    pub fn number(&self, function: Function) -> Option<usize> {
        self.solution.number(function)
    }

    /// The numbers of a declaration's functions: its instances, and the lambdas in it.
    pub fn of_declaration(&self, decl: DeclId) -> &[usize] {
        self.solution.by_decl.get(&decl).map_or(&[], Vec::as_slice)
    }

    /// How a function takes part.
    pub fn role(&self, number: usize) -> Role {
        self.solution.roles[number]
    }

    /// Whether a root reaches the function.
    pub fn is_called(&self, number: usize) -> bool {
        !self.solution.live[number].is_empty()
    }

    /// What the inputs of a function are, in each way in which a root reaches it.
    pub fn contexts(&self, number: usize) -> Vec<&Context> {
        self.solution.live[number].iter().map(|&node| &self.node(node).context).collect()
    }

    /// In how many contexts a function runs.
    pub fn context_count(&self, number: usize) -> usize {
        self.solution.live[number].len()
    }

    /// Why not all contexts of a function are known.
    pub fn limit(&self, number: usize) -> Option<&'static str> {
        self.solution.limits[number].or(self.functions[number].1.is_partial.then_some(PARTIAL))
    }

    /// The function that a call leads to.
    pub fn callee(&self, caller: usize, call: u32) -> Option<usize> {
        let (function, summary) = &self.functions[caller];
        self.solution.resolve(*function, summary.calls.get(call as usize)?.callee)
    }

    fn node(&self, id: u32) -> &Node {
        &self.solution.nodes[id as usize]
    }

    /// What a value is in a node of its function.
    pub(crate) fn evaluate(&self, node: &Node, value: &Value) -> Known {
        solve::evaluate(&self.functions, &self.solution.nodes, node, value)
    }

    /// The verdict on a value at one point of a function: inferred spaces and resolution over all contexts.
    pub fn verdict(&self, number: usize, value: &Value) -> Verdict {
        let live = &self.solution.live[number];
        if live.is_empty() {
            let known =
                self.solution.detached[number].map_or(Known::LIMITED, |node| self.evaluate(self.node(node), value));
            return Verdict { inferred: known.spaces, resolution: None, limit: self.limit(number) };
        }
        let mut inferred = Spaces::NONE;
        let mut resolution = Resolution::Static;
        let mut is_limited = self.limit(number).is_some();
        let mut single: Option<Spaces> = None;
        for &node in live {
            let known = self.evaluate(self.node(node), value);
            inferred = inferred.union(known.spaces);
            is_limited |= known.is_limited;
            if known.spaces.is_empty() {
                continue;
            }
            if known.is_runtime {
                resolution = Resolution::Runtime;
            } else if resolution != Resolution::Runtime {
                match single {
                    Some(own) if own != known.spaces => resolution = Resolution::PerCall,
                    _ => single = Some(known.spaces),
                }
            }
        }
        if is_limited {
            let limit = Some(self.limit(number).unwrap_or(VALUE_LIMIT));
            return Verdict { inferred: Spaces::ALL, resolution: None, limit };
        }
        Verdict { inferred, resolution: Some(resolution), limit: None }
    }

    /// The verdict on an access.
    pub fn access(&self, number: usize, access: &Access) -> AccessVerdict {
        let Verdict { inferred, resolution, limit } = self.verdict(number, &access.pointer);
        let in_loop = !access.loops.is_empty() || self.loop_call(number, &access.pointer).is_some();
        AccessVerdict { expr: access.expr, range: access.range, inferred, resolution, limit, in_loop }
    }

    /// The verdicts on a function's accesses.
    pub fn accesses(&self, number: usize) -> Vec<AccessVerdict> {
        self.functions[number].1.accesses.iter().map(|access| self.access(number, access)).collect()
    }

    /// What a value is for each call of its function, by caller and call.
    pub fn callers(&self, number: usize, value: &Value) -> Vec<CallerVerdict> {
        let mut found: Vec<CallerVerdict> = Vec::new();
        for &id in &self.solution.live[number] {
            let node = self.node(id);
            if node.callers.is_empty() {
                continue;
            }
            let known = self.evaluate(node, value);
            for &(from, call) in &node.callers {
                let caller = self.node(from).function;
                match found.iter_mut().find(|own| own.caller == caller && own.call == call) {
                    Some(own) => {
                        own.known.spaces = own.known.spaces.union(known.spaces);
                        own.known.is_runtime |= known.is_runtime;
                        own.known.is_limited |= known.is_limited;
                    }
                    None => found.push(CallerVerdict { caller, call, known }),
                }
            }
        }
        found.sort_by_key(|of| (of.caller, of.call));
        found
    }

    /// The calls that lead to an access from a loop of a caller: from the nearest call outwards, the last one being in
    /// the loop. `None` if the value is not paid for at run time in any context that a loop reaches.
    pub fn loop_call(&self, number: usize, value: &Value) -> Option<Vec<(usize, u32)>> {
        let reached = |&&id: &&u32| {
            let node = self.node(id);
            node.loop_via.is_some() && self.evaluate(node, value).is_runtime
        };
        let mut at = *self.solution.live[number].iter().find(reached)?;
        let mut path = Vec::new();
        while let Some((from, call)) = self.node(at).loop_via {
            let caller = self.node(from).function;
            path.push((caller, call));
            if path.len() >= MAX_CHAIN || !self.functions[caller].1.calls[call as usize].loops.is_empty() {
                break;
            }
            at = from;
        }
        Some(path)
    }
}

/// Longer chains of calls than this are cut where they are shown.
const MAX_CHAIN: usize = 32;

const PARTIAL: &str = "the function is too long or jumps, and was not followed to its end";
const VALUE_LIMIT: &str = "more ways lead to this value than are followed";
