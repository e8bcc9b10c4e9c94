//! What can be selected in a unit, for tests over real code.

use msl_diagnostics::TextRange;
use msl_parser::ast::*;

use super::statements::{Role, Statements};
use crate::{
    analysis::{Analysis, UnitRequest},
    view::View,
};

/// Runs of more statements than this are not listed.
const MAX_RUN: usize = 4;

impl Analysis {
    /// Ranges of a unit's root file that select something whole: expressions, runs of statements, names of local
    /// variables, the words `if` and `switch`. In order, each once.
    pub fn selections(&self, request: &UnitRequest) -> Vec<TextRange> {
        let view = View::new(self, request);
        let mut found = Vec::new();
        for layer in view.layers() {
            let Some(root) = layer.root() else { continue };
            let ast = layer.ast();
            let mut add = |tokens: TokenRange| {
                let place = view.places.editable(layer.body, tokens, false);
                found.extend(place.filter(|place| place.path == request.path).map(|place| place.range));
            };
            for (expr, data) in ast.own_exprs() {
                if layer.facts.exprs.contains_key(&expr) && data.range.end > data.range.start + 1 {
                    add(data.range);
                }
            }
            let tree = Statements::of(ast, root);
            for stmt in tree.iter() {
                let Some((block, Role::InBlock(number))) = tree.parent(stmt) else { continue };
                let StmtKind::Compound { stmts, .. } = &ast[block].kind else { continue };
                for last in stmts[number..].iter().take(MAX_RUN) {
                    add(TokenRange::new(ast[stmt].range.start, ast[*last].range.end));
                }
            }
            for (_, data) in ast.own_stmts() {
                if matches!(data.kind, StmtKind::If { .. } | StmtKind::Switch { .. }) {
                    add(TokenRange::new(data.range.start, data.range.start + 1));
                }
            }
            for (_, data) in ast.own_decls() {
                if matches!(&data.kind, DeclKind::Variable(variable) if variable.kind == VariableKind::Local) {
                    add(TokenRange::new(data.name_token, data.name_token + 1));
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}
