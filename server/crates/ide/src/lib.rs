//! One file a feature: plain data in, plain data out.
//!
//! [`Analysis`] is the whole interface of the analyser for its front ends, the command line and the language server.
//! It answers about a translation unit ([`UnitRequest`]: a file, how it is compiled and how certain that is) with
//! plain data whose places are byte ranges in files.
//!
//! * [`check`](Analysis::check): every finding of a unit.
//! * [`inspect`](Analysis::inspect): what is known about one place; [`inspect_all`](Analysis::inspect_all): about
//!   every reference and pointer access of a file.
//! * [`judge_members`](Analysis::judge_members) and what else changes code.
//! * [`hover`](Analysis::hover), [`definition`](Analysis::definition) and what else an editor asks about a place.

mod actions;
mod analysis;
mod attributes;
mod call_hierarchy;
mod check;
mod colors;
mod comments;
mod completion;
mod cursor;
mod document_links;
mod entry_points;
mod expected;
mod explain_spaces;
mod flow_facts;
mod flow_report;
mod hover;
mod inlay_hints;
mod inspect;
mod link;
mod names;
mod navigation;
mod parallel;
mod places;
mod references;
mod rename;
mod report;
mod semantic;
mod semantic_tokens;
mod signature_help;
mod symbols;
mod syntax_errors;
mod type_hierarchy;
mod view;
mod written;

pub use actions::{
    Action, ActionKind, Depth, EditMap, JudgedMember, MemberVerdict, MembersJudgement, OverloadFamily, Replacement,
    Specialization, Trial, TrialOutcome, apply_edits, migration_finding,
};
pub use analysis::{Analysis, StdChoice, UnitRequest};
pub use call_hierarchy::{Call, HierarchyItem};
pub use colors::ColorLiteral;
pub use completion::{CompletionItem, CompletionKind, Completions, IncludePrefix, LibraryItem};
pub use document_links::DocumentLink;
pub use entry_points::{Declared, EntryPoint};
pub use explain_spaces::{SpaceExplanation, SpaceLens, SpaceRow};
pub use flow_facts::{Context, Loop};
pub use flow_report::{
    AccessCounts, FlowReport, FunctionCounts, FunctionKind, ReportAccess, ReportEdge, ReportFile, ReportFlow,
    ReportFunction,
};
pub use hover::Hover;
pub use inlay_hints::{InlayHint, InlayHintLabel, InlayHintOptions};
pub use inspect::{Definition, Inspection};
pub use link::{
    CallDepth, CallTarget, FunctionKind as ShaderFunctionKind, GraphLine, GraphNode, GraphNodeKind, GroupStatement,
    LinkGraph, LinkLens, LinkName, LinkNameKind, LinkProgram, LinkSignature, NamedPlace, PointerCall, ShaderCall,
    ShaderFunction, ShaderSlot, ShaderTable, ShaderUnit, depth_of, dot as link_graph_dot, text as link_graph_text,
};
pub use msl_db::{Define, UnitOptions, file_system};
pub use msl_flow::Thresholds;
pub use navigation::{Navigation, NavigationTarget};
pub use references::{Access, Occurrences, Reference};
pub use rename::{RenameProblem, is_valid_name};
pub use report::{UnitReport, UnitStats};
pub use semantic_tokens::{SemanticToken, TokenKind, TokenModifiers};
pub use signature_help::{SignatureHelp, SignatureInfo};
pub use symbols::{DocumentSymbol, SymbolKind};

#[cfg(test)]
mod tests;
