//! Compares the declarations with the inventory of the library's public names.
//!
//! `inventory.tsv` lists what the library has; `coverage.txt` lists the rows that the headers do not follow, by the way
//! in which they do not. The lists may only become shorter, unless the inventory grows.

use std::collections::{BTreeMap, BTreeSet};

use expect_test::expect_file;
use msl_builtins::{Library, Since, attribute, lookup_include};
use msl_intern::Name;
use msl_parser::ast::{Ast, DeclId, DeclKind, Function, Init, TypeKind, UnqualName};
use msl_parser::scope::ScopeKind;

/// A row of the inventory.
struct Row<'a> {
    header: &'a str,
    kind: &'a str,
    name: &'a str,
    signature: &'a str,
    since: &'a str,
}

fn rows() -> impl Iterator<Item = Row<'static>> {
    include_str!("inventory.tsv").lines().skip(1).map(|line| {
        let mut cells = line.split('\t').map(str::trim);
        let mut next = || cells.next().unwrap_or_default();
        let (header, kind, name, signature, _types, since) = (next(), next(), next(), next(), next(), next());
        Row { header, kind, name, signature, since }
    })
}

/// The name with its classes, enumerations and namespaces, without `metal`; `None` for what has no name.
fn qualified_name(ast: &Ast, decl: DeclId) -> Option<String> {
    let own = |decl: DeclId| -> Option<String> {
        Some(match &ast[decl].kind {
            DeclKind::Namespace { name, .. } | DeclKind::TypeAlias { name, .. } | DeclKind::Enumerator { name, .. } => {
                name.as_str().to_owned()
            }
            DeclKind::Record(record) => record.name.as_str().to_owned(),
            DeclKind::Enum(declared) => declared.name.as_str().to_owned(),
            DeclKind::Variable(variable) => variable.name.ident()?.as_str().to_owned(),
            DeclKind::UsingDecl { target, .. } => target.last()?.name.ident()?.as_str().to_owned(),
            DeclKind::Function(function) => match function.name {
                UnqualName::Ident(name) => name.as_str().to_owned(),
                UnqualName::Operator(op) => operator_name(op),
                UnqualName::Conversion(_) => "operator T".to_owned(),
                UnqualName::Destructor(_) | UnqualName::Literal(_) | UnqualName::Missing => return None,
            },
            _ => return None,
        })
    };
    let mut name = own(decl)?;
    let mut scope = Some(ast[decl].scope);
    while let Some(id) = scope {
        if matches!(ast[id].kind, ScopeKind::Namespace | ScopeKind::Record | ScopeKind::Enum)
            && let Some(outer) = ast[id].owner.and_then(own)
            && outer != "metal"
        {
            name = format!("{outer}::{name}");
        }
        scope = ast[id].parent;
    }
    Some(name)
}

fn operator_name(op: msl_parser::ast::OverloadedOp) -> String {
    use msl_parser::ast::OverloadedOp::*;
    match op {
        Punct(punct) => format!("operator{}", punct.text()),
        Call => "operator()".to_owned(),
        Index => "operator[]".to_owned(),
        other => format!("operator {other:?}"),
    }
}

/// The name as [`qualified_name`] would give it: without template arguments, with any conversion as `operator T`.
fn row_name(name: &str) -> String {
    match name.split_once("operator ") {
        Some((class, _)) => format!("{class}operator T"),
        None if name.contains("operator") => name.to_owned(),
        None => name.split('<').next().unwrap_or(name).to_owned(),
    }
}

/// How many arguments calls may have.
fn arities(ast: &Ast, function: &Function) -> std::ops::RangeInclusive<usize> {
    let TypeKind::Function(ty) = &ast[function.ty].kind else { return 0..=0 };
    let is_pack = |param: DeclId| match &ast[param].kind {
        DeclKind::Variable(variable) => matches!(ast[variable.ty].kind, TypeKind::Pack(_)),
        _ => false,
    };
    let has_default = |param: &&DeclId| match &ast[**param].kind {
        DeclKind::Variable(variable) => variable.init != Init::None,
        _ => false,
    };
    let packs = ty.params.iter().filter(|&&param| is_pack(param)).count();
    let defaults = ty.params.iter().filter(has_default).count();
    let most = if packs > 0 || ty.variadic { usize::MAX } else { ty.params.len() };
    ty.params.len() - packs - defaults..=most
}

/// The number of parameters in the signature of a row, the greatest and the smallest; `None` if it shows none.
fn row_arity(signature: &str, name: &str) -> Option<usize> {
    let base = name.rsplit("::").next()?;
    let mut rest = &signature[signature.rfind(&format!("{base}("))? + base.len() + 1..];
    let mut depth = 0i32;
    let (mut commas, mut any) = (0, false);
    while let Some(c) = rest.chars().next() {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return Some(if any { commas + 1 } else { 0 }),
            ')' | '>' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            '…' => return None,
            '.' if rest.starts_with("...") => return None,
            _ => {}
        }
        any |= !c.is_whitespace();
        rest = &rest[c.len_utf8()..];
    }
    None
}

/// The versions that a row gives: several if it joins several groups of types.
fn row_since(text: &str) -> Option<Vec<Since>> {
    let one = |text: &str| {
        let text = text.split(" (").next().unwrap_or(text).trim().replace(';', ",").to_lowercase();
        // In the form that declarations have: from 3.0 on there is one language.
        Some(Since::parse(&text)?.and(Since::ALWAYS))
    };
    text.split(" / ").map(one).collect()
}

/// Rows whose subject is the language, the compiler or the preprocessor and not a declaration.
fn is_language(row: &Row<'_>) -> bool {
    let of_builtin_type = ["vec::", "packed_vec::", "matrix::"].iter().any(|prefix| row.name.starts_with(prefix));
    matches!(row.kind, "attribute" | "keyword" | "option" | "pragma" | "feature-macro" | "builtin" | "header")
        || row.header == "(predefined)"
        || of_builtin_type
        || (row.header == "metal_matrix" && row.kind == "operator")
}

/// Types that are words of the language.
const KEYWORDS: &[&str] = &["bool", "char", "short", "int", "long", "float", "void"];

#[test]
fn declarations_follow_the_inventory() {
    let library = Library::get();
    let ast = library.ast();
    let mut declared: BTreeMap<String, Vec<DeclId>> = BTreeMap::new();
    for (id, _) in ast.own_decls() {
        if let Some(name) = qualified_name(ast, id) {
            // Enumerators of an unscoped enumeration are also known without its name.
            if matches!(ast[id].kind, DeclKind::Enumerator { .. })
                && let Some((enumeration, enumerator)) = name.rsplit_once("::")
            {
                let scope = enumeration.rsplit_once("::").map_or(String::new(), |(scope, _)| format!("{scope}::"));
                declared.entry(format!("{scope}{enumerator}")).or_default().push(id);
            }
            declared.entry(name).or_default().push(id);
        }
    }
    let (mut missing, mut arity, mut versions) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for row in rows().filter(|row| !is_language(row)) {
        let line = format!("{} {} {}", row.header, row.kind, row.name);
        let names = row.name.split(" (").next().unwrap_or_default();
        let names = if names.contains("operator") { vec![names] } else { names.split('/').collect() };
        for name in names.into_iter().filter(|name| !KEYWORDS.contains(name)) {
            let name = &row_name(name);
            let since: Vec<Since> = if row.kind == "macro" {
                let Some(found) = library.macro_info(Name::new(name)) else {
                    missing.insert(line.clone());
                    continue;
                };
                vec![found.since]
            } else {
                // A row for all texture types stands for the most usual one.
                let Some(found) = declared.get(&name.replace("texture*", "texture2d")) else {
                    missing.insert(line.clone());
                    continue;
                };
                let functions = || {
                    found.iter().filter_map(|&id| match &ast[id].kind {
                        DeclKind::Function(function) => Some(function),
                        _ => None,
                    })
                };
                if let Some(count) = row_arity(row.signature, name)
                    && functions().next().is_some()
                    && !functions().any(|function| arities(ast, function).contains(&count))
                {
                    arity.insert(format!("{line}: {}", row.signature));
                }
                found.iter().map(|&id| library.since(id)).collect()
            };
            if let Some(wanted) = row_since(row.since)
                && !wanted.iter().any(|wanted| since.contains(wanted))
            {
                let found: BTreeSet<String> = since.iter().map(Since::to_string).collect();
                let found: Vec<_> = found.into_iter().collect();
                versions.insert(format!("{line}: {} (declared {})", row.since, found.join(" / ")));
            }
        }
    }
    let mut text = String::new();
    for (title, rows) in [
        ("without a declaration", missing),
        ("without an overload of this number of parameters", arity),
        ("with a different version", versions),
    ] {
        text.push_str(&format!("# Rows {title}: {}\n\n", rows.len()));
        rows.iter().for_each(|row| text.push_str(&format!("{row}\n")));
        text.push('\n');
    }
    expect_file!["coverage.txt"].assert_eq(&text);
}

#[test]
fn every_attribute_and_header_is_known() {
    for row in rows() {
        match row.kind {
            "attribute" => {
                let name = row.name.trim_matches(|c| matches!(c, '[' | ']'));
                assert!(attribute(name).is_some(), "{name}");
            }
            "header" => {
                let name = row.name.trim_matches(|c| matches!(c, '<' | '>'));
                assert!(lookup_include(name).is_some(), "{name}");
            }
            _ => {}
        }
    }
}
