//! Each attribute at the place where it stands: whether it may stand there, in this stage, on this type, and in this
//! version of the language.

use msl_builtins::Since;
use msl_builtins::attributes::{Allowed, Args, Role, Stages, Use, attributes, is_foreign_attribute};
use msl_diagnostics::{Code, Severity};
use msl_parser::ast::*;

use super::{
    EntryParam, Written, arguments, cautious, describe_stages, find_attr, finding, list, quoted_name, replace, shapes,
    stages_of, written, written_on,
};
use crate::sema::{Cx, DeclRef, Sema, TyDiagnostic};
use crate::store::*;

/// What an attribute stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Function,
    /// A parameter of an entry point.
    Parameter,
    /// A parameter of a function that no pipeline calls.
    PlainParameter,
    Member,
    /// A variable at program scope.
    Global,
    /// A variable inside a function.
    Local,
    /// A class, an enumeration or an alias.
    Type,
    Statement,
}

impl Place {
    /// The roles that an attribute can have here.
    const fn roles(self) -> &'static [Role] {
        match self {
            Place::Function => &[Role::Qualifier, Role::Function, Role::Output],
            Place::Parameter | Place::PlainParameter => {
                &[Role::Input, Role::Binding, Role::Member, Role::Interpolation, Role::FunctionConstant]
            }
            Place::Member => {
                &[Role::Input, Role::Output, Role::Binding, Role::Member, Role::Interpolation, Role::FunctionConstant]
            }
            Place::Global => &[Role::Global, Role::Binding, Role::FunctionConstant],
            // An attribute of a statement that is a declaration stands in front of it.
            Place::Local | Place::Statement => &[Role::Statement],
            Place::Type => &[],
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Place::Function => "a function",
            Place::Parameter => "a parameter",
            Place::PlainParameter => "a parameter of a function that is not an entry point",
            Place::Member => "a member of a structure",
            Place::Global => "a program-scope variable",
            Place::Local => "a local variable",
            Place::Type => "a type",
            Place::Statement => "a statement",
        }
    }
}

/// Where an attribute of this row can stand, in words.
fn places_of(info: &msl_builtins::attributes::AttributeInfo) -> String {
    let has = |roles: &[Role]| roles.iter().any(|&role| info.has_role(role));
    let mut words = Vec::new();
    if has(&[Role::Qualifier, Role::Function]) {
        words.push("functions");
    }
    if has(&[Role::Input, Role::Binding]) {
        words.push("parameters of entry points");
    }
    if has(&[Role::Output, Role::Member, Role::Interpolation]) || info.has_role(Role::Input) {
        words.push("members of structures");
    }
    if has(&[Role::Global, Role::FunctionConstant]) {
        words.push("program-scope variables");
    }
    if has(&[Role::Statement]) {
        words.push("statements");
    }
    list(&words, "and")
}

/// A written attribute together with where it stands and on what type.
struct Placed<'a> {
    written: Written<'a>,
    place: Place,
    /// The functions that are meant; empty where that is open.
    stages: Stages,
}

/// Checks the attributes of a function and of its parameters.
pub(crate) fn check_function(sema: &Sema<'_>, item: DeclRef, function: &Function) {
    let ast = sema.ast;
    let data = &ast[item.decl];
    let cx = sema.cx_of(item);
    let stages = stages_of(sema, item.decl);
    let is_instantiation = data.specs.contains(Specs::INSTANTIATION);
    let is_template = crate::check::is_templated(sema, item.decl);
    check_unknown(sema, &data.attrs);
    // Where the kind of function is too new itself, its inputs are so, too, and it is said once.
    let mut is_known_kind = true;
    for written in written_on(sema, item.decl) {
        let one = Placed { written, place: Place::Function, stages: Stages::NONE };
        if !check_role(sema, &one) {
            continue;
        }
        arguments::check(sema, written, cx);
        let exists = check_version(sema, &one);
        is_known_kind &= exists || !written.info.has_role(Role::Qualifier);
        if is_instantiation {
            continue;
        }
        check_function_stage(sema, written, stages, is_template);
    }
    let TypeKind::Function(ty) = &ast[function.ty].kind else { return };
    let is_entry = sema.stage_of(item.decl).is_some();
    let quiet = sema.quiet();
    let is_definition = matches!(function.body, FunctionBody::Deferred(_) | FunctionBody::Inline(_));
    for &param in &ty.params {
        let DeclKind::Variable(variable) = &ast[param].kind else { continue };
        let is_needed = is_entry && is_definition && needs_attribute(sema, param, variable, cx);
        report_misspelt(sema, &ast[param].attrs, if is_needed { Severity::Error } else { Severity::Warning });
        if is_needed {
            report_unknown(sema, param);
        }
        let place = if is_entry || is_instantiation || is_template { Place::Parameter } else { Place::PlainParameter };
        let known = if is_entry { stages } else { Stages::NONE };
        for written in written_on(sema, param) {
            let one = Placed { written, place, stages: known };
            if !check_role(sema, &one) {
                continue;
            }
            arguments::check(sema, written, cx);
            if place == Place::PlainParameter {
                // Parameters of any function may depend on a function constant (MSL spec §5.8.1.2).
                if written.info.name != "function_constant" {
                    hint_without_effect(sema, written);
                }
                continue;
            }
            if is_entry {
                let param = EntryParam { decl: param, variable, ty: quiet.resolve_type(variable.ty, cx) };
                check_entry_parameter(sema, &one, param, is_known_kind);
            }
        }
    }
}

fn check_function_stage(sema: &Sema<'_>, written: Written<'_>, stages: Stages, is_template: bool) {
    let Written { attr, info } = written;
    let name = info.name;
    let allowed = info
        .uses
        .iter()
        .filter(|one| matches!(one.role, Role::Function))
        .fold(Stages::NONE, |all, one| all.or(one.stages));
    if allowed == Stages::NONE {
        return;
    }
    if stages == Stages::NONE {
        // The instantiations of a template may make entry points of it.
        if !is_template && name == "host_name" {
            sema.report(|| {
                finding(
                    Code::AttributeMisuse,
                    attr.range,
                    "`host_name` names a function for the host: the function must be an entry point or visible (MSL spec §5.1.10)",
                )
            });
        } else if !is_template && name != "user_annotation" {
            sema.report(|| {
                cautious(
                    Code::AttributeMisuse,
                    Severity::Warning,
                    attr.range,
                    format!("`{name}` has no effect here: it is for {}", describe_stages(allowed)),
                )
            });
        }
    } else if !allowed.intersects(stages) {
        sema.report(|| {
            finding(
                Code::AttributeMisuse,
                attr.range,
                format!(
                    "`{name}` is for {}, not for {} (MSL spec §5.1)",
                    describe_stages(allowed),
                    describe_stages(stages)
                ),
            )
        });
    }
}

fn hint_without_effect(sema: &Sema<'_>, written: Written<'_>) {
    let Written { attr, info } = written;
    sema.report(|| {
        cautious(
            Code::AttributeMisuse,
            Severity::Hint,
            attr.range,
            format!("`{}` has no effect here: this function is not an entry point", info.name),
        )
    });
}

/// The uses that count at a place.
fn uses_at<'u>(one: &'u Placed<'_>) -> impl Iterator<Item = &'static Use> + 'u {
    let roles = one.place.roles();
    one.written.info.uses.iter().filter(move |use_| roles.contains(&use_.role))
}

/// Whether the attribute may stand at such a place at all; reports if not.
fn check_role(sema: &Sema<'_>, one: &Placed<'_>) -> bool {
    if uses_at(one).next().is_some() {
        return true;
    }
    let Written { attr, info } = one.written;
    sema.report(|| {
        finding(
            Code::AttributeMisuse,
            attr.range,
            format!("`{}` cannot stand on {}: it is for {}", info.name, one.place.word(), places_of(info)),
        )
    });
    false
}

/// Whether some use at this place exists in the version in force; reports if not.
fn check_version(sema: &Sema<'_>, one: &Placed<'_>) -> bool {
    let version = sema.version();
    let in_stage = |use_: &&Use| one.stages == Stages::NONE || use_.stages.intersects(one.stages);
    let since: Vec<Since> = uses_at(one).filter(in_stage).map(Use::since).collect();
    let Written { attr, info } = one.written;
    let deprecated = info.deprecated.and_then(|(since, instead)| Some((Since::parse(since)?, instead)));
    if let Some((_, instead)) = deprecated.filter(|(since, _)| sema.has(*since)) {
        sema.report(|| {
            let range = TokenRange::new(attr.name_token, attr.name_token + 1);
            let mut found = cautious(
                Code::AttributeMisuse,
                Severity::Warning,
                attr.range,
                format!("`{}` is deprecated: use `{instead}`", info.name),
            );
            found.fixes.push(replace(format!("Change to `{instead}`"), range, instead));
            found
        });
    }
    if since.is_empty() || since.iter().any(|&since| sema.has(since)) {
        return true;
    }
    let earliest = since.into_iter().min_by_key(|since| since.on(version.platform).unwrap_or((u8::MAX, 0)));
    if let Some(earliest) = earliest {
        sema.report(|| {
            finding(
                Code::RequiresNewerLanguageVersion,
                attr.range,
                format!("the attribute `{}` needs {} here", info.name, sema.needed_version(earliest)),
            )
        });
    }
    false
}

fn check_entry_parameter(sema: &Sema<'_>, one: &Placed<'_>, param: EntryParam<'_>, is_known_kind: bool) {
    let Written { attr, info } = one.written;
    let name = info.name;
    let uses: Vec<&Use> = uses_at(one).filter(|use_| use_.stages.intersects(one.stages)).collect();
    if uses.is_empty() {
        let allowed = uses_at(one).fold(Stages::NONE, |all, use_| all.or(use_.stages));
        // The pointer itself is wrong in this stage, which the rule of spaces says already.
        if name == "threadgroup" {
            return;
        }
        sema.report(|| {
            finding(
                Code::AttributeMisuse,
                attr.range,
                format!(
                    "`{name}` is for {}, not for {} (MSL spec §5.2.3)",
                    describe_stages(allowed),
                    describe_stages(one.stages)
                ),
            )
        });
        return;
    }
    if is_known_kind {
        check_version(sema, one);
    }
    let allowed: Vec<Allowed> = uses.iter().flat_map(|use_| use_.types.iter().copied()).collect();
    let is_free = uses.iter().any(|use_| use_.types.is_empty());
    if is_free || shapes::admits(sema, &allowed, param.ty, one.stages) != Some(false) {
        return;
    }
    // A value in threadgroup memory: that a parameter lives elsewhere is a finding already.
    if name == "threadgroup"
        && param.ty.space == Space::Threadgroup
        && !matches!(sema.kind(param.ty.ty), TyKind::Pointer(_) | TyKind::LRef(_))
    {
        return;
    }
    sema.report(|| {
        let mut found = wrong_type(sema, one.written, param.decl, &allowed, param.ty);
        // An example of the specification passes a structure by value (MSL spec §5.2.2).
        if name == "buffer" && shapes::known_record(sema, param.ty.ty).is_some() {
            found.severity = Some(Severity::Warning);
        }
        found.fixes.extend(shapes::type_fix(sema, &allowed, param.variable.ty, param.ty));
        found
    });
}

fn wrong_type(sema: &Sema<'_>, written: Written<'_>, decl: DeclId, allowed: &[Allowed], ty: QualTy) -> TyDiagnostic {
    let name = written.info.name;
    let section = match written.info.uses.first().map(|use_| use_.role) {
        Some(Role::Binding) => "§5.2.1",
        Some(Role::Interpolation) => "§5.4",
        Some(Role::Global) => "§5.9",
        _ if name == "attribute" => "§5.2.4",
        _ => "§5.2.3",
    };
    finding(
        Code::AttributeMisuse,
        written.attr.range,
        format!(
            "{} has the type `{}`, but `{name}` needs {} (MSL spec {section})",
            quoted_name(sema, decl),
            sema.spell(ty),
            shapes::describe(allowed)
        ),
    )
}

/// Checks the attributes of a class's members.
pub(crate) fn check_members(sema: &Sema<'_>, item: DeclRef, record: &Record) {
    let ast = sema.ast;
    if ast[item.decl].specs.contains(Specs::INSTANTIATION) {
        return;
    }
    for &member in &record.members {
        let DeclKind::Variable(variable) = &ast[member].kind else { continue };
        if variable.kind != VariableKind::Field {
            continue;
        }
        check_unknown(sema, &ast[member].attrs);
        let member_item = DeclRef { decl: member, bind: item.bind };
        let cx = sema.cx_of(member_item);
        for written in written_on(sema, member) {
            let one = Placed { written, place: Place::Member, stages: Stages::NONE };
            if !check_role(sema, &one) {
                continue;
            }
            arguments::check(sema, written, cx);
            if check_version(sema, &one) {
                check_member_type(sema, &one, member_item, variable, record);
            }
        }
        check_interpolation(sema, member_item);
    }
}

fn check_member_type(sema: &Sema<'_>, one: &Placed<'_>, item: DeclRef, variable: &Variable, record: &Record) {
    let uses: Vec<&Use> = uses_at(one).collect();
    if uses.iter().any(|use_| use_.types.is_empty()) {
        return;
    }
    let allowed: Vec<Allowed> = uses.iter().flat_map(|use_| use_.types.iter().copied()).collect();
    let ty = sema.variable_type(item);
    let is_interpolation = uses.iter().all(|use_| use_.role == Role::Interpolation);
    if is_interpolation && matches!(sema.kind(ty.ty), TyKind::Record(..) | TyKind::Array(..)) {
        // From 2.4 on the members of a structure inherit it (MSL spec §5.4).
        return;
    }
    if shapes::admits(sema, &allowed, ty, Stages::ALL) != Some(false) {
        return;
    }
    // `float3 a [[position]], b;` has one type for both.
    let own_range = sema.ast[variable.ty].range;
    let is_shared = record.members.iter().any(|&other| {
        other != item.decl
            && matches!(&sema.ast[other].kind, DeclKind::Variable(other) if sema.ast[other.ty].range.start == own_range.start)
    });
    sema.report(|| {
        let mut found = wrong_type(sema, one.written, item.decl, &allowed, ty);
        if is_interpolation {
            found.message = format!(
                "{} is an integer and is not interpolated: only `flat` fits (MSL spec §5.4)",
                quoted_name(sema, item.decl)
            );
            let token = one.written.attr.name_token;
            let is_integer = shapes::spec_of(sema, ty.ty).is_some_and(|(scalar, _)| scalar.is_integer());
            if is_integer {
                found.fixes.push(replace("Change to `flat`", TokenRange::new(token, token + 1), "flat"));
                return found;
            }
            found.message = wrong_type(sema, one.written, item.decl, &allowed, ty).message;
        } else if !is_shared {
            found.fixes.extend(shapes::type_fix(sema, &allowed, variable.ty, ty));
        }
        found
    });
}

/// MSL spec §5.4: how a member may be interpolated beside other attributes.
fn check_interpolation(sema: &Sema<'_>, item: DeclRef) {
    let interpolations: Vec<Written<'_>> =
        written_on(sema, item.decl).into_iter().filter(|written| written.info.has_role(Role::Interpolation)).collect();
    let Some(first) = interpolations.first() else { return };
    if let Some(second) = interpolations.get(1)
        && second.info.name != first.info.name
    {
        sema.report(|| {
            finding(
                Code::StageInputOutput,
                second.attr.range,
                format!(
                    "{} has two ways of interpolation, `{}` and `{}` (MSL spec §5.4)",
                    quoted_name(sema, item.decl),
                    first.info.name,
                    second.info.name
                ),
            )
        });
    }
    let name = first.info.name;
    let ty = sema.variable_type(item);
    if shapes::is_library_class(sema, ty.ty, &["interpolant"]) {
        sema.report(|| {
            finding(
                Code::StageInputOutput,
                first.attr.range,
                format!("an `interpolant` is interpolated when it is asked and cannot be `{name}` (MSL spec §5.4)"),
            )
        });
    }
    for (builtin, fits) in
        [("position", name == "center_no_perspective"), ("barycentric_coord", name.starts_with("center_"))]
    {
        if !fits && find_attr(sema, item.decl, builtin).is_some() {
            sema.report(|| {
                finding(
                    Code::StageInputOutput,
                    first.attr.range,
                    format!("`{name}` does not go together with `{builtin}` (MSL spec §5.4)"),
                )
            });
        }
    }
}

/// Checks the attributes of a variable outside of classes and parameter lists.
pub(crate) fn check_variable(sema: &Sema<'_>, item: DeclRef, variable: &Variable) {
    let data = &sema.ast[item.decl];
    check_unknown(sema, &data.attrs);
    let cx = sema.cx_of(item);
    let is_instantiation = data.specs.contains(Specs::INSTANTIATION);
    let place = match variable.kind {
        _ if is_instantiation => Place::Function,
        VariableKind::Global => Place::Global,
        _ => Place::Local,
    };
    for written in written_on(sema, item.decl) {
        let one = Placed { written, place, stages: Stages::NONE };
        if !check_role(sema, &one) {
            continue;
        }
        arguments::check(sema, written, cx);
        if place != Place::Global {
            check_version(sema, &one);
            continue;
        }
        // Bindings at program scope are newer than bindings of parameters (MSL spec §5.9).
        if written.info.has_role(Role::Binding) && !sema.version().at_least(3, 2) {
            sema.report(|| {
                finding(
                    Code::RequiresNewerLanguageVersion,
                    written.attr.range,
                    format!("`{}` on a program-scope variable needs Metal 3.2 (MSL spec §5.9)", written.info.name),
                )
            });
            continue;
        }
        if !check_version(sema, &one) {
            continue;
        }
        let uses: Vec<&Use> = uses_at(&one).collect();
        let is_builtin = uses.iter().all(|use_| use_.role == Role::Global);
        if is_builtin {
            let allowed: Vec<Allowed> = uses.iter().flat_map(|use_| use_.types.iter().copied()).collect();
            let ty = sema.variable_type(item);
            if shapes::admits(sema, &allowed, ty, Stages::ALL) == Some(false) {
                sema.report(|| {
                    let mut found = wrong_type(sema, written, item.decl, &allowed, ty);
                    found.fixes.extend(shapes::type_fix(sema, &allowed, variable.ty, ty));
                    found
                });
            }
        }
    }
}

/// Checks the attributes of a class, an enumeration or an alias.
pub(crate) fn check_type(sema: &Sema<'_>, item: DeclRef) {
    for written in written_on(sema, item.decl) {
        check_role(sema, &Placed { written, place: Place::Type, stages: Stages::NONE });
    }
}

/// Checks the attributes of a statement.
pub(crate) fn check_statement(sema: &Sema<'_>, attrs: &[AttrId]) {
    check_unknown(sema, attrs);
    let cx = Cx { scope: sema.env.global, bind: BindId::NONE, before: u32::MAX, before_local: u32::MAX, class: None };
    for &attr in attrs {
        let Some(written) = written(&sema.ast[attr]) else { continue };
        let one = Placed { written, place: Place::Statement, stages: Stages::NONE };
        if check_role(sema, &one) {
            if matches!(written.info.args, Args::Strings) {
                arguments::check(sema, written, cx);
            }
            check_version(sema, &one);
        }
    }
}

/// Whether a parameter of an entry point gets its value from nothing unless an attribute says so, and none does.
fn needs_attribute(sema: &Sema<'_>, param: DeclId, variable: &Variable, cx: Cx) -> bool {
    let ty = sema.quiet().resolve_type(variable.ty, cx).ty;
    sema.store().is_solid(ty)
        && matches!(sema.kind(ty), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..) | TyKind::Matrix(..))
        && matches!(variable.init, Init::None)
        && written_on(sema, param).iter().all(|written| written.info.name == "function_constant")
}

/// Reports attributes that no table has and that resemble none, on a parameter that gets its value from nothing else.
/// Compilers pass over such attributes, and then the parameter has none.
fn report_unknown(sema: &Sema<'_>, param: DeclId) {
    for &attr in &sema.ast[param].attrs {
        let attr = &sema.ast[attr];
        let name = attr.name.as_str();
        // Two underscores begin what is the compiler's own.
        let is_plain = attr.syntax == AttrSyntax::Brackets
            && attr.namespace.is_none()
            && !name.is_empty()
            && !name.starts_with("__")
            && !is_foreign_attribute(None, name)
            && msl_builtins::attributes::attribute(name).is_none()
            && similar_attribute(name).is_none();
        if is_plain {
            sema.report(|| {
                finding(
                    Code::EntryPointSignature,
                    attr.range,
                    format!(
                        "`{name}` is not an attribute of Metal: nothing gives {} a value (MSL spec §5.2)",
                        quoted_name(sema, param)
                    ),
                )
            });
        }
    }
}

/// Whether an attribute on a member does not take the member's type, which is a finding of its own.
pub(crate) fn has_wrong_type(sema: &Sema<'_>, item: DeclRef) -> bool {
    let ty = sema.variable_type(item);
    written_on(sema, item.decl).into_iter().any(|written| {
        let one = Placed { written, place: Place::Member, stages: Stages::NONE };
        let allowed: Vec<Allowed> = uses_at(&one).flat_map(|use_| use_.types.iter().copied()).collect();
        uses_at(&one).all(|use_| !use_.types.is_empty())
            && !allowed.is_empty()
            && shapes::admits(sema, &allowed, ty, Stages::ALL) == Some(false)
    })
}

fn check_unknown(sema: &Sema<'_>, attrs: &[AttrId]) {
    report_misspelt(sema, attrs, Severity::Warning);
}

/// Reports names that look like a misspelt attribute. A name that resembles none may be one that the table lacks.
/// Compilers pass over what they do not know, so it is an error only where the attribute is needed.
fn report_misspelt(sema: &Sema<'_>, attrs: &[AttrId], severity: Severity) {
    for &attr in attrs {
        let attr = &sema.ast[attr];
        let name = attr.name.as_str();
        if attr.syntax != AttrSyntax::Brackets
            || attr.namespace.is_some()
            || is_foreign_attribute(None, name)
            || msl_builtins::attributes::attribute(name).is_some()
        {
            continue;
        }
        let Some(similar) = similar_attribute(name) else { continue };
        sema.report(|| {
            let reason = match severity {
                Severity::Error => ": nothing gives this parameter a value (MSL spec §5.2)",
                _ => "",
            };
            let message = format!("`{name}` is not an attribute of Metal; `{similar}` is{reason}");
            let mut found = cautious(Code::AttributeMisuse, severity, attr.range, message);
            let range = TokenRange::new(attr.name_token, attr.name_token + 1);
            found.fixes.push(replace(format!("Change to `{similar}`"), range, similar));
            found
        });
    }
}

/// The attribute whose name is nearest, if it is near: the same but for underscores and case, or two letters off.
fn similar_attribute(name: &str) -> Option<&'static str> {
    if name.len() < 4 || name.len() > 64 {
        return None;
    }
    let plain = |text: &str| text.replace('_', "").to_ascii_lowercase();
    let wanted = plain(name);
    attributes()
        .iter()
        .map(|info| (edit_distance(&wanted, &plain(info.name)), info.name))
        .filter(|&(distance, known)| distance * 4 <= known.len().min(8) && distance < wanted.len())
        .min()
        .map(|(_, known)| known)
}

/// Letters to insert, remove or change (Levenshtein).
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &to) in b.iter().enumerate() {
            let change = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
