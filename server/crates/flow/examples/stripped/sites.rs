//! The words that can be taken away, and who is to blame if one cannot.

use std::collections::BTreeSet;
use std::sync::Arc;

use msl_db::{BodyPlace, Database, Db, Unit, parsed_body, parsed_decls, split_unit};
use msl_flow::value::Spaces;
use msl_parser::ast::*;
use msl_preproc::SpellingKind;
use msl_ty::sema::LocalCaches;
use msl_ty::store::{BindId, Space};
use msl_ty::{DeclRef, Sema, body_of, entry_instances, environment};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Counts;
use crate::judged::{Fault, Judged, PlaceKey};
use crate::tokens::{Place, Tokens};

/// What a word stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    Param(u32),
    This,
    Return,
    /// A local variable, or a parameter of a lambda, by the offset of its name.
    Local(u32),
}

/// One word.
pub(crate) struct Site {
    pub(crate) group: usize,
    pub(crate) what: What,
    /// The name of the variable or parameter.
    pub(crate) name: String,
    /// The word.
    pub(crate) place: Place,
    pub(crate) space: Spaces,
    /// It says where the pointer or reference itself leads, and not a pointer inside of that.
    pub(crate) is_outermost: bool,
    pub(crate) is_active: bool,
}

/// A function.
pub(crate) struct Group {
    pub(crate) name: String,
    /// Its declarations, bodies included.
    extents: Vec<Place>,
    /// Code that nobody sees can call it.
    is_root: bool,
}

pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    pub(crate) groups: Vec<Group>,
    by_name: FxHashMap<PlaceKey, usize>,
    texts: FxHashMap<Arc<str>, Arc<[u8]>>,
}

/// One word as the tree has it.
struct Word {
    token: u32,
    space: Spaces,
    is_outermost: bool,
}

impl Sites {
    pub(crate) fn of(db: &Database, unit: Unit, counts: &mut Counts) -> Sites {
        let mut sites =
            Sites { sites: Vec::new(), groups: Vec::new(), by_name: FxHashMap::default(), texts: FxHashMap::default() };
        let (env, tokens, tree) = (environment(db, unit), Tokens::of(db, unit), parsed_decls(db, unit));
        let local = LocalCaches::default();
        let sema = Sema::new(env, &env.ast, &local);
        let entries: FxHashSet<DeclId> = entry_instances(db, unit).iter().map(|item| item.decl).collect();
        let mut group_of: FxHashMap<DeclId, usize> = FxHashMap::default();
        for of in &tree.functions {
            let Some((place, kind)) = tokens.written(Some(of.body), env.ast[of.function].name_token) else { continue };
            if kind != SpellingKind::Typed {
                counts.add("left out: functions made by macros", 1);
                continue;
            }
            let is_root = entries.contains(&of.function)
                || sema.redeclarations(of.function).into_iter().any(|decl| sema.is_called_from_outside(decl));
            let DeclKind::Function(function) = &env.ast[of.function].kind else { continue };
            let name = msl_ty::types::spell_name(function.name);
            group_of.insert(of.function, sites.groups.len());
            sites.by_name.insert((Arc::clone(&place.0), place.1.start), sites.groups.len());
            sites.groups.push(Group { name, extents: Vec::new(), is_root });
        }
        for (decl, data) in env.ast.own_decls() {
            let DeclKind::Function(function) = &data.kind else { continue };
            let item = DeclRef { decl, bind: BindId::NONE };
            let definition = if data.specs.contains(Specs::INSTANTIATION) {
                sema.explicitly_instantiated(decl).first().copied()
            } else {
                sema.definition(item)
            };
            let Some(&group) = definition.and_then(|definition| group_of.get(&definition.decl)) else { continue };
            let body = body_of(db, unit, decl);
            let mut extent = tokens.range(body, data.range);
            if let Some(BodyPlace::Deferred(number)) = body {
                // The tree of the declarations ends before the body.
                let count = split_unit(db, unit).bodies(db)[number as usize].tokens(db).len() as u32;
                let start = env.ast.end().tokens;
                let inside = tokens.range(body, TokenRange::new(start, start + count));
                if let (Some(extent), Some(inside)) = (&mut extent, inside)
                    && extent.0 == inside.0
                {
                    extent.1.end = extent.1.end.max(inside.1.end);
                }
            }
            sites.groups[group].extents.extend(extent);
            sites.of_signature(&env.ast, tokens, group, function, counts);
        }
        for of in &tree.functions {
            let Some(&group) = group_of.get(&of.function) else { continue };
            match of.body {
                BodyPlace::Deferred(number) => {
                    let body = split_unit(db, unit).bodies(db)[number as usize];
                    if let Some(parsed) = parsed_body(db, body) {
                        sites.of_body(&parsed.ast, tokens, group, of.body, counts);
                    }
                }
                BodyPlace::Inline(_) => {
                    if let Some(parsed) = env.inline_body(of.function) {
                        sites.of_body(&parsed.ast, tokens, group, of.body, counts);
                    }
                }
            }
        }
        for site in &sites.sites {
            let path = &site.place.0;
            if !sites.texts.contains_key(path)
                && let Some(text) = db.source_file(path).content(db).text()
            {
                sites.texts.insert(Arc::clone(path), Arc::clone(text));
            }
        }
        sites
    }

    fn of_signature(&mut self, ast: &Ast, tokens: Tokens<'_>, group: usize, function: &Function, counts: &mut Counts) {
        let TypeKind::Function(written) = &ast[function.ty].kind else { return };
        if self.groups[group].is_root {
            counts.add("left out: parameters of functions with callers elsewhere", written.params.len());
            return;
        }
        for (number, &param) in written.params.iter().enumerate() {
            let DeclKind::Variable(variable) = &ast[param].kind else { continue };
            for word in words(ast, variable.ty, true) {
                let name = variable.name.ident().map_or_else(String::new, |name| name.to_string());
                self.add(tokens, None, group, What::Param(number as u32), name, &word, counts);
            }
        }
        for word in words(ast, written.ret, false) {
            self.add(tokens, None, group, What::Return, String::new(), &word, counts);
        }
        if let [(word, token)] = *written.this_quals.spaces
            && let Some(space) = covered(word)
        {
            let word = Word { token, space, is_outermost: true };
            self.add(tokens, None, group, What::This, "this".to_owned(), &word, counts);
        }
    }

    fn of_body(&mut self, ast: &Ast, tokens: Tokens<'_>, group: usize, body: BodyPlace, counts: &mut Counts) {
        for (_, decl) in ast.own_decls() {
            let DeclKind::Variable(variable) = &decl.kind else { continue };
            let is_param = variable.kind == VariableKind::Param;
            if !is_param && variable.kind != VariableKind::Local {
                continue;
            }
            let Some((place, _)) = tokens.written(Some(body), decl.name_token) else { continue };
            let name = variable.name.ident().map_or_else(String::new, |name| name.to_string());
            for word in words(ast, variable.ty, is_param) {
                self.add(tokens, Some(body), group, What::Local(place.1.start), name.clone(), &word, counts);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "what a site consists of")]
    fn add(
        &mut self,
        tokens: Tokens<'_>,
        body: Option<BodyPlace>,
        group: usize,
        what: What,
        name: String,
        word: &Word,
        counts: &mut Counts,
    ) {
        let Some((place, kind)) = tokens.written(body, word.token) else { return };
        if kind != SpellingKind::Typed {
            counts.add("left out: words from macros", 1);
            return;
        }
        if self.sites.iter().rev().any(|site| site.place == place) {
            return;
        }
        let Word { space, is_outermost, .. } = *word;
        self.sites.push(Site { group, what, name, place, space, is_outermost, is_active: true });
    }

    pub(crate) fn active(&self) -> impl Iterator<Item = &Site> {
        self.sites.iter().filter(|site| site.is_active)
    }

    /// The function whose definition has its name at a place.
    pub(crate) fn group_at(&self, place: &PlaceKey) -> Option<usize> {
        self.by_name.get(place).copied()
    }

    /// Gives words back; how many.
    pub(crate) fn take_back(&mut self, (group, what): (usize, What)) -> usize {
        let mut count = 0;
        for site in &mut self.sites {
            if site.is_active && site.group == group && site.what == what {
                site.is_active = false;
                count += 1;
            }
        }
        count
    }

    /// The texts of all files, without the words of the active sites.
    pub(crate) fn texts(&self) -> Vec<(Arc<str>, Vec<u8>)> {
        let mut texts: FxHashMap<&Arc<str>, Vec<u8>> =
            self.texts.iter().map(|(path, text)| (path, text.to_vec())).collect();
        for site in self.active() {
            if let Some(text) = texts.get_mut(&site.place.0) {
                text[site.place.1.start as usize..site.place.1.end as usize].fill(b' ');
            }
        }
        texts.into_iter().map(|(path, text)| (Arc::clone(path), text)).collect()
    }

    fn active_of(&self, group: usize) -> impl Iterator<Item = &Site> {
        self.active().filter(move |site| site.group == group)
    }

    /// Who is to blame for an error that the unit did not have.
    pub(crate) fn to_blame(&self, before: &Judged, fault: &Fault) -> BTreeSet<(usize, What)> {
        let key = |site: &Site| (site.group, site.what);
        let inside = self.inside(&fault.place);
        let lines = self.lines(&fault.place);
        // A conversion to a named space is a fault of the variable that is named there; all else of what is called.
        let is_of_callee = !matches!(fault.code, "generic-to-concrete" | "address-space-mismatch" | "type-mismatch");
        let callees = |place: &Place| -> BTreeSet<(usize, What)> {
            let called = before.calls.iter().filter(|(at, _)| {
                at.0 == place.0 && place.1.start <= at.1 && at.1 < place.1.end.max(place.1.start + 1)
            });
            let groups: BTreeSet<usize> =
                called.flat_map(|(_, targets)| targets).filter_map(|at| self.group_at(at)).collect();
            groups
                .into_iter()
                .flat_map(|group| self.active_of(group))
                .filter(|site| !matches!(site.what, What::Local(_)))
                .map(key)
                .collect()
        };
        let named = |place: &Place| -> BTreeSet<(usize, What)> {
            let words = self.words_in(place);
            let of_group = inside.iter().flat_map(|&group| self.active_of(group));
            of_group.filter(|site| words.contains(&*site.name)).map(key).collect()
        };
        let all = || inside.iter().flat_map(|&group| self.active_of(group)).map(key).collect();
        let by_name = || -> BTreeSet<(usize, What)> {
            let families = inside.iter().map(|&group| &self.groups[group].name).collect::<BTreeSet<_>>();
            let is_of =
                |site: &&Site| families.contains(&self.groups[site.group].name) && !matches!(site.what, What::Local(_));
            self.active().filter(is_of).map(key).collect()
        };
        let tries: [&dyn Fn() -> BTreeSet<(usize, What)>; 7] = if is_of_callee {
            [
                &|| callees(&fault.place),
                &|| callees(&lines),
                &|| named(&fault.place),
                &|| named(&lines),
                &all,
                &by_name,
                &BTreeSet::new,
            ]
        } else {
            [
                &|| named(&fault.place),
                &|| callees(&fault.place),
                &|| named(&lines),
                &|| callees(&lines),
                &all,
                &by_name,
                &BTreeSet::new,
            ]
        };
        tries.iter().map(|of| of()).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The functions whose calls lead elsewhere now.
    pub(crate) fn moved(&self, before: &Judged, after: &Judged) -> BTreeSet<(usize, What)> {
        let mut found = BTreeSet::new();
        for (place, targets) in &before.calls {
            if after.calls.get(place).is_some_and(|now| now == targets) {
                continue;
            }
            let groups: BTreeSet<usize> = targets
                .iter()
                .chain(after.calls.get(place).into_iter().flatten())
                .filter_map(|at| self.group_at(at))
                .collect();
            let sites = groups.into_iter().flat_map(|group| self.active_of(group));
            found.extend(sites.filter(|site| !matches!(site.what, What::Local(_))).map(|site| (site.group, site.what)));
        }
        found
    }

    /// The innermost functions that a place lies in: more than one for what several share.
    fn inside(&self, place: &Place) -> BTreeSet<usize> {
        let around =
            |extent: &&Place| extent.0 == place.0 && extent.1.start <= place.1.start && place.1.start < extent.1.end;
        let mut smallest = u32::MAX;
        let mut found = BTreeSet::new();
        for (number, group) in self.groups.iter().enumerate() {
            for extent in group.extents.iter().filter(around) {
                let length = extent.1.end - extent.1.start;
                if length < smallest {
                    smallest = length;
                    found.clear();
                }
                if length == smallest {
                    found.insert(number);
                }
            }
        }
        found
    }

    fn text(&self, place: &Place) -> &[u8] {
        self.texts.get(&place.0).map_or(&[], |text| &text[..])
    }

    /// The whole lines of a place.
    fn lines(&self, place: &Place) -> Place {
        let text = self.text(place);
        let (start, end) = ((place.1.start as usize).min(text.len()), (place.1.end as usize).min(text.len()));
        let first = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let last = text[end..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| end + at);
        (Arc::clone(&place.0), first as u32..last as u32)
    }

    fn words_in(&self, place: &Place) -> FxHashSet<&str> {
        let text = self.text(place);
        let range = (place.1.start as usize).min(text.len())..(place.1.end as usize).min(text.len());
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        text[range].split(|byte| !is_word(byte)).filter_map(|word| std::str::from_utf8(word).ok()).collect()
    }
}

/// The space of a word that a generic pointer covers.
fn covered(word: SpaceWord) -> Option<Spaces> {
    match word {
        SpaceWord::Thread => Some(Spaces::of(Space::Thread)),
        SpaceWord::Threadgroup => Some(Spaces::of(Space::Threadgroup)),
        SpaceWord::Device => Some(Spaces::of(Space::Device)),
        _ => None,
    }
}

/// The words on the pointees and referees of a type. The array that a parameter is declared as is a pointer.
fn words(ast: &Ast, ty: TypeId, is_param: bool) -> Vec<Word> {
    let mut found = Vec::new();
    let (mut at, mut is_pointee, mut is_outermost, mut decays) = (ty, false, true, is_param);
    loop {
        match &ast[at].kind {
            TypeKind::Pointer(inner) | TypeKind::LRef(inner) | TypeKind::RRef(inner) => {
                is_outermost &= !is_pointee;
                (at, is_pointee, decays) = (*inner, true, false);
            }
            TypeKind::Array { elem, .. } => {
                is_pointee |= std::mem::take(&mut decays);
                at = *elem;
            }
            TypeKind::Pack(inner) => at = *inner,
            TypeKind::Qualified { inner, quals } => {
                if let [(word, token)] = *quals.spaces
                    && is_pointee
                    && let Some(space) = covered(word)
                {
                    found.push(Word { token, space, is_outermost });
                }
                at = *inner;
            }
            _ => return found,
        }
    }
}
