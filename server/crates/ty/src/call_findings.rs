//! Why no candidate fits a call, or several do, in words.

use msl_diagnostics::Code;
use msl_parser::ast::*;
use smallvec::SmallVec;

use crate::convert::Why;
use crate::expr::{Checker, ExprInfo};
use crate::overload::{CallKey, Outcome, Reason};
use crate::sema::{DeclRef, Sema, TyDiagnostic};
use crate::store::*;

impl<'a> Checker<'a> {
    /// Reports a call that fits several functions. Where some are the library's, only if every argument is a number or
    /// a vector of numbers: for those the library's overloads are known.
    pub(crate) fn ambiguous(&self, key: &CallKey, token: u32, name: UnqualName, items: &[DeclRef]) {
        let is_scalar = |arg: &ExprInfo| matches!(self.kind(self.sema.decayed(arg.ty)), TyKind::Scalar(_));
        let is_number = |arg: &ExprInfo| {
            self.is_solid(arg)
                && matches!(
                    self.kind(self.sema.decayed(arg.ty)),
                    TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Packed(..)
                )
        };
        let ours = items.iter().filter(|item| !self.sema.is_library(item.decl)).count();
        if ours < items.len() && (ours > 0 || key.object.is_some() || !key.args.iter().all(is_number)) {
            return;
        }
        let takes_vectors = |item: &DeclRef| {
            self.sema
                .signature(*item)
                .params
                .iter()
                .all(|param| self.sema.as_vector(self.sema.strip_ref(param.ty).ty).is_some())
        };
        if ours == 0 && key.args.iter().all(is_scalar) && items.iter().all(takes_vectors) {
            let name = crate::types::spell_name(name);
            let message = format!("`{name}` takes vectors; no overload takes ({})", self.spell_given(key).join(", "));
            self.report(Code::NoMatchingFunction, TokenRange::new(token, token + 1), message);
            return;
        }
        let given = self.spell_given(key).join(", ");
        let name = crate::types::spell_name(name);
        self.sema.report(|| TyDiagnostic {
            code: Code::AmbiguousCall,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message: format!(
                "the call of `{name}` with ({given}) fits several functions equally well: give the arguments one type"
            ),
            related: items
                .iter()
                .take(8)
                .map(|item| {
                    let token = self.ast()[item.decl].name_token;
                    (TokenRange::new(token, token + 1), format!("candidate: `{}`", self.spell_function(*item)))
                })
                .collect(),
            fixes: Vec::new(),
        });
    }

    /// A function's declaration in one line.
    pub fn spell_function(&self, item: DeclRef) -> String {
        self.sema.spell_function(item)
    }

    pub(crate) fn no_match(
        &self,
        key: &CallKey,
        token: u32,
        name: UnqualName,
        args: &[ExprId],
        failures: &[(DeclRef, Reason)],
    ) {
        let spelled = crate::types::spell_name(name);
        // A single candidate whose only fault is an address space: say that, at the argument.
        if let [(item, reason)] = failures {
            match reason {
                Reason::Argument { index, param, why: Why::Space(have, wanted) } if args.len() == key.args.len() => {
                    let (_, message) = self.space_message(*param, *have, *wanted, "passed");
                    let declared = self.ast()[item.decl].name_token;
                    self.sema.report(|| TyDiagnostic {
                        code: Code::NoMatchingFunction,
                        severity: None,
                        range: self.ast()[args[*index]].range,
                        message: format!("`{spelled}` does not take this argument: {message}"),
                        related: vec![(
                            TokenRange::new(declared, declared + 1),
                            format!("`{}` is declared here", self.spell_function(*item)),
                        )],
                        fixes: self.space_cast_fixes(args[*index], &key.args[*index], *param, *have, *wanted),
                    });
                    return;
                }
                Reason::Object(Why::Space(have, wanted)) => {
                    let (code, message) = self.object_message(&spelled, *have, *wanted);
                    let declared = self.ast()[item.decl].name_token;
                    self.sema.report(|| TyDiagnostic {
                        code,
                        severity: None,
                        range: TokenRange::new(token, token + 1),
                        message,
                        related: vec![(
                            TokenRange::new(declared, declared + 1),
                            "the member function is declared here".to_owned(),
                        )],
                        fixes: Vec::new(),
                    });
                    return;
                }
                _ => {}
            }
        }
        let given = self.spell_given(key);
        let space_decides = failures.iter().find_map(|(_, reason)| match reason {
            Reason::Argument { index, why: Why::Space(have, wanted), .. } => Some((Some(*index), *have, *wanted)),
            Reason::Object(Why::Space(have, wanted)) => Some((None, *have, *wanted)),
            _ => None,
        });
        let mut message = format!("no function `{spelled}` takes ({})", given.join(", "));
        if let Some((index, have, wanted)) = space_decides {
            let what = index.map_or_else(|| "the object".to_owned(), |index| format!("argument {}", index + 1));
            message = format!(
                "{message}: {what} is in {} memory where {} is needed",
                self.space_name(have),
                self.space_name(wanted)
            );
        }
        // Where there is one candidate, why it does not fit is the message.
        let is_one = failures.iter().all(|(item, _)| item.decl == failures[0].0.decl);
        if let (true, None, Some((item, reason))) = (is_one, space_decides, failures.first())
            && !self.sema.is_each_family(item.decl)
        {
            message = format!("{message}: {}", self.spell_reason(reason));
        }
        self.sema.report(|| TyDiagnostic {
            code: Code::NoMatchingFunction,
            severity: None,
            range: TokenRange::new(token, token + 1),
            message,
            related: self.candidate_notes(failures),
            fixes: Vec::new(),
        });
    }

    /// The arguments' types as messages give them.
    fn spell_given(&self, key: &CallKey) -> Vec<String> {
        // Where an object lies matters to references alone.
        let takes_objects = key.candidates.iter().any(|&item| {
            let signature = self.sema.signature(item);
            signature.params.iter().any(|param| matches!(self.kind(param.ty.ty), TyKind::LRef(_) | TyKind::RRef(_)))
        });
        key.args
            .iter()
            .map(|arg| {
                if arg.is_init_list() {
                    "{…}".to_owned()
                } else if arg.is_overload_set() {
                    "<function>".to_owned()
                } else {
                    let mut ty = self.sema.spell(QualTy { space: Space::None, cv: Cv::empty(), ..arg.ty });
                    if takes_objects && (arg.place().is_named() || arg.place() == Space::Generic) {
                        ty = format!("{ty} in {} memory", arg.place().word());
                    }
                    ty
                }
            })
            .collect()
    }

    /// Reports a call that only an overload of a newer version fits; `false` if there is none.
    pub(crate) fn newer_overload(&self, key: &CallKey, token: u32, name: UnqualName) -> bool {
        let UnqualName::Ident(name) = name else { return false };
        let mut newer: SmallVec<[DeclRef; 2]> = SmallVec::new();
        for item in key.candidates.iter().filter(|item| self.sema.is_library(item.decl)) {
            for &decl in self.ast()[self.sema.declared_in(item.decl)].get(name) {
                let other = DeclRef { decl, bind: item.bind };
                let is_function = matches!(self.ast()[decl].kind, DeclKind::Function(_));
                if is_function && !self.sema.exists(decl) && !newer.contains(&other) {
                    newer.push(other);
                }
            }
        }
        if newer.is_empty() {
            return false;
        }
        let Outcome::Best(item) = &*self.sema.resolve_call(CallKey { candidates: newer, ..key.clone() }) else {
            return false;
        };
        let since = self.sema.since(item.decl);
        if self.sema.has(since) {
            return false;
        }
        let what = format!("`{name}` with ({}) needs", self.spell_given(key).join(", "));
        self.needs(since, TokenRange::new(token, token + 1), &what);
        true
    }

    fn candidate_notes(&self, failures: &[(DeclRef, Reason)]) -> Vec<(TokenRange, String)> {
        // A family's instances fail alike: one note for each declaration.
        let mut seen: Vec<DeclId> = Vec::new();
        let mut notes = Vec::new();
        for (item, reason) in failures {
            if seen.contains(&item.decl) {
                continue;
            }
            seen.push(item.decl);
            let token = self.ast()[item.decl].name_token;
            notes.push((
                TokenRange::new(token, token + 1),
                format!("`{}`: {}", self.spell_function(*item), self.spell_reason(reason)),
            ));
            if notes.len() == 8 {
                break;
            }
        }
        notes
    }

    fn spell_reason(&self, reason: &Reason) -> String {
        match reason {
            Reason::TooFew { needed, given } => {
                format!("needs {needed} argument{}, {given} given", if *needed == 1 { "" } else { "s" })
            }
            Reason::TooMany { accepted, given } => {
                format!("takes {accepted} argument{}, {given} given", if *accepted == 1 { "" } else { "s" })
            }
            Reason::Argument { index, param, why } => {
                let param = self.sema.spell(*param);
                let number = index + 1;
                match why {
                    Why::Space(have, wanted) => format!(
                        "argument {number} is in {} memory, `{param}` needs {}",
                        self.space_name(*have),
                        self.space_name(*wanted)
                    ),
                    Why::Const => format!("argument {number} is `const`, `{param}` is not"),
                    Why::Temporary => format!("argument {number} is a temporary value, to which `{param}` cannot bind"),
                    Why::Component => {
                        format!("argument {number} is a vector component, to which `{param}` cannot bind")
                    }
                    Why::Type | Why::DeepSpace => format!("argument {number} does not convert to `{param}`"),
                }
            }
            Reason::Object(why) => match why {
                Why::Space(have, wanted) => format!(
                    "the object is in {} memory, the function takes one in {}",
                    self.space_name(*have),
                    self.space_name(*wanted)
                ),
                _ => "the object is `const`, the function is not".to_owned(),
            },
            Reason::Template => "the template arguments do not fit".to_owned(),
            Reason::NotHere => "does not exist for this type".to_owned(),
        }
    }

    pub(crate) fn object_message(&self, name: &str, have: Space, wanted: Space) -> (Code, String) {
        match (have, wanted) {
            (Space::Generic, _) => (
                Code::GenericToConcrete,
                format!(
                    "`{name}` can only be called on an object in {} memory, and this one is generic: annotate the calling member with `{}`",
                    self.space_name(wanted),
                    wanted.word()
                ),
            ),
            (_, Space::Generic) => (
                Code::ConstantToGeneric,
                format!("`{name}` takes a generic object, which does not cover {} memory", self.space_name(have)),
            ),
            _ => (
                Code::AddressSpaceMismatch,
                format!(
                    "`{name}` is called on an object in {} memory, but takes one in {} memory: declare an overload with `{}` after its parameters",
                    self.space_name(have),
                    self.space_name(wanted),
                    have.word()
                ),
            ),
        }
    }
}

impl<'a> Sema<'a> {
    /// A function's declaration in one line, under its bindings.
    pub fn spell_function(&self, item: DeclRef) -> String {
        let signature = self.signature(item);
        let decl = &self.ast[item.decl];
        let DeclKind::Function(function) = &decl.kind else { return String::new() };
        let mut name = crate::types::spell_name(function.name);
        if let Some(ident) = self.decl_name(item.decl) {
            name = self.qualified_name(item.decl, ident);
        }
        let params: Vec<String> = signature
            .params
            .iter()
            .map(|param| {
                self.spell_with(param.ty, &self.decl_name(param.decl).map_or(String::new(), |name| name.to_string()))
            })
            .collect();
        let mut text = match function.role {
            FunctionRole::Plain => self.spell_with(signature.ret, &format!("{name}({})", params.join(", "))),
            FunctionRole::Conversion => format!("operator {}()", self.spell(signature.ret)),
            _ => format!("{name}({})", params.join(", ")),
        };
        if let Some(this) = &signature.this {
            if this.cv.contains(Cv::CONST) {
                text.push_str(" const");
            }
            if this.annotated {
                text.push(' ');
                text.push_str(this.space.word());
            }
        }
        text
    }
}
