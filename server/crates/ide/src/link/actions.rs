//! Changes of code around function pointers that are offered where the cursor is.

use std::sync::Arc;

use msl_diagnostics::{Fix, FixKind, TextEdit};
use msl_parser::ast::*;
use msl_ty::{
    DeclRef,
    rules::function_pointers::{CallKind, groups_of_statement},
    store::BindId,
};

use crate::{
    analysis::{Analysis, UnitRequest},
    view::View,
};

impl Analysis {
    /// Names a group for the call through a pointer that a position is in; its statement has none yet.
    pub fn group_action(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Fix> {
        let view = View::new(self, request);
        let spot = view.spots_at(path, offset).into_iter().next()?;
        let layer = view.layer(spot)?;
        let sema = layer.sema(view.env);
        let ast = layer.ast();
        let holds = |range: TokenRange| range.start <= spot.token && spot.token < range.end;
        let is_indirect = ast.own_exprs().any(|(id, expr)| match &expr.kind {
            ExprKind::Call { callee, .. } if holds(expr.range) => {
                matches!(sema.call_kind(layer.facts, id, *callee), CallKind::Indirect(_))
            }
            _ => false,
        });
        if !is_indirect {
            return None;
        }
        // The innermost statement that can name groups.
        let (_, stmt) = ast
            .own_stmts()
            .filter(|(_, stmt)| holds(stmt.range))
            .filter(|(_, stmt)| matches!(stmt.kind, StmtKind::Expr(_) | StmtKind::Decl(_) | StmtKind::Return(Some(_))))
            .min_by_key(|(_, stmt)| stmt.range.end - stmt.range.start)?;
        if groups_of_statement(ast, stmt).next().is_some() {
            return None;
        }
        let start = stmt.range.start;
        let place = view.places.editable(layer.body, TokenRange::new(start, start), false)?;
        Some(Fix {
            title: "Name a function group for this call".to_owned(),
            kind: FixKind::Refactor,
            preferred: false,
            edits: vec![TextEdit { place, new_text: "[[function_groups(\"group\")]] ".to_owned() }],
        })
    }

    /// Makes the plain function that a position names visible, if a table of the unit takes functions of its type.
    pub fn visible_action(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Fix> {
        let view = View::new(self, request);
        let spot = view.spots_at(path, offset).into_iter().next().filter(|spot| spot.body.is_none())?;
        let layer = view.declarations();
        let (sema, ast) = (layer.sema(view.env), layer.ast());
        let is_candidate = |decl: DeclId| {
            matches!(&ast[decl].kind, DeclKind::Function(function) if function.role == FunctionRole::Plain)
                && !sema.is_visible(decl)
                && sema.stage_of(decl).is_none()
                && !msl_ty::check::is_templated(&sema, decl)
        };
        let (decl, data) = ast.own_decls().find(|(_, data)| data.name_token == spot.token)?;
        let item = DeclRef { decl, bind: BindId::NONE };
        if !is_candidate(decl) || sema.class_of(item).is_some() {
            return None;
        }
        let own = sema.function_type(item)?;
        let tables = ast.own_decls().filter_map(|(decl, data)| match &data.kind {
            DeclKind::Variable(_) => sema.table_signature(sema.variable_type(DeclRef { decl, bind: BindId::NONE })),
            _ => None,
        });
        if !tables.into_iter().any(|signature| *signature == own) {
            return None;
        }
        let start = view.places.editable(None, TokenRange::new(data.range.start, data.range.start), false)?;
        Some(Fix {
            title: "Add `[[visible]]`: a table takes functions of this type".to_owned(),
            kind: FixKind::Refactor,
            preferred: false,
            edits: vec![TextEdit { place: start, new_text: "[[visible]] ".to_owned() }],
        })
    }

    /// Gives the type of a table that is written out a name of its own, in front of the function.
    pub fn alias_action(&self, request: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<Fix> {
        let view = View::new(self, request);
        let spot = view.spots_at(path, offset).into_iter().next().filter(|spot| spot.body.is_none())?;
        let layer = view.declarations();
        let ast = layer.ast();
        let holds = |range: TokenRange| range.start <= spot.token && spot.token < range.end;
        // The function type among the template arguments around the position.
        let (written, function) = ast.own_decls().find_map(|(_, data)| {
            let DeclKind::Function(function) = &data.kind else { return None };
            let TypeKind::Function(ty) = &ast[function.ty].kind else { return None };
            if !holds(data.range) {
                return None;
            }
            let written = ty.params.iter().find_map(|&param| {
                let DeclKind::Variable(variable) = &ast[param].kind else { return None };
                if !holds(ast[param].range) {
                    return None;
                }
                let TypeKind::Path { path, .. } = &ast[variable.ty].kind else { return None };
                let segment = path.last()?;
                let argument = segment.args.as_deref()?.first()?;
                match argument.kind {
                    TemplateArgKind::Type(ty) if matches!(ast[ty].kind, TypeKind::Function(_)) => Some(argument.range),
                    _ => None,
                }
            })?;
            Some((written, data.range))
        })?;
        let place = view.places.editable(None, written, false)?;
        let text = view.text(&place.path)?;
        let spelled = text.get(place.range.start as usize..place.range.end as usize)?;
        let spelled = String::from_utf8_lossy(spelled).into_owned();
        let before = view.places.editable(None, TokenRange::new(function.start, function.start), false)?;
        Some(Fix {
            title: "Name the type of this table".to_owned(),
            kind: FixKind::Refactor,
            preferred: false,
            edits: vec![
                TextEdit { place: before, new_text: format!("using Function = {spelled};\n") },
                TextEdit { place, new_text: "Function".to_owned() },
            ],
        })
    }
}
