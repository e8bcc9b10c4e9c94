//! Variables that are read before they have a value.
//!
//! A variable that is declared without a value is *tracked*. What counts is the first place that mentions it, in the order
//! in which statements run: if that place reads it, then nothing can have given it a value before, whatever way led
//! there. A loop comes back to its first statements, so a read in a loop counts only if nothing in the loop gives the
//! variable a value. A write to one component, an address, a reference and a capture are not followed: behind these a
//! variable counts as having a value.

use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::Review;
use crate::sema::{TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// What becomes of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Its value is read.
    Read,
    /// All of it is given a value.
    Write,
    /// Its value is read and replaced: `x += 1`.
    Update,
    /// It may be read, written to or remembered.
    Place,
    /// Nothing: `(void)x`.
    Discard,
}

/// What is known of a variable that was declared without a value.
#[derive(Debug)]
pub(super) struct Tracked {
    /// How many loops are around its declaration.
    loops: usize,
    is_array: bool,
    first: First,
}

/// The first mention.
#[derive(Debug)]
enum First {
    None,
    /// A read, and the outermost loop around it that the declaration stands outside of.
    Read(TokenRange, Option<StmtId>),
    /// Something that may give the variable a value.
    Other,
}

impl Review<'_, '_> {
    /// How an expression is used that initialises an object of a type.
    pub(super) fn use_as(&self, ty: Ty) -> Use {
        if self.checker.is_value_type(self.element_of(ty)) { Use::Read } else { Use::Place }
    }

    /// The type of an array's elements, also of arrays of arrays.
    fn element_of(&self, mut ty: Ty) -> Ty {
        while let TyKind::Array(elem, _) = self.checker.kind(ty) {
            ty = elem.ty;
        }
        ty
    }

    pub(super) fn track(&mut self, decl: DeclId, variable: &Variable, ty: QualTy) {
        let data = &self.ast()[decl];
        let is_automatic = variable.kind == VariableKind::Local
            && matches!(ty.space, Space::None | Space::Thread)
            && !data.specs.intersects(Specs::STATIC | Specs::EXTERN | Specs::CONSTEXPR)
            && data.attrs.is_empty();
        if is_automatic && !self.in_lambda && self.checker.is_value_type(self.element_of(ty.ty)) {
            let is_array = matches!(self.checker.kind(ty.ty), TyKind::Array(..));
            self.tracked.insert(decl, Tracked { loops: self.loops.len(), is_array, first: First::None });
        }
    }

    pub(super) fn mention_path(&mut self, path: &Path, how: Use, is_part: bool) {
        if let Some(last) = path.last() {
            self.mention_token(last.token, how, is_part);
        }
    }

    /// A name; `is_part` if what is used is an element or component of what it names.
    pub(super) fn mention_token(&mut self, token: u32, how: Use, is_part: bool) {
        let Some(refs) = self.checker.facts.refs.get(&token) else { return };
        let is_followed = self.unsure == 0 && !self.in_lambda;
        for item in refs {
            let Some(tracked) = self.tracked.get_mut(&item.decl) else { continue };
            let is_read = matches!(how, Use::Read | Use::Update) && (is_part || !tracked.is_array);
            if let First::None = tracked.first
                && how != Use::Discard
            {
                tracked.first = if is_read && is_followed {
                    First::Read(TokenRange::new(token, token + 1), self.loops.get(tracked.loops).copied())
                } else {
                    First::Other
                };
            } else if let First::Read(_, Some(around)) = tracked.first
                && !is_read
                && how != Use::Discard
                && self.loops.contains(&around)
            {
                tracked.first = First::Other;
            }
        }
    }

    pub(super) fn report_uninitialized(&self) {
        let ast = self.ast();
        for (&decl, tracked) in &self.tracked {
            let (First::Read(range, _), DeclKind::Variable(variable)) = (&tracked.first, &ast[decl].kind) else {
                continue;
            };
            let Some(name) = variable.name.ident() else { continue };
            let declared = self.checker.name_range(decl);
            let ty = self.checker.facts.variables.get(&decl).map_or(Ty::UNKNOWN, |ty| ty.ty);
            let zero = match self.checker.kind(ty) {
                TyKind::Pointer(_) => Some("nullptr"),
                TyKind::Scalar(Scalar::Bool) => Some("false"),
                TyKind::Scalar(_) | TyKind::Vector(..) => Some("0"),
                _ => None,
            };
            let fixes = zero.map(|zero| TokenFix {
                title: format!("Initialise `{name}` with `{zero}`"),
                preferred: false,
                edits: vec![TokenEdit {
                    range: TokenRange::new(declared.end, declared.end),
                    after: true,
                    text: format!(" = {zero}"),
                }],
            });
            self.checker.sema.report(|| TyDiagnostic {
                code: Code::UninitializedVariable,
                severity: None,
                range: *range,
                message: format!("`{name}` is read here and has no value yet: nothing has given it one"),
                related: vec![(declared, format!("`{name}` is declared here without a value"))],
                fixes: fixes.into_iter().collect(),
            });
        }
    }
}
