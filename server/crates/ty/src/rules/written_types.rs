//! Types and qualifiers that Metal, or the version in force, does not have.

use msl_builtins::Since;
use msl_diagnostics::Code;
use msl_parser::ast::*;

use super::replace;
use crate::consteval::Value;
use crate::expr::Checker;
use crate::sema::Cx;
use crate::store::*;

impl<'a> Checker<'a> {
    /// Checks one node of a type as written; the walk visits the nodes inside it on its own.
    pub(crate) fn check_type_node(&self, node: TypeId) {
        let ast = self.ast();
        match &ast[node].kind {
            TypeKind::Builtin(builtin) => self.removed_type(node, *builtin),
            TypeKind::Qualified { quals, .. } => self.qualifiers(quals),
            TypeKind::Path { path, .. } => self.class_assertions(node, path),
            // MSL spec §1.5.4 has function pointers from 2.3 on; compilers take them from 2.1 on.
            TypeKind::Pointer(inner) | TypeKind::LRef(inner)
                if matches!(ast[*inner].kind, TypeKind::Function(_)) && !self.sema.version().at_least(2, 1) =>
            {
                self.needs(Since::both(2, 3), ast[node].range, "pointers and references to functions need");
            }
            _ => {}
        }
    }

    /// Classes of the library say with static assertions which template arguments they take.
    fn class_assertions(&self, node: TypeId, path: &Path) {
        if path.last().is_none_or(|last| last.args.is_none()) {
            return;
        }
        let ty = self.sema.quiet().resolve_type(node, self.cx).ty;
        if let Some(text) = self.failing_assertion(ty) {
            self.report(
                Code::StaticAssertionFailed,
                self.ast()[node].range,
                format!("there is no type `{}`: {text}", self.sema.spell_ty(ty)),
            );
        }
    }

    /// What a class of the library says against its template arguments: then there is no such type.
    pub(crate) fn failing_assertion(&self, ty: Ty) -> Option<String> {
        let TyKind::Record(decl, _) = self.kind(ty) else { return None };
        if !self.sema.is_library(*decl) || !self.sema.store().is_solid(ty) {
            return None;
        }
        let info = self.sema.record_info(ty)?;
        let (Some(scope), DeclKind::Record(record)) = (info.scope, &self.ast()[info.decl].kind) else { return None };
        let cx = Cx { scope, bind: info.bind, before: u32::MAX, before_local: u32::MAX, class: Some(ty) };
        record.members.iter().find_map(|&member| {
            let DeclKind::StaticAssert { cond, message: Some(message) } = &self.ast()[member].kind else { return None };
            let ExprKind::String(parts) = &self.ast()[*message].kind else { return None };
            let fails = matches!(self.sema.evaluate_in(*cond, cx), Value::Known(Const::Int(0)));
            fails.then(|| parts.iter().map(|part| part.as_str().trim_matches('"')).collect())
        })
    }

    /// MSL spec §2.1: `double` and the types beyond 64 bits are not supported.
    fn removed_type(&self, node: TypeId, builtin: BuiltinType) {
        let (word, instead) = match builtin {
            BuiltinType::Double => ("double", "float"),
            BuiltinType::LongDouble => ("long double", "float"),
            BuiltinType::LongLong => ("long long", "long"),
            BuiltinType::ULongLong => ("unsigned long long", "ulong"),
            _ => return,
        };
        let range = self.ast()[node].range;
        self.report_with(
            Code::RemovedLanguageFeature,
            range,
            format!("Metal does not have the type `{word}`: use `{instead}` (MSL spec §2.1)"),
            vec![replace(range, instead)],
        );
    }

    /// Address spaces and `coherent` have the versions that they came with (MSL spec §4.5–§4.8).
    fn qualifiers(&self, quals: &Quals) {
        for &(word, token) in &quals.spaces {
            let (since, text) = match word {
                SpaceWord::RayData => (Since::both(2, 3), "ray_data"),
                SpaceWord::ObjectData => (Since::both(3, 0), "object_data"),
                SpaceWord::ThreadgroupImageblock => {
                    (Since { ios: Some((2, 0)), macos: Some((2, 3)) }, "threadgroup_imageblock")
                }
                _ => continue,
            };
            self.needs(since, TokenRange::new(token, token + 1), &format!("the address space `{text}` needs"));
        }
        let Some(token) = quals.coherent else { return };
        let range = TokenRange::new(token, token + 1);
        if !self.sema.version().at_least(3, 2) {
            self.needs(Since::both(3, 2), range, "`coherent` needs");
        } else if let Some(&(word, _)) = quals.spaces.iter().find(|(word, _)| *word != SpaceWord::Device) {
            self.report(
                Code::MisplacedAddressSpace,
                range,
                format!(
                    "only device memory can be `coherent`, not {} memory (MSL spec §4.8)",
                    Space::from_word(word).word()
                ),
            );
        }
    }
}
