//! Gives the value of an expression a name, in a declaration in front of its statement.

use msl_diagnostics::{Place, TextEdit, TextRange};
use msl_parser::ast::*;
use msl_ty::{
    Sema,
    expr::ExprInfo,
    store::{QualTy, Space, Ty, TyFlags, TyKind},
};

use super::{
    Built, Ways,
    effects::EffectsOf,
    names,
    selection::{Selected, Selection},
    statements::{Role, Statements},
    text::Written,
    uses::{Use, use_of},
};
use crate::{
    actions::offers::ActionKind,
    view::{Layer, View},
};

const ID: &str = "extract-variable";
const TITLE: &str = "Extract into a variable";

pub(super) fn build(view: &View<'_>, selection: &Selection<'_>) -> Option<Built> {
    let Selected::Expression(expr) = selection.what else { return None };
    let sema = selection.layer.sema(view.env);
    let info = *selection.layer.facts.exprs.get(&expr)?;
    // What is no value is nothing that somebody would give a name.
    if info.is_overload_set()
        || info.is_init_list()
        || matches!(sema.kind(info.ty.ty), TyKind::Void | TyKind::Function(_))
    {
        return None;
    }
    // Nothing is gained by a name for what an assignment gives.
    let is_change = matches!(
        selection.layer.ast()[expr].kind,
        ExprKind::Assign { .. }
            | ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. }
    );
    if is_change {
        return None;
    }
    Some(match ways(view, selection, &sema, expr, info) {
        Ok(ways) => Built { id: ID, title: TITLE.to_owned(), kind: ActionKind::Extract, ways },
        Err(reason) => Built::refused(ID, TITLE, ActionKind::Extract, reason),
    })
}

/// How the variable can be declared, the best first.
fn ways(
    view: &View<'_>,
    selection: &Selection<'_>,
    sema: &Sema<'_>,
    expr: ExprId,
    info: ExprInfo,
) -> Result<Ways, String> {
    let layer = &selection.layer;
    let ast = layer.ast();
    let is_open = is_open(sema, info.ty.ty);
    // What is certainly a value is deduced in each instance.
    if is_open && !(sema.store().is_dependent(info.ty.ty) && is_value_by_its_form(ast, expr)) {
        return Err("its type depends on the parameters of the template".to_owned());
    }
    let root = layer.root().ok_or("it is no part of a function body")?;
    let tree = Statements::of(ast, root);
    let anchor = anchor(ast, &tree, selection.tokens)?;
    let holds = |outer: TokenRange| {
        outer.start <= selection.tokens.start && selection.tokens.end <= outer.end && outer != selection.tokens
    };
    check_evaluation(ast, &holds, selection.tokens)?;
    check_names(layer, ast, &anchor, selection.tokens)?;
    check_order(layer, sema, ast, &holds, &anchor, selection.tokens)?;

    let statement = Written::of(view, layer, anchor.tokens(ast)).ok_or("its statement comes from a macro")?;
    if statement.place.path != selection.path {
        return Err("its statement begins in another file".to_owned());
    }
    let text = String::from_utf8_lossy(&statement.text[selection.range.start as usize..selection.range.end as usize])
        .into_owned();
    let name = names::unused(view, layer, &names::for_value(sema, expr, info.ty.ty));
    let used = use_of(layer, sema, ast, expr);
    let mut declarations = Vec::new();
    let is_object = info.is_lvalue() && !info.is_component();
    if is_open {
        declarations.push(format!("auto {name} = {text};"));
    } else if used == Use::Object || matches!(sema.kind(info.ty.ty), TyKind::Array(..)) {
        if !is_object {
            return Err("what is written there must stay what it is".to_owned());
        }
        declarations.push(format!("{} = {text};", reference_to(sema, info.ty, &name)));
    } else {
        let ty = QualTy::plain(info.ty.ty);
        if !sema.store().flags(info.ty.ty).contains(TyFlags::LOCAL)
            || !matches!(sema.kind(info.ty.ty), TyKind::Closure(..))
        {
            declarations.push(format!("{} = {text};", sema.spell_with(ty, &name)));
        }
        declarations.push(format!("auto {name} = {text};"));
        if is_object && info.place() != Space::Unknown {
            // What cannot be copied can be referred to.
            declarations.push(format!("{} = {text};", reference_to(sema, info.ty, &name)));
        }
    }
    if let StmtKind::Expr(whole) = ast[anchor.stmt()].kind
        && whole == expr
    {
        // The statement becomes the declaration.
        let start = TextRange::new(selection.range.start, selection.range.start);
        return Ok(declarations
            .into_iter()
            .map(|declaration| {
                let head = declaration.strip_suffix(&format!("{text};")).unwrap_or_default().to_owned();
                let place = Place { path: selection.path.clone(), range: start };
                Ok(vec![TextEdit { place, new_text: head }])
            })
            .collect());
    }
    let replaced = TextEdit { place: Place { path: selection.path.clone(), range: selection.range }, new_text: name };
    Ok(declarations
        .into_iter()
        .map(|declaration| anchor.edits(view, selection, ast, &statement, &declaration, replaced.clone()))
        .collect())
}

/// `device float4 &name`, `threadgroup float (&name)[64]`.
fn reference_to(sema: &Sema<'_>, ty: QualTy, name: &str) -> String {
    let reference = sema.store().intern(TyKind::LRef(ty));
    sema.spell_with(QualTy::plain(reference), name)
}

/// Whether an expression gives a value and names no object, whatever the types in it are.
fn is_value_by_its_form(ast: &Ast, expr: ExprId) -> bool {
    let is_reference = |ty: TypeId| matches!(ast[ty].kind, TypeKind::LRef(_) | TypeKind::RRef(_));
    match &ast[expr].kind {
        ExprKind::Paren(inner) => is_value_by_its_form(ast, *inner),
        ExprKind::Binary { op, .. } => {
            !matches!(op, BinaryOp::Comma | BinaryOp::MemberPointer | BinaryOp::ArrowMemberPointer | BinaryOp::Assign)
        }
        ExprKind::Unary { op, .. } => {
            matches!(op, UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot)
        }
        ExprKind::Construct { .. } => true,
        ExprKind::CCast { ty, .. } => !is_reference(*ty),
        ExprKind::NamedCast { cast: NamedCast::Static | NamedCast::AsType, ty, .. } => !is_reference(*ty),
        _ => false,
    }
}

fn is_open(sema: &Sema<'_>, ty: Ty) -> bool {
    sema.store().is_dependent(ty) || sema.store().flags(ty).intersects(TyFlags::UNKNOWN | TyFlags::INVALID)
}

/// In front of what an expression is computed instead.
enum Anchor {
    /// A statement of a block.
    InBlock(StmtId),
    /// The only statement of a branch or loop, or one behind a label: it needs a block.
    Alone(StmtId),
}

impl Anchor {
    fn stmt(&self) -> StmtId {
        match self {
            Anchor::InBlock(stmt) | Anchor::Alone(stmt) => *stmt,
        }
    }

    fn tokens(&self, ast: &Ast) -> TokenRange {
        ast[self.stmt()].range
    }

    fn edits(
        &self,
        view: &View<'_>,
        selection: &Selection<'_>,
        ast: &Ast,
        statement: &Written,
        declaration: &str,
        replaced: TextEdit,
    ) -> Result<Vec<TextEdit>, String> {
        let mut edits = vec![replaced];
        match self {
            Anchor::InBlock(_) => edits.push(statement.before(declaration)),
            Anchor::Alone(_) if statement.starts_line() => {
                // The block opens behind what is in front and closes on a line of its own.
                let start = self.tokens(ast).start;
                let before = TokenRange::new(start - 1, start);
                let before = Written::of(view, &selection.layer, before).ok_or("its statement comes from a macro")?;
                edits.push(before.behind(" {".to_owned()));
                edits.push(statement.before(declaration));
                edits.push(statement.behind(format!("{}{}}}", statement.newline(), before.indent())));
            }
            Anchor::Alone(_) => {
                edits.push(statement.before(&format!("{{ {declaration}")));
                edits.push(statement.behind(" }".to_owned()));
            }
        }
        edits.sort_by_key(|edit| (edit.place.range.start, edit.place.range.end));
        // Where the statement begins with the expression both edits are one.
        edits.dedup_by(|later, earlier| {
            let is_one = earlier.place.range.start == later.place.range.start;
            if is_one {
                earlier.new_text.push_str(&later.new_text);
                earlier.place = later.place.clone();
            }
            is_one
        });
        Ok(edits)
    }
}

fn anchor(ast: &Ast, tree: &Statements<'_>, tokens: TokenRange) -> Result<Anchor, String> {
    const AGAIN: &str = "it is computed again each time that the loop goes round";
    let inside = |range: TokenRange| range.start <= tokens.start && tokens.end <= range.end;
    let mut stmt = tree.innermost(tokens).ok_or("it is no part of a statement")?;
    match &ast[stmt].kind {
        StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::For { .. } => return Err(AGAIN.to_owned()),
        StmtKind::Case { .. } => return Err("the value of a case must be known at compile time".to_owned()),
        _ => {}
    }
    loop {
        match tree.parent(stmt) {
            Some((_, Role::InBlock(_))) => return Ok(Anchor::InBlock(stmt)),
            Some((outer, Role::Init)) => stmt = outer,
            Some((outer, Role::Branch))
                if matches!(ast[stmt].kind, StmtKind::If { .. })
                    && matches!(&ast[outer].kind, StmtKind::If { otherwise, .. } if *otherwise == Some(stmt)) =>
            {
                return Err("it is computed only if the conditions before it do not hold".to_owned());
            }
            Some((_, Role::Branch | Role::LoopBody | Role::Labelled))
                if inside(ast[stmt].range) && !matches!(ast[stmt].kind, StmtKind::Decl(_)) =>
            {
                return Ok(Anchor::Alone(stmt));
            }
            _ => return Err("no declaration can stand in front of its statement".to_owned()),
        }
    }
}

/// Whether it is computed exactly once whenever its statement is.
fn check_evaluation(ast: &Ast, holds: &impl Fn(TokenRange) -> bool, tokens: TokenRange) -> Result<(), String> {
    let within = |expr: ExprId| {
        let range = ast[expr].range;
        range.start <= tokens.start && tokens.end <= range.end
    };
    for (_, data) in ast.own_exprs().filter(|(_, data)| holds(data.range)) {
        let reason = match &data.kind {
            ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, rhs, .. } if within(*rhs) => {
                "it is computed only if what stands before it asks for it"
            }
            ExprKind::Conditional { then, otherwise, .. } if within(*then) || within(*otherwise) => {
                "it is computed only if the condition before it asks for it"
            }
            ExprKind::Lambda(_) => "it is computed when the lambda is called",
            ExprKind::SizeofType { .. }
            | ExprKind::SizeofExpr { .. }
            | ExprKind::Noexcept(_)
            | ExprKind::TypeTrait { .. } => "it is not computed at all",
            _ => continue,
        };
        return Err(reason.to_owned());
    }
    let in_type = ast.own_types().any(|(_, data)| holds(data.range));
    if in_type { Err("it is part of a type".to_owned()) } else { Ok(()) }
}

/// Whether it gives the same when it is computed before everything else of the statement.
fn check_order(
    layer: &Layer<'_>,
    sema: &Sema<'_>,
    ast: &Ast,
    holds: &impl Fn(TokenRange) -> bool,
    anchor: &Anchor,
    tokens: TokenRange,
) -> Result<(), String> {
    let effects = EffectsOf::new(layer, sema);
    let own = effects.within(tokens);
    // What holds it is done after it.
    let statement = TokenRange::new(anchor.tokens(ast).start, tokens.start);
    let before = effects.within_except(statement, holds);
    let behind = TokenRange::new(tokens.end, anchor.tokens(ast).end);
    // The operands of an operator are computed in no particular order, so what stands behind may have come first.
    let behind = match &ast[anchor.stmt()].kind {
        StmtKind::Expr(_) | StmtKind::Return(_) | StmtKind::Decl(_) => effects.within_except(behind, holds),
        _ => Default::default(),
    };
    match own.is_independent_of(&before) && own.is_independent_of(&behind) {
        true => Ok(()),
        false => Err("something else in its statement may change it, or it may change that".to_owned()),
    }
}

/// Whether all names that it uses are declared in front of the statement.
fn check_names(layer: &Layer<'_>, ast: &Ast, anchor: &Anchor, tokens: TokenRange) -> Result<(), String> {
    let start = anchor.tokens(ast).start;
    let used = (tokens.start..tokens.end).filter_map(|token| layer.facts.refs.get(&token)).flatten();
    for item in used {
        if ast.owns_decl(item.decl) && ast[item.decl].name_token >= start && ast[item.decl].name_token < tokens.start {
            return Err("it uses what its own statement declares".to_owned());
        }
    }
    Ok(())
}
