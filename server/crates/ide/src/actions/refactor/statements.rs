//! The tree of a body's statements: what each one is part of, and how.

use msl_parser::ast::*;
use rustc_hash::FxHashMap;

/// How a statement is part of the one around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// One of a block, by its number there.
    InBlock(usize),
    /// `if (init; …)`, `switch (init; …)`, `for (init; …)`.
    Init,
    /// What `if` chooses.
    Branch,
    /// What a loop repeats.
    LoopBody,
    /// What a `switch` jumps into.
    SwitchBody,
    /// Behind `case`, `default` or a label.
    Labelled,
    /// A part of a `try` block.
    Handler,
}

/// The statements of a body that are reached from its outermost block.
pub(super) struct Statements<'a> {
    ast: &'a Ast,
    parents: FxHashMap<StmtId, (StmtId, Role)>,
    /// In order of walk; the outermost block first.
    all: Vec<StmtId>,
}

impl<'a> Statements<'a> {
    pub(super) fn of(ast: &'a Ast, root: StmtId) -> Statements<'a> {
        let mut tree = Statements { ast, parents: FxHashMap::default(), all: Vec::new() };
        let mut open = vec![root];
        while let Some(stmt) = open.pop() {
            tree.all.push(stmt);
            for (child, role) in children(ast, stmt) {
                // Broken code may share a statement; the first parent keeps it.
                if child != root && !tree.parents.contains_key(&child) {
                    tree.parents.insert(child, (stmt, role));
                    open.push(child);
                }
            }
        }
        tree
    }

    /// What a statement is part of.
    pub(super) fn parent(&self, stmt: StmtId) -> Option<(StmtId, Role)> {
        self.parents.get(&stmt).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = StmtId> {
        self.all.iter().copied()
    }

    /// The smallest statement that holds these tokens.
    pub(super) fn innermost(&self, tokens: TokenRange) -> Option<StmtId> {
        let holds = |stmt: &StmtId| {
            let range = self.ast[*stmt].range;
            range.start <= tokens.start && tokens.end <= range.end
        };
        self.iter().filter(holds).min_by_key(|&stmt| self.ast[stmt].range.end - self.ast[stmt].range.start)
    }

    /// The statements around one, from the inside out.
    pub(super) fn around(&self, stmt: StmtId) -> impl Iterator<Item = (StmtId, Role)> {
        std::iter::successors(self.parent(stmt), |&(parent, _)| self.parent(parent))
    }

    /// Whether a statement is a loop.
    pub(super) fn is_loop(&self, stmt: StmtId) -> bool {
        matches!(
            self.ast[stmt].kind,
            StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::For { .. } | StmtKind::RangeFor { .. }
        )
    }
}

/// The statements that a statement consists of, without those inside of its expressions.
fn children(ast: &Ast, stmt: StmtId) -> Vec<(StmtId, Role)> {
    let mut found = Vec::new();
    match &ast[stmt].kind {
        StmtKind::Compound { stmts, .. } => {
            found.extend(stmts.iter().enumerate().map(|(number, &child)| (child, Role::InBlock(number))));
        }
        StmtKind::If { init, then, otherwise, .. } => {
            found.extend(init.map(|init| (init, Role::Init)));
            found.push((*then, Role::Branch));
            found.extend(otherwise.map(|otherwise| (otherwise, Role::Branch)));
        }
        StmtKind::Switch { init, body, .. } => {
            found.extend(init.map(|init| (init, Role::Init)));
            found.push((*body, Role::SwitchBody));
        }
        StmtKind::Case { stmt, .. } | StmtKind::Default { stmt } | StmtKind::Label { stmt, .. } => {
            found.push((*stmt, Role::Labelled));
        }
        StmtKind::While { body, .. } | StmtKind::Do { body, .. } => found.push((*body, Role::LoopBody)),
        StmtKind::For { init, body, .. } | StmtKind::RangeFor { init, body, .. } => {
            found.extend(init.map(|init| (init, Role::Init)));
            found.push((*body, Role::LoopBody));
        }
        StmtKind::Try { body, handlers } => {
            found.push((*body, Role::Handler));
            found.extend(handlers.iter().map(|&handler| (handler, Role::Handler)));
        }
        _ => {}
    }
    found
}
