//! Names close to one that nothing declares, for "did you mean".

use msl_intern::Name;
use msl_parser::ast::*;
use msl_parser::scope::{Scope, ScopeKind};

use super::replace;
use crate::lookup::Key;
use crate::sema::{Cx, Env, LocalCaches, Sema, TokenEdit, TokenFix, TyDiagnostic};
use crate::store::*;

/// What kind of thing a name should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Value,
    Type,
}

/// How many edits apart a close name may be: a third of the letters, at most two.
fn allowed_distance(name: &str) -> usize {
    match name.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words, or `None` if it is
/// more than `limit`.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut current = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = previous[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            current[j] = replaced.min(previous[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                current[j] = current[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut previous, current);
    }
    previous.last().copied().filter(|&distance| distance <= limit)
}

/// Metal's name of a vector or matrix type of GLSL.
fn counterpart_type(name: &str) -> Option<String> {
    let (scalar, rest) = [("ivec", "int"), ("uvec", "uint"), ("bvec", "bool"), ("f16vec", "half"), ("vec", "float")]
        .into_iter()
        .find_map(|(prefix, scalar)| Some((scalar, name.strip_prefix(prefix)?)))
        .or_else(|| Some(("float", name.strip_prefix("mat")?)))?;
    let is_size = |size: &str| matches!(size, "2" | "3" | "4");
    match (name.starts_with("mat"), rest.split_once('x')) {
        (false, None) if is_size(rest) => Some(format!("{scalar}{rest}")),
        (true, None) if is_size(rest) => Some(format!("{scalar}{rest}x{rest}")),
        (true, Some((columns, rows))) if is_size(columns) && is_size(rows) => Some(format!("{scalar}{rest}")),
        _ => None,
    }
}

/// Metal's name of a function of GLSL or HLSL that does the same under another name.
fn counterpart_function(name: &str) -> Option<&'static str> {
    Some(match name {
        "lerp" => "mix",
        "frac" => "fract",
        "mad" => "fma",
        "inversesqrt" => "rsqrt",
        "ddx" | "dFdx" => "dfdx",
        "ddy" | "dFdy" => "dfdy",
        "roundEven" => "rint",
        "discard" => "discard_fragment",
        "bitCount" | "countbits" => "popcount",
        "reversebits" | "bitfieldReverse" => "reverse_bits",
        "bitfieldExtract" => "extract_bits",
        "bitfieldInsert" => "insert_bits",
        _ => return None,
    })
}

/// Whether C's `<math.h>` has a constant of this name; Metal's macros have a suffix for their type.
fn is_constant_of_c(name: &str) -> bool {
    matches!(
        name,
        "M_E"
            | "M_LOG2E"
            | "M_LOG10E"
            | "M_LN2"
            | "M_LN10"
            | "M_PI"
            | "M_PI_2"
            | "M_PI_4"
            | "M_1_PI"
            | "M_2_PI"
            | "M_2_SQRTPI"
            | "M_SQRT2"
            | "M_SQRT1_2"
    )
}

/// The closest name so far, and whether another one is as close.
struct Closest<'n> {
    wanted: &'n str,
    best: Option<(usize, Name)>,
    is_tied: bool,
}

impl Closest<'_> {
    fn offer(&mut self, candidate: Name) {
        let shorter = if candidate.as_str().len() < self.wanted.len() { candidate.as_str() } else { self.wanted };
        let limit = allowed_distance(shorter);
        let Some(mut far) = distance(self.wanted, candidate.as_str(), limit) else { return };
        // A difference in case alone is the closest of all.
        if far > 0 && self.wanted.eq_ignore_ascii_case(candidate.as_str()) {
            far = 0;
        }
        match self.best {
            Some((known, name)) if name != candidate && known == far => self.is_tied = true,
            Some((known, _)) if known <= far => {}
            _ => {
                self.best = Some((far, candidate));
                self.is_tied = false;
            }
        }
    }
}

impl Env {
    /// The one type at namespace level that is closest to `name`, if it is close.
    pub fn close_type(&self, name: Name) -> Option<Name> {
        let local = LocalCaches::default();
        let cx = Cx { scope: self.global, bind: BindId::NONE, before: u32::MAX, before_local: u32::MAX, class: None };
        Sema::new(self, &self.ast, &local).close_name(name, Wanted::Type, cx)
    }
}

impl<'a> Sema<'a> {
    /// The one visible name that is closest to `name`, if it is close. What another shading language calls so comes
    /// first.
    pub(crate) fn close_name(&self, name: Name, wanted: Wanted, cx: Cx) -> Option<Name> {
        if let Some(counterpart) = self.counterpart(name, wanted, cx) {
            return Some(counterpart);
        }
        if wanted == Wanted::Value && is_constant_of_c(name.as_str()) {
            return Some(Name::new(&format!("{name}_F")));
        }
        let mut closest = Closest { wanted: name.as_str(), best: None, is_tied: false };
        for scope in self.visible_scopes(cx) {
            self.offer_names(scope, wanted, cx, &mut closest);
        }
        closest.best.filter(|_| !closest.is_tied).map(|(_, name)| name)
    }

    /// What Metal calls something that has this name in GLSL, HLSL or C, if that is visible: a function that does the
    /// same, or the same type.
    fn counterpart(&self, name: Name, wanted: Wanted, cx: Cx) -> Option<Name> {
        let name = name.as_str();
        // C has a function for `float` beside that for `double`.
        let of_c = name.strip_suffix('f').filter(|stem| stem.len() > 2 && wanted == Wanted::Value);
        let explicit = name.starts_with("atomic_").then(|| format!("{name}_explicit"));
        [
            counterpart_type(name).as_deref().map(Name::new),
            counterpart_function(name).map(Name::new),
            of_c.map(Name::new),
            explicit.as_deref().map(Name::new),
        ]
        .into_iter()
        .flatten()
        .find(|&other| {
            let found = self.lookup(Key::Name(other), cx);
            found.items.first().is_some_and(|item| match &self.ast[item.decl].kind {
                DeclKind::Function(_) => wanted == Wanted::Value && self.is_library(item.decl),
                DeclKind::Record(_) | DeclKind::TypeAlias { .. } => self.is_library(item.decl),
                _ => false,
            })
        })
    }

    /// The one member of a class that is closest to `name`, if it is close.
    pub(crate) fn close_member(&self, class: Ty, name: Name) -> Option<Name> {
        let mut closest = Closest { wanted: name.as_str(), best: None, is_tied: false };
        let mut classes = vec![class];
        for _ in 0..32 {
            let Some(class) = classes.pop() else { break };
            let Some(info) = self.record_info(class) else { continue };
            classes.extend(info.bases.iter().copied());
            let Some(scope) = info.scope else { continue };
            for (&candidate, declared) in &self.ast[scope].names {
                let is_member = declared
                    .iter()
                    .any(|&decl| matches!(self.ast[decl].kind, DeclKind::Variable(_) | DeclKind::Function(_)));
                if is_member
                    && declared
                        .iter()
                        .any(|&decl| self.may_be_suggested(decl) && !self.is_hidden(candidate, decl, closest.wanted))
                {
                    closest.offer(candidate);
                }
            }
        }
        closest.best.filter(|_| !closest.is_tied).map(|(_, name)| name)
    }

    /// Whether a name that nothing declares may be one of the compiler's own: names that begin with two underscores
    /// are, unless the program declares one that is nearly the same.
    pub(crate) fn may_be_the_compilers(&self, name: Name, cx: Cx) -> bool {
        let is_reserved = |name: Name| name.bytes().starts_with(b"__");
        let is_free = |name: Name| is_reserved(name) || self.env.library.may_declare(&[], name);
        is_free(name) && !self.close_name(name, Wanted::Value, cx).is_some_and(is_free)
    }

    /// Names that nobody means: those that the library keeps for itself, and those that begin with an underscore,
    /// unless the wanted one does, too.
    fn is_hidden(&self, name: Name, decl: DeclId, wanted: &str) -> bool {
        name.bytes().starts_with(b"_") && (self.is_library(decl) || !wanted.starts_with('_'))
            || self.is_library(decl) && self.env.library.facts(decl).is_some_and(|facts| facts.internal)
    }

    /// The enumerator of an enumeration that is closest to `name`, if it is close.
    pub(crate) fn close_enumerator(&self, owner: DeclId, name: Name) -> Option<Name> {
        let DeclKind::Enum(of) = &self.ast[owner].kind else { return None };
        let mut closest = Closest { wanted: name.as_str(), best: None, is_tied: false };
        for &decl in &of.enumerators {
            if let DeclKind::Enumerator { name, .. } = self.ast[decl].kind
                && self.may_be_suggested(decl)
                && !self.is_hidden(name, decl, closest.wanted)
            {
                closest.offer(name);
            }
        }
        closest.best.filter(|_| !closest.is_tied).map(|(_, name)| name)
    }

    fn offer_names(&self, scope: &Scope, wanted: Wanted, cx: Cx, closest: &mut Closest<'_>) {
        let limit = allowed_distance(closest.wanted);
        for (&candidate, declared) in &scope.names {
            if candidate.as_str().len().abs_diff(closest.wanted.len()) > limit {
                continue;
            }
            let is_fit = declared.iter().any(|&decl| {
                let is_visible = if self.is_local(decl) { decl.0 < cx.before_local } else { decl.0 < cx.before };
                // Metal's `uniform` is not what somebody means who forgot to include the header with `Uniforms`.
                let is_library_template = || !self.ast[decl].templates.is_empty() && self.is_library(decl);
                let is_kind = match &self.ast[decl].kind {
                    DeclKind::Variable(_) | DeclKind::Function(_) | DeclKind::Enumerator { .. } => {
                        wanted == Wanted::Value && scope.kind != ScopeKind::Template
                    }
                    DeclKind::Record(_) if is_library_template() => {
                        wanted == Wanted::Type
                            && (distance(closest.wanted, candidate.as_str(), 1).is_some()
                                || closest.wanted.eq_ignore_ascii_case(candidate.as_str()))
                    }
                    DeclKind::Record(_)
                    | DeclKind::Enum(_)
                    | DeclKind::TypeAlias { .. }
                    | DeclKind::TypeParam { .. } => wanted == Wanted::Type,
                    _ => false,
                };
                is_kind
                    && (is_visible || scope.kind == ScopeKind::Record)
                    && self.may_be_suggested(decl)
                    && !self.is_hidden(candidate, decl, closest.wanted)
            });
            if is_fit {
                closest.offer(candidate);
            }
        }
    }

    /// Adds the qualified name and its repair to a message about a name, if namespace `metal` has the name as a value.
    pub(crate) fn qualify(&self, diagnostic: &mut TyDiagnostic, name: Name) -> bool {
        let library = self.env.library;
        let namespaces = self.ast[library.global_scope()].get(self.env.names.metal).iter();
        let is_value = |&decl: &DeclId| {
            matches!(self.ast[decl].kind, DeclKind::Variable(_) | DeclKind::Function(_) | DeclKind::Enumerator { .. })
                && self.exists(decl)
                && !self.is_hidden(name, decl, name.as_str())
        };
        let is_there = namespaces.filter_map(|&decl| match self.ast[decl].kind {
            DeclKind::Namespace { scope, .. } => Some(scope),
            _ => None,
        });
        if !is_there.into_iter().any(|scope| self.ast[scope].get(name).iter().any(is_value)) {
            return false;
        }
        let text = format!(" here, but the library has `metal::{name}`: write that, or `using namespace metal;`");
        diagnostic.message.push_str(&text);
        let start = diagnostic.range.start;
        diagnostic.fixes.push(TokenFix {
            title: format!("Write `metal::{name}`"),
            preferred: true,
            edits: vec![TokenEdit { range: TokenRange::new(start, start), after: false, text: "metal::".to_owned() }],
        });
        true
    }

    /// Adds the one visible scoped enumeration that has an enumerator of this name to a message about the bare name.
    pub(crate) fn qualify_enumerator(&self, diagnostic: &mut TyDiagnostic, name: Name, cx: Cx) -> bool {
        let mut owners = Vec::new();
        for scope in self.visible_scopes(cx) {
            for (&owner, declared) in &scope.names {
                for &decl in declared {
                    if let DeclKind::Enum(Enum { scoped: true, scope: Some(inside), .. }) = self.ast[decl].kind
                        && self.ast[inside].get(name).iter().any(|&enumerator| self.may_be_suggested(enumerator))
                        && self.may_be_suggested(decl)
                        && !owners.contains(&owner)
                    {
                        owners.push(owner);
                    }
                }
            }
        }
        let [owner] = *owners else { return false };
        diagnostic.message.push_str(&format!("; did you mean `{owner}::{name}`?"));
        diagnostic.fixes.push(replace(diagnostic.range, &format!("{owner}::{name}")));
        true
    }

    /// The scopes around a place, with all their parts and what `using namespace` adds.
    fn visible_scopes(&self, cx: Cx) -> Vec<&'a Scope> {
        let mut found = Vec::new();
        let mut scope = Some(cx.scope);
        while let Some(id) = scope {
            let mut part = Some(id);
            while let Some(id) = part {
                let data = &self.ast[id];
                found.push(data);
                for directive in &data.using_directives {
                    let mut target = directive.target;
                    while let Some(id) = target {
                        found.push(&self.ast[id]);
                        target = self.ast[id].extends;
                    }
                }
                part = data.extends;
            }
            scope = self.ast[id].parent;
        }
        found
    }

    /// Adds "did you mean" with its repair to a message about the name at `range`.
    pub(crate) fn suggest(&self, diagnostic: &mut TyDiagnostic, close: Option<Name>) {
        if let Some(close) = close {
            diagnostic.message.push_str(&format!("; did you mean `{close}`?"));
            diagnostic.fixes.push(replace(diagnostic.range, close.as_str()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_other_languages() {
        assert_eq!(counterpart_type("vec3").as_deref(), Some("float3"));
        assert_eq!(counterpart_type("uvec2").as_deref(), Some("uint2"));
        assert_eq!(counterpart_type("mat4").as_deref(), Some("float4x4"));
        assert_eq!(counterpart_type("mat2x3").as_deref(), Some("float2x3"));
        assert_eq!(counterpart_type("vector"), None);
        assert_eq!(counterpart_type("matrix"), None);
        assert_eq!(counterpart_type("vec5"), None);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("normalise", "normalize", 2), Some(1));
        assert_eq!(distance("lenght", "length", 2), Some(1));
        assert_eq!(distance("dot", "dto", 1), Some(1));
        assert_eq!(distance("positon", "position", 2), Some(1));
        assert_eq!(distance("float5", "half5", 2), None);
        assert_eq!(distance("same", "same", 0), Some(0));
    }

    #[test]
    fn the_closest_wins_and_a_tie_says_nothing() {
        let mut closest = Closest { wanted: "colour", best: None, is_tied: false };
        closest.offer(Name::new("color"));
        closest.offer(Name::new("column"));
        assert_eq!(closest.best, Some((1, Name::new("color"))));
        assert!(!closest.is_tied);
        closest.offer(Name::new("colours"));
        assert!(closest.is_tied);
    }
}
