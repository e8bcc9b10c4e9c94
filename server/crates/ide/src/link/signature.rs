//! Types of functions that can be compared between translation units.
//!
//! # Vocabulary
//!
//! Within a unit two types are one if they are interned as one. Each unit interns for itself; between units the
//! *canonical form* is compared: the type spelled with every scope, template argument and address space, aliases replaced,
//! `const` of a parameter itself left out (C++ [dcl.fct]/5). What only its own place can name, such as a class without a
//! name, is named by that place.
//!
//! Classes of one name may be declared differently in two units. The *shape* of a complete class is its size, alignment
//! and the canonical forms of its bases and members. Signatures fit if their canonical forms are the same and no class
//! that is complete on both sides has two shapes.

use std::{collections::BTreeMap, fmt::Write, sync::Arc};

use msl_diagnostics::Place;
use msl_parser::{ast::*, scope::ScopeKind};
use msl_ty::{
    Sema,
    store::{ArrayLen, BindId, Cv, FnTy, QualTy, Space, TArg, Ty, TyKind},
};

/// Classes whose shape is written down for one signature, and bytes of a canonical form; what is larger is not known.
const MAX_SHAPES: usize = 256;
const MAX_LENGTH: usize = 1 << 14;

/// The type of a function, comparable between units.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSignature {
    /// As MSL spells it.
    pub spelled: String,
    canonical: String,
    /// By canonical name.
    shapes: Arc<BTreeMap<String, String>>,
}

impl LinkSignature {
    /// The comparable form of a function type; `None` if part of it is not known. `place` gives the place of a
    /// declaration's name, or of a declaration without a name.
    pub(crate) fn new(sema: &Sema<'_>, ty: &FnTy, place: &dyn Fn(DeclId) -> Option<Place>) -> Option<LinkSignature> {
        let mut writer =
            Writer { sema, place, text: String::new(), shapes: BTreeMap::new(), open: Vec::new(), is_known: true };
        writer.function(ty);
        let canonical = std::mem::take(&mut writer.text);
        while let Some(ty) = writer.open.pop() {
            writer.shape(ty);
        }
        let Writer { shapes, is_known, .. } = writer;
        is_known.then(|| LinkSignature { spelled: sema.spell_signature(ty), canonical, shapes: Arc::new(shapes) })
    }

    /// Whether a function of one type can be called through a pointer of the other.
    pub fn fits(&self, other: &LinkSignature) -> bool {
        self.canonical == other.canonical && self.differing_class(other).is_none()
    }

    /// A class that both name and that is declared differently for each.
    pub fn differing_class(&self, other: &LinkSignature) -> Option<&str> {
        if Arc::ptr_eq(&self.shapes, &other.shapes) {
            return None;
        }
        let differs = |(name, shape): &(&String, &String)| other.shapes.get(*name).is_some_and(|own| own != *shape);
        self.shapes.iter().find(differs).map(|(name, _)| name.as_str())
    }
}

struct Writer<'s, 'a> {
    sema: &'s Sema<'a>,
    place: &'s dyn Fn(DeclId) -> Option<Place>,
    text: String,
    shapes: BTreeMap<String, String>,
    /// Classes that were named and whose shape is to be written.
    open: Vec<Ty>,
    is_known: bool,
}

impl Writer<'_, '_> {
    fn function(&mut self, ty: &FnTy) {
        self.qualified(ty.ret);
        self.text.push('(');
        for (index, param) in ty.params.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            // By value: what the callee may do with its own copy is its own business.
            self.ty(param.ty);
        }
        self.text.push_str(if ty.variadic { ",...)" } else { ")" });
    }

    fn qualified(&mut self, ty: QualTy) {
        // Constant memory is never written.
        if ty.cv.contains(Cv::CONST) && ty.space != Space::Constant {
            self.text.push_str("const ");
        }
        for (cv, word) in [(Cv::VOLATILE, "volatile "), (Cv::COHERENT, "coherent ")] {
            if ty.cv.contains(cv) {
                self.text.push_str(word);
            }
        }
        if !matches!(ty.space, Space::None | Space::Unknown) {
            self.text.push_str(ty.space.word());
            self.text.push(' ');
        }
        self.ty(ty.ty);
    }

    fn ty(&mut self, ty: Ty) {
        if self.text.len() > MAX_LENGTH {
            self.is_known = false;
        }
        if !self.is_known {
            return;
        }
        let sema = self.sema;
        match sema.kind(ty) {
            TyKind::Void
            | TyKind::NullPtr
            | TyKind::Scalar(_)
            | TyKind::Vector(..)
            | TyKind::Packed(..)
            | TyKind::Matrix(..) => self.text.push_str(&sema.spell_ty(ty)),
            TyKind::Pointer(inner) => self.indirect("*", *inner),
            TyKind::LRef(inner) => self.indirect("&", *inner),
            TyKind::RRef(inner) => self.indirect("&&", *inner),
            TyKind::Array(elem, ArrayLen::Known(length)) => {
                let _ = write!(self.text, "[{length}]");
                self.qualified(*elem);
            }
            TyKind::Array(elem, ArrayLen::Unsized) => self.indirect("[]", *elem),
            TyKind::Function(function) => {
                self.text.push('<');
                self.function(&Arc::clone(function));
                self.text.push('>');
            }
            TyKind::Record(decl, bind) => {
                self.name(*decl);
                self.arguments(*decl, *bind);
                if !sema.is_library(*decl) && !self.open.contains(&ty) {
                    self.open.push(ty);
                }
            }
            TyKind::Enum(decl, bind) => {
                self.name(*decl);
                let underlying = sema.underlying_type(*decl, *bind);
                self.text.push(':');
                self.ty(underlying);
            }
            _ => self.is_known = false,
        }
    }

    fn indirect(&mut self, sign: &str, inner: QualTy) {
        self.text.push_str(sign);
        self.text.push('(');
        self.qualified(inner);
        self.text.push(')');
    }

    /// A declaration's name with everything around it.
    fn name(&mut self, decl: DeclId) {
        let sema = self.sema;
        let mut names: Vec<String> = Vec::new();
        let mut is_local = false;
        let mut at = Some(decl);
        for _ in 0..64 {
            let Some(current) = at else { break };
            match sema.decl_name(current) {
                Some(name) if !name.is_empty() => names.push(name.to_string()),
                _ => is_local = true,
            }
            // The next declaration outwards.
            at = None;
            let mut scope = Some(sema.ast[current].scope);
            while let Some(id) = scope {
                let data = &sema.ast[id];
                is_local |= matches!(data.kind, ScopeKind::Block | ScopeKind::Lambda);
                if matches!(data.kind, ScopeKind::Namespace | ScopeKind::Record) && data.owner.is_some() {
                    at = data.owner;
                    break;
                }
                scope = data.parent;
            }
        }
        names.reverse();
        self.text.push_str(&names.join("::"));
        if is_local {
            match (self.place)(decl) {
                Some(place) => _ = write!(self.text, "@{}:{}", place.path, place.range.start),
                None => self.is_known = false,
            }
        }
    }

    fn arguments(&mut self, decl: DeclId, bind: BindId) {
        if bind == BindId::NONE || self.sema.ast[decl].templates.is_empty() {
            return;
        }
        let args = Arc::clone(&self.sema.store().bindings(bind).args);
        self.text.push('<');
        self.argument_list(&args);
        self.text.push('>');
    }

    fn argument_list(&mut self, args: &[TArg]) {
        for arg in args {
            match arg {
                TArg::Type(ty) => self.qualified(*ty),
                TArg::Value { value, ty } => self.text.push_str(&self.sema.spell_const(*value, *ty)),
                TArg::Pack(inner) => self.argument_list(inner),
                _ => self.is_known = false,
            }
            self.text.push(';');
        }
    }

    /// Writes down what a class is made of, if it is complete.
    fn shape(&mut self, ty: Ty) {
        let sema = self.sema;
        let TyKind::Record(decl, bind) = *sema.kind(ty) else { return };
        self.text.clear();
        self.name(decl);
        self.arguments(decl, bind);
        let name = std::mem::take(&mut self.text);
        if self.shapes.contains_key(&name) {
            return;
        }
        if self.shapes.len() >= MAX_SHAPES {
            self.is_known = false;
        }
        let (Some(info), Some((size, align))) = (sema.record_info(ty), sema.layout(ty)) else { return };
        self.shapes.insert(name.clone(), String::new());
        let was_known = self.is_known;
        let _ = write!(self.text, "{size}:{align}");
        for &base in &info.bases {
            self.text.push(':');
            self.ty(base);
        }
        for field in sema.fields(&info) {
            self.text.push(';');
            self.qualified(QualTy { space: Space::None, ..sema.variable_type(field) });
        }
        let shape = std::mem::take(&mut self.text);
        if self.is_known {
            self.shapes.insert(name, shape);
        } else {
            // What cannot be spelled in a member makes no signature unknown; it is only not compared.
            self.shapes.remove(&name);
            self.is_known = was_known;
        }
    }
}
