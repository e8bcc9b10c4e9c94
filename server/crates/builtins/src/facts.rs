//! Reads the attributes of the dialect off the declarations, once, when the library is loaded.
//!
//! Vocabulary: the *effective* version of a declaration is the newest of its own and those of the declarations around
//! it; everything else stands for the declaration alone. What each attribute means is defined in `DIALECT.md`.

use msl_intern::Name;
use msl_parser::ast::{Ast, AttrId, Decl, DeclId, DeclKind, ExprId, ExprKind};
use rustc_hash::FxHashMap;

use crate::attributes::{Group, Stages};
use crate::sets::{self, TypeSpec};
use crate::since::Since;

/// What the dialect says about one declaration, apart from its version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Type parameters that range over lists: the declaration stands for one ordinary overload for each combination.
    pub each: Vec<Each>,
    /// Conditions under which the declaration exists, all of which must hold.
    pub enable_if: Vec<EnableIf>,
    /// The type or operation of the language that the declaration names.
    pub builtin: Option<Name>,
    /// The functions in which the declaration may be used, directly or through calls; empty if in all.
    pub stages: Stages,
    /// All threads of the group must reach a call.
    pub uniform: bool,
    /// A call is one of all threads of a group: what it does depends on what the other threads pass.
    pub across: Option<Across>,
    /// Orders what the calling thread does to memory before the call and after it.
    pub fence: bool,
    /// Parameters that must have the same value in all threads of the group.
    pub uniform_params: Vec<Name>,
    /// Parameters that must be constant expressions.
    pub constant_params: Vec<Name>,
    /// The memory orders that a call may ask for; empty if any.
    pub orders: Vec<Name>,
    /// Bounds, inclusive, of constant arguments.
    pub ranges: Vec<Range>,
    /// Values cannot be constructed by the program or take part in operators.
    pub opaque: bool,
    pub no_copy: bool,
    /// The real class has members that are not declared: what is not found is unknown.
    pub partial: bool,
    /// Nothing but the function's name is known.
    pub unknown: bool,
    /// Hidden from completion.
    pub internal: bool,
    pub deprecated: Option<Deprecated>,
    /// The first version in which the declaration does not exist any more.
    pub until: Option<Since>,
}

/// A type parameter with the types that it ranges over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Each {
    /// A [`DeclKind::TypeParam`] of the declaration.
    pub param: DeclId,
    pub types: Vec<TypeSpec>,
}

/// The threads that a call is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Across {
    pub group: Group,
    /// The result is the same in all of them.
    pub is_same: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnableIf {
    pub condition: ExprId,
    /// For people: why the declaration does not exist where the condition is false.
    pub reason: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub param: Name,
    pub min: i64,
    pub max: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deprecated {
    /// What to do instead.
    pub text: String,
    /// The first version that deprecates it; `None` for all.
    pub since: Option<Since>,
}

/// The facts about all declarations of the library.
#[derive(Debug, Default)]
pub struct FactTable {
    /// The number of the first declaration that it is about.
    start: u32,
    /// The effective version by declaration number, from `start` on.
    since: Vec<Since>,
    /// Only declarations about which there is something to say.
    facts: FxHashMap<DeclId, Facts>,
    /// Attributes that the dialect does not define, or with arguments that it does not allow.
    pub mistakes: Vec<(AttrId, String)>,
}

impl FactTable {
    /// Reads the attributes of the topmost layer.
    pub fn collect(ast: &Ast) -> FactTable {
        let words = Words::new();
        let start = ast.start().decls;
        let since = vec![Since::ALWAYS; (ast.end().decls - start) as usize];
        let mut table = FactTable { start, since, ..FactTable::default() };
        for (id, decl) in ast.own_decls() {
            if !decl.attrs.is_empty() {
                table.read(ast, &words, id, decl);
            }
            // Declarations are numbered from outside to inside, so the version around is final here.
            let inner: &[DeclId] = match &decl.kind {
                DeclKind::Namespace { decls, .. } => decls,
                DeclKind::Record(record) => &record.members,
                DeclKind::Enum(declared) => &declared.enumerators,
                _ => &[],
            };
            let around = table.since(id);
            if !around.is_always() {
                for inner in inner {
                    let since = &mut table.since[(inner.0 - start) as usize];
                    *since = since.and(around);
                }
            }
        }
        table
    }

    /// The effective version of a declaration of the library.
    pub fn since(&self, decl: DeclId) -> Since {
        let index = decl.0.checked_sub(self.start);
        index.and_then(|index| self.since.get(index as usize)).copied().unwrap_or(Since::ALWAYS)
    }

    /// What else the dialect says about a declaration.
    pub fn facts(&self, decl: DeclId) -> Option<&Facts> {
        self.facts.get(&decl)
    }

    fn read(&mut self, ast: &Ast, words: &Words, id: DeclId, decl: &Decl) {
        let mut facts = Facts::default();
        for &attr in &decl.attrs {
            if ast[attr].namespace != Some(words.msl) {
                continue;
            }
            if let Err(message) = self.read_attribute(ast, words, id, decl, attr, &mut facts) {
                self.mistakes.push((attr, message));
            }
        }
        if facts != Facts::default() {
            self.facts.insert(id, facts);
        }
    }

    fn read_attribute(
        &mut self,
        ast: &Ast,
        words: &Words,
        id: DeclId,
        decl: &Decl,
        attr: AttrId,
        facts: &mut Facts,
    ) -> Result<(), String> {
        let (name, args) = (ast[attr].name, &*ast[attr].args);
        if name == words.since {
            let since = &mut self.since[(id.0 - self.start) as usize];
            *since = since.and(version(ast, args, 0)?);
        } else if name == words.until {
            facts.until = Some(version(ast, args, 0)?);
        } else if name == words.each {
            facts.each.push(each(ast, decl, args)?);
        } else if name == words.enable_if {
            let condition = *args.first().ok_or("a condition is missing")?;
            facts.enable_if.push(EnableIf { condition, reason: args.get(1).and_then(|&reason| string(ast, reason)) });
        } else if name == words.builtin {
            let builtin = args.first().and_then(|&arg| string(ast, arg)).ok_or("a name in quotes is missing")?;
            facts.builtin = Some(Name::new(&builtin));
        } else if name == words.stage {
            for &arg in args {
                let stage = word(ast, arg).and_then(|word| stage(word.as_str())).ok_or("not the name of a stage")?;
                facts.stages = facts.stages.or(stage);
            }
        } else if name == words.uniform {
            facts.uniform |= args.is_empty();
            facts.uniform_params.extend(args.iter().filter_map(|&arg| word(ast, arg)));
        } else if name == words.across {
            let text = args.first().and_then(|&arg| string(ast, arg)).ok_or("a group in quotes is missing")?;
            let group = group(&text).ok_or("not the name of a group")?;
            let is_same = match args.get(1) {
                Some(&arg) if word(ast, arg) == Some(words.same) => true,
                Some(_) => return Err("only `same` can stand behind the group".to_owned()),
                None => false,
            };
            facts.across = Some(Across { group, is_same });
        } else if name == words.fence {
            facts.fence = true;
        } else if name == words.constant {
            facts.constant_params.extend(args.iter().filter_map(|&arg| word(ast, arg)));
        } else if name == words.order {
            facts.orders.extend(args.iter().filter_map(|&arg| word(ast, arg)));
        } else if name == words.range {
            let &[param, min, max] = args else { return Err("a parameter and two bounds are due".to_owned()) };
            facts.ranges.push(Range {
                param: word(ast, param).ok_or("not the name of a parameter")?,
                min: integer(ast, min).ok_or("not a number")?,
                max: integer(ast, max).ok_or("not a number")?,
            });
        } else if name == words.deprecated {
            let text = args.first().and_then(|&arg| string(ast, arg)).ok_or("a text is missing")?;
            let since = if args.len() > 1 { Some(version(ast, args, 1)?) } else { None };
            facts.deprecated = Some(Deprecated { text, since });
        } else if name == words.opaque {
            facts.opaque = true;
        } else if name == words.no_copy {
            facts.no_copy = true;
        } else if name == words.partial {
            facts.partial = true;
        } else if name == words.unknown {
            facts.unknown = true;
        } else if name == words.internal {
            facts.internal = true;
        } else if name != words.header {
            return Err(format!("the dialect has no attribute `{}`", name.as_str()));
        }
        Ok(())
    }
}

fn version(ast: &Ast, args: &[ExprId], index: usize) -> Result<Since, String> {
    let text = args.get(index).and_then(|&arg| string(ast, arg)).ok_or("a version in quotes is missing")?;
    Since::parse(&text).ok_or_else(|| format!("`{text}` is no version"))
}

fn each(ast: &Ast, decl: &Decl, args: &[ExprId]) -> Result<Each, String> {
    let (&param, set_names) = args.split_first().ok_or("a type parameter is missing")?;
    let name = word(ast, param).ok_or("not the name of a type parameter")?;
    let params = decl.templates.iter().flat_map(|&header| ast[header].params.iter().copied());
    let named = |&id: &DeclId| matches!(ast[id].kind, DeclKind::TypeParam { name: own, .. } if own == name);
    let param = params.into_iter().find(named).ok_or_else(|| format!("no type parameter `{}`", name.as_str()))?;
    let mut types = Vec::new();
    for &set in set_names {
        let set = word(ast, set).ok_or("not the name of a set")?;
        types.extend(sets::expand(set.as_str()).ok_or_else(|| format!("no set `{}`", set.as_str()))?);
    }
    if types.is_empty() { Err("no types to range over".to_owned()) } else { Ok(Each { param, types }) }
}

/// An argument that is one identifier.
fn word(ast: &Ast, expr: ExprId) -> Option<Name> {
    match &ast[expr].kind {
        ExprKind::Path(path) => path.as_ident(),
        _ => None,
    }
}

/// An argument that is a string literal, without its quotes; the dialect uses no escapes.
fn string(ast: &Ast, expr: ExprId) -> Option<String> {
    match &ast[expr].kind {
        ExprKind::String(parts) => Some(parts.iter().map(|part| part.as_str().trim_matches('"')).collect()),
        _ => None,
    }
}

fn integer(ast: &Ast, expr: ExprId) -> Option<i64> {
    match &ast[expr].kind {
        ExprKind::Int(text) => text.as_str().parse().ok(),
        ExprKind::Unary { op: msl_parser::ast::UnaryOp::Minus, operand, .. } => {
            integer(ast, *operand).map(|value| -value)
        }
        _ => None,
    }
}

fn stage(word: &str) -> Option<Stages> {
    Some(match word {
        "vertex" => Stages::ANY_VERTEX,
        "fragment" => Stages::FRAGMENT,
        "kernel" => Stages::KERNEL,
        "object" => Stages::OBJECT,
        "mesh" => Stages::MESH,
        "intersection" => Stages::INTERSECTION,
        _ => return None,
    })
}

fn group(word: &str) -> Option<Group> {
    Some(match word {
        "quadgroup" => Group::Quadgroup,
        "simdgroup" => Group::Simdgroup,
        "threadgroup" => Group::Threadgroup,
        _ => return None,
    })
}

/// The interned names of the dialect's attributes, and the words in them.
struct Words {
    msl: Name,
    since: Name,
    until: Name,
    each: Name,
    enable_if: Name,
    builtin: Name,
    stage: Name,
    uniform: Name,
    across: Name,
    same: Name,
    fence: Name,
    constant: Name,
    range: Name,
    order: Name,
    deprecated: Name,
    opaque: Name,
    no_copy: Name,
    partial: Name,
    unknown: Name,
    internal: Name,
    header: Name,
}

impl Words {
    fn new() -> Words {
        Words {
            msl: Name::new("msl"),
            since: Name::new("since"),
            until: Name::new("until"),
            each: Name::new("each"),
            enable_if: Name::new("enable_if"),
            builtin: Name::new("builtin"),
            stage: Name::new("stage"),
            uniform: Name::new("uniform"),
            across: Name::new("across"),
            same: Name::new("same"),
            fence: Name::new("fence"),
            constant: Name::new("constant"),
            range: Name::new("range"),
            order: Name::new("order"),
            deprecated: Name::new("deprecated"),
            opaque: Name::new("opaque"),
            no_copy: Name::new("no_copy"),
            partial: Name::new("partial"),
            unknown: Name::new("unknown"),
            internal: Name::new("internal"),
            header: Name::new("header"),
        }
    }
}
