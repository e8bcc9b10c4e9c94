//! The argument lists of attributes: their form, and numbers in them.

use msl_builtins::attributes::Args;
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;
use msl_parser::scope::ScopeKind;
use msl_preproc::Platform;

use super::shapes::resource_shape;
use super::{Written, cautious, find_attr, finding, list, replace};
use crate::consteval::Value;
use crate::sema::{Cx, DeclRef, Sema, TokenFix};
use crate::store::*;

/// A number that an attribute gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Known(i128),
    /// Known when the pipeline is made (MSL spec §5.8.1).
    FunctionConstant,
    /// Certainly neither.
    NotConstant,
    /// Not known here, or it depends on template parameters.
    Unknown,
}

/// The number that an expression is.
pub(crate) fn number(sema: &Sema<'_>, expr: ExprId, cx: Cx) -> Number {
    match sema.evaluate_in(expr, cx) {
        Value::Known(Const::Int(value)) => Number::Known(value),
        Value::NotConstant if mentions_function_constant(sema, expr, cx, 24).is_some() => Number::FunctionConstant,
        Value::NotConstant => Number::NotConstant,
        _ if mentions_function_constant(sema, expr, cx, 24).is_some() => Number::FunctionConstant,
        _ => Number::Unknown,
    }
}

/// The function constant that the value of an expression depends on, directly or through the initialisers of
/// `constant` variables.
pub(crate) fn mentions_function_constant(sema: &Sema<'_>, expr: ExprId, cx: Cx, fuel: u32) -> Option<DeclId> {
    let fuel = fuel.checked_sub(1)?;
    let either = |parts: &[ExprId]| parts.iter().find_map(|&part| mentions_function_constant(sema, part, cx, fuel));
    match &sema.ast[expr].kind {
        ExprKind::Path(path) => {
            let found = sema.lookup_path(path, cx);
            let [item] = found.items.as_slice() else { return None };
            depends_on_function_constant(sema, *item, fuel)
        }
        ExprKind::Paren(inner) | ExprKind::Unary { operand: inner, .. } | ExprKind::CCast { operand: inner, .. } => {
            either(&[*inner])
        }
        ExprKind::NamedCast { operand, .. } => either(&[*operand]),
        ExprKind::Binary { lhs, rhs, .. } => either(&[*lhs, *rhs]),
        ExprKind::Conditional { cond, then, otherwise } => either(&[*cond, *then, *otherwise]),
        ExprKind::Construct { args, .. } | ExprKind::Call { args, .. } => either(args),
        _ => None,
    }
}

/// The function constant that a variable is or is computed from.
pub(crate) fn depends_on_function_constant(sema: &Sema<'_>, item: DeclRef, fuel: u32) -> Option<DeclId> {
    let DeclKind::Variable(variable) = &sema.ast[item.decl].kind else { return None };
    if variable.kind != VariableKind::Global || sema.is_library(item.decl) {
        return None;
    }
    if super::has_attr(sema, item.decl, "function_constant") {
        return Some(item.decl);
    }
    let init = match &variable.init {
        Init::Assign(init) => *init,
        Init::Paren(args) => *args.first()?,
        _ => return None,
    };
    mentions_function_constant(sema, init, sema.cx_of(item), fuel)
}

/// The slots that may be given by a function constant (MSL spec §5.8.1.4).
const BY_FUNCTION_CONSTANT: &[&str] = &["buffer", "color", "raster_order_group", "sampler", "texture", "threadgroup"];

/// Checks the form of an attribute's arguments and the range of numbers in them.
pub(crate) fn check(sema: &Sema<'_>, written: Written<'_>, cx: Cx) {
    let Written { attr, info } = written;
    let name = info.name;
    let count = attr.args.len();
    let wrong_count = |wanted: &str| {
        sema.report(|| finding(Code::AttributeMisuse, attr.range, format!("`{name}` takes {wanted}")));
    };
    match info.args {
        Args::None => {
            if count > 0 {
                let range = TokenRange::new(attr.name_token + 1, attr.range.end);
                sema.report(|| {
                    let mut found = finding(Code::AttributeMisuse, attr.range, format!("`{name}` takes no argument"));
                    found.fixes.push(replace("Remove the argument list", range, ""));
                    found
                });
            }
        }
        Args::Index { max } => match &*attr.args {
            [index] => check_index(sema, written, *index, max, cx),
            _ => wrong_count("one argument, an index"),
        },
        Args::Number => match &*attr.args {
            [value] => {
                let value = number(sema, *value, cx);
                if let Number::Known(..0) = value {
                    wrong_count("a number that is not negative");
                }
                if name == "id" || name == "raster_order_group" {
                    check_constant(sema, written, value);
                }
            }
            _ => wrong_count("one argument, a number"),
        },
        Args::Sizes => {
            if !(1..=3).contains(&count) {
                wrong_count("one, two or three sizes");
            }
        }
        Args::Name => {
            if count != 1 {
                wrong_count("one argument, a name");
            }
        }
        Args::String => match &*attr.args {
            [text] => check_string(sema, written, *text),
            _ => wrong_count("one argument, a string"),
        },
        Args::Strings => {
            if count == 0 {
                wrong_count("at least one argument, a string");
            }
            for &text in &attr.args {
                check_string(sema, written, text);
            }
        }
        Args::Word(words) => match &*attr.args {
            [word] if word_of(sema, *word).is_some_and(|word| words.contains(&word)) => {}
            _ => wrong_count(&format!("one of the words {}", list(words, "and"))),
        },
        Args::Patch => check_patch(sema, written),
        Args::Intersection => check_intersection(sema, written),
        Args::FunctionConstant => {
            if count != 1 {
                wrong_count("one argument: an index on the constant itself, elsewhere the constant's name");
            }
        }
        Args::OptionalType => {
            if count > 1 {
                wrong_count("at most one argument, a type");
            }
        }
    }
}

/// The word that an argument is.
pub(crate) fn word_of<'a>(sema: &Sema<'a>, expr: ExprId) -> Option<&'a str> {
    let ast: &'a Ast = sema.ast;
    match &ast[expr].kind {
        ExprKind::Path(path) => path.as_ident().map(|name| name.as_str()),
        _ => None,
    }
}

fn check_constant(sema: &Sema<'_>, written: Written<'_>, value: Number) {
    let Written { attr, info } = written;
    let name = info.name;
    match value {
        Number::NotConstant => sema.report(|| {
            let also = if BY_FUNCTION_CONSTANT.contains(&name) && sema.version().at_least(2, 0) {
                " or an integer function constant"
            } else {
                ""
            };
            finding(
                Code::AttributeMisuse,
                attr.range,
                format!("the argument of `{name}` must be a constant expression{also} (MSL spec §5.8.1)"),
            )
        }),
        Number::FunctionConstant if !BY_FUNCTION_CONSTANT.contains(&name) => sema.report(|| {
            finding(
                Code::FunctionConstant,
                attr.range,
                format!(
                    "the argument of `{name}` must be known when the shader is compiled; a function constant is not (MSL spec §5.8.1)"
                ),
            )
        }),
        Number::FunctionConstant if !sema.version().at_least(2, 0) => sema.report(|| {
            finding(
                Code::RequiresNewerLanguageVersion,
                attr.range,
                format!("`{name}` with a function constant for its index needs Metal 2.0 (MSL spec §5.8.1.4)"),
            )
        }),
        _ => {}
    }
}

fn check_index(sema: &Sema<'_>, written: Written<'_>, index: ExprId, max: u32, cx: Cx) {
    let Written { attr, info } = written;
    let name = info.name;
    let value = number(sema, index, cx);
    check_constant(sema, written, value);
    let Number::Known(value) = value else { return };
    // The argument tables of textures were shorter on the first systems (MSL spec §5.2.1).
    let version = sema.version();
    let is_short = name == "texture" && version.platform == Platform::Ios && !version.at_least(2, 0);
    let max = if is_short { 30 } else { max };
    if !(0..=i128::from(max)).contains(&value) {
        let section = match name {
            "attribute" => "§5.2.4",
            "color" | "index" => "§5.2.3.5",
            _ => "§5.2.1",
        };
        sema.report(|| {
            let mut found = finding(
                Code::ResourceIndex,
                attr.range,
                format!("`{name}({value})` is out of range: the index must be from 0 to {max} (MSL spec {section})"),
            );
            if let Some(free) = free_index(sema, name, max, cx) {
                // The host has to bind it there, too.
                let fix = replace(format!("Use the free slot {free}"), sema.ast[index].range, free.to_string());
                found.fixes.push(TokenFix { preferred: false, ..fix });
            }
            found
        });
    }
}

/// The lowest slot that no other parameter of the function takes; `None` where the slots of one are not known.
fn free_index(sema: &Sema<'_>, table: &str, max: u32, cx: Cx) -> Option<i128> {
    let scope = &sema.ast[cx.scope];
    if scope.kind != ScopeKind::Function || !matches!(table, "buffer" | "texture" | "sampler" | "threadgroup") {
        return None;
    }
    let mut taken: Vec<std::ops::Range<i128>> = Vec::new();
    for &decl in scope.names.values().flatten() {
        let Some(attr) = find_attr(sema, decl, table) else { continue };
        let [index] = &*attr.args else { return None };
        let Number::Known(first) = number(sema, *index, cx) else { return None };
        let shape = resource_shape(sema, sema.variable_type(DeclRef { decl, bind: cx.bind }))?;
        taken.push(first..first.saturating_add(shape.count.map_or(1, i128::from)));
    }
    (0..=i128::from(max)).find(|slot| !taken.iter().any(|taken| taken.contains(slot)))
}

fn check_string(sema: &Sema<'_>, written: Written<'_>, text: ExprId) {
    let Written { attr, info } = written;
    let name = info.name;
    let message = match &sema.ast[text].kind {
        ExprKind::Error => return,
        ExprKind::String(parts) => {
            let is_empty = parts.iter().all(|part| part.as_str() == "\"\"");
            if !is_empty || name == "user_annotation" {
                return;
            }
            format!("`{name}` needs a string that is not empty")
        }
        _ => format!("the argument of `{name}` must be a string literal"),
    };
    sema.report(|| finding(Code::AttributeMisuse, attr.range, message));
}

/// MSL spec §5.1.1.2.
fn check_patch(sema: &Sema<'_>, written: Written<'_>) {
    let attr = written.attr;
    let kind = attr.args.first().and_then(|&kind| word_of(sema, kind));
    let is_known = kind.is_some_and(|kind| matches!(kind, "quad" | "triangle"));
    if !is_known || attr.args.len() > 2 {
        sema.report(|| {
            finding(
                Code::AttributeMisuse,
                attr.range,
                "`patch` takes `quad` or `triangle` and then the number of control points (MSL spec §5.1.1.2)",
            )
        });
        return;
    }
    let version = sema.version();
    if attr.args.len() == 1 && version.platform == Platform::MacOs && !version.at_least(3, 0) {
        sema.report(|| {
            cautious(
                Code::AttributeMisuse,
                Severity::Warning,
                attr.range,
                "on macOS `patch` needs the number of control points (MSL spec §5.1.1.2)",
            )
        });
    }
    let Some(&count) = attr.args.get(1) else { return };
    if let Value::Known(Const::Int(count)) = sema.evaluate_in(
        count,
        Cx { scope: sema.env.global, bind: BindId::NONE, before: u32::MAX, before_local: u32::MAX, class: None },
    ) && !(0..=32).contains(&count)
    {
        sema.report(|| {
            finding(
                Code::AttributeMisuse,
                attr.range,
                format!("a patch has at most 32 control points, not {count} (MSL spec §5.1.1.2)"),
            )
        });
    }
}

/// Tags of intersection functions with the version in which each came (MSL spec §2.17.1).
const INTERSECTION_TAGS: &[(&str, u8, u8)] = &[
    ("curve_data", 3, 1),
    ("extended_limits", 2, 4),
    ("instance_motion", 2, 4),
    ("instancing", 2, 3),
    ("intersection_function_buffer", 4, 0),
    ("max_levels", 3, 1),
    ("primitive_motion", 2, 4),
    ("triangle_data", 2, 3),
    ("user_data", 4, 0),
    ("world_space_data", 2, 3),
];

/// MSL spec §5.1.6.
fn check_intersection(sema: &Sema<'_>, written: Written<'_>) {
    let attr = written.attr;
    let newer = |what: &str, range: TokenRange, major: u8, minor: u8| {
        if !sema.version().at_least(major, minor) {
            sema.report(|| {
                finding(
                    Code::RequiresNewerLanguageVersion,
                    range,
                    format!("`{what}` in `intersection` needs Metal {major}.{minor} (MSL spec §2.17.1)"),
                )
            });
        }
    };
    let first = attr.args.first().map(|&primitive| (word_of(sema, primitive), sema.ast[primitive].range));
    match first {
        Some((Some("triangle" | "bounding_box"), _)) => {}
        Some((Some("curve"), range)) => newer("curve", range, 3, 1),
        _ => {
            sema.report(|| {
                finding(
                    Code::AttributeMisuse,
                    attr.range,
                    "`intersection` takes the primitive type first: `triangle`, `bounding_box` or `curve` (MSL spec §5.1.6)",
                )
            });
            return;
        }
    }
    for &tag in attr.args.iter().skip(1) {
        let range = sema.ast[tag].range;
        let Some(tag) = word_of(sema, tag) else { continue };
        match INTERSECTION_TAGS.iter().find(|known| known.0 == tag) {
            Some(&(tag, major, minor)) => newer(tag, range, major, minor),
            None => sema.report(|| {
                cautious(
                    Code::AttributeMisuse,
                    Severity::Warning,
                    range,
                    format!("`{tag}` is not a tag of intersection functions (MSL spec §2.17.1)"),
                )
            }),
        }
    }
}
