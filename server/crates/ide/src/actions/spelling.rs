//! What may be written in several ways, written in one: for comparing functions by what they mean.
//!
//! * Parentheses say how operations nest. So they are left out, and instead it is written where each operation starts and
//!   ends.
//! * `T const`, `const T`, `const device T` and `device T const` are one type: the qualifiers come first, address spaces
//!   before the others.
//! * Braces around a single statement that declares nothing are left out where a loop or a condition governs it.

use msl_parser::ast::*;
use msl_preproc::{Keyword, TokenKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// How the tokens of a signature or of a body are to be read.
#[derive(Default)]
pub(super) struct Spelling {
    /// Tokens that are not read where they stand.
    pub(super) left_out: FxHashSet<u32>,
    /// By token: how many operations start right before it.
    pub(super) opens: FxHashMap<u32, u32>,
    /// By token: how many operations end right behind it.
    pub(super) closes: FxHashMap<u32, u32>,
    /// By the first token of a type: the qualifiers that are written in it, in one order.
    pub(super) qualifiers: FxHashMap<u32, Qualifiers>,
}

/// The qualifiers of one type.
#[derive(Clone, Default)]
pub(super) struct Qualifiers {
    /// With their tokens.
    pub(super) spaces: Vec<(SpaceWord, u32)>,
    pub(super) others: Vec<Keyword>,
}

/// Types are not looked at beyond this many tokens.
const MAX_TYPE: u32 = 256;

impl Spelling {
    /// Of the parameters and the result of a function. `kind` is that of a token by its number.
    pub(super) fn of_signature(ast: &Ast, function: &Function, kind: &dyn Fn(u32) -> Option<TokenKind>) -> Spelling {
        let mut spelling = Spelling::default();
        let TypeKind::Function(written) = &ast[function.ty].kind else { return spelling };
        let of_params = written.params.iter().filter_map(|&param| match &ast[param].kind {
            DeclKind::Variable(variable) => Some(variable.ty),
            _ => None,
        });
        let nodes: Vec<TypeId> = of_params.chain([written.ret]).flat_map(|ty| levels(ast, ty)).collect();
        spelling.move_qualifiers(ast, nodes.iter().copied(), kind);
        spelling
    }

    /// Of a body.
    pub(super) fn of_body(ast: &Ast, kind: &dyn Fn(u32) -> Option<TokenKind>) -> Spelling {
        let mut spelling = Spelling::default();
        spelling.move_qualifiers(ast, ast.own_types().map(|(ty, _)| ty), kind);
        // What `decltype` says about a name is something else with parentheses around it.
        let types = ast.own_types();
        let declared: FxHashSet<ExprId> = types
            .filter_map(|(_, node)| match node.kind {
                TypeKind::Decltype(expr) => Some(expr),
                _ => None,
            })
            .collect();
        for (expr, data) in ast.own_exprs() {
            let TokenRange { start, end } = data.range;
            if start >= end {
                continue;
            }
            match data.kind {
                ExprKind::Paren(_) if !declared.contains(&expr) => {
                    spelling.left_out.extend([start, end - 1]);
                }
                ExprKind::Unary { .. }
                | ExprKind::Binary { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Conditional { .. }
                | ExprKind::CCast { .. } => {
                    *spelling.opens.entry(start).or_default() += 1;
                    *spelling.closes.entry(end - 1).or_default() += 1;
                }
                _ => {}
            }
        }
        for (_, data) in ast.own_stmts() {
            let governed: &[Option<StmtId>] = match data.kind {
                StmtKind::If { then, otherwise, .. } => &[Some(then), otherwise],
                StmtKind::While { body, .. }
                | StmtKind::Do { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::RangeFor { body, .. } => &[Some(body)],
                _ => &[],
            };
            for &stmt in governed.iter().flatten() {
                let StmtKind::Compound { stmts, .. } = &ast[stmt].kind else { continue };
                let [single] = **stmts else { continue };
                let range = ast[stmt].range;
                let declares_nothing = matches!(
                    ast[single].kind,
                    StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue
                );
                if declares_nothing && range.end > range.start + 1 {
                    spelling.left_out.extend([range.start, range.end - 1]);
                }
            }
        }
        spelling
    }

    /// Puts the qualifiers of each type before it. Those of pointers and references stay: they stand behind the `*`.
    fn move_qualifiers(
        &mut self,
        ast: &Ast,
        nodes: impl Iterator<Item = TypeId>,
        kind: &dyn Fn(u32) -> Option<TokenKind>,
    ) {
        // A token belongs to the smallest type around it.
        let mut owners: FxHashMap<u32, (u32, TypeId)> = FxHashMap::default();
        for ty in nodes.filter(|&ty| matches!(ast[ty].kind, TypeKind::Qualified { .. })) {
            let TokenRange { start, end } = ast[ty].range;
            for token in start..end.min(start.saturating_add(MAX_TYPE)) {
                let owner = owners.entry(token).or_insert((end - start, ty));
                if end - start < owner.0 {
                    *owner = (end - start, ty);
                }
            }
        }
        let mut owned: Vec<(u32, TypeId)> = owners.into_iter().map(|(token, (_, ty))| (token, ty)).collect();
        owned.sort_unstable_by_key(|&(token, _)| token);
        for (token, ty) in owned {
            let TypeKind::Qualified { inner, quals } = &ast[ty].kind else { continue };
            let is_named = !matches!(
                ast[*inner].kind,
                TypeKind::Pointer(_)
                    | TypeKind::LRef(_)
                    | TypeKind::RRef(_)
                    | TypeKind::Array { .. }
                    | TypeKind::Function(_)
                    | TypeKind::MemberPointer { .. }
                    | TypeKind::Qualified { .. }
            );
            if !is_named {
                continue;
            }
            let moved = self.qualifiers.entry(ast[ty].range.start);
            if let Some(space) = quals.spaces.iter().find(|(_, at)| *at == token) {
                moved.or_default().spaces.push(*space);
            } else if let Some(TokenKind::Keyword(word @ (Keyword::Const | Keyword::Volatile))) = kind(token) {
                moved.or_default().others.push(word);
            } else {
                continue;
            }
            self.left_out.insert(token);
        }
        for moved in self.qualifiers.values_mut() {
            moved.others.sort_by_key(|word| *word != Keyword::Const);
            moved.others.dedup();
        }
    }
}

/// A type and what it leads to, through pointers, references and arrays.
fn levels(ast: &Ast, ty: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    std::iter::successors(Some(ty), |&ty| match &ast[ty].kind {
        TypeKind::Qualified { inner, .. }
        | TypeKind::Pointer(inner)
        | TypeKind::LRef(inner)
        | TypeKind::RRef(inner)
        | TypeKind::Array { elem: inner, .. } => Some(*inner),
        _ => None,
    })
}
