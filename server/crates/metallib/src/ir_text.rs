//! LLVM assembly (`.ll`), as far as versions, targets and symbols need it.
//!
//! The reader goes by lines. It does not parse types or bodies: a global value is recognised by the first word of its
//! line (`define`, `declare`, or `@name =`), metadata by `!name = !{…}` and `!12 = !{…}`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::bytes;
use crate::module::{Module, ModuleForm, ModuleLanguage};
use crate::symbol::{Linkage, Symbol, SymbolKind};
use crate::version::Version;

/// How far into a file comments may reach before the first line of assembly.
const MAX_LEADING_COMMENT: usize = 64 << 10;
/// Nodes of one named node that are looked at.
const MAX_NAMED_ELEMENTS: usize = 16;

/// Whether the bytes look like LLVM assembly.
pub(crate) fn is_llvm_assembly(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(MAX_LEADING_COMMENT)];
    if head.contains(&0) {
        return false;
    }
    for line in head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if line.starts_with(b"; ModuleID = ") || line.starts_with(b"source_filename = \"") || is_target(line) {
            return true;
        }
        if line.is_empty() || line.starts_with(b";") {
            continue;
        }
        let is_global = |line: &[u8]| {
            matches!(line.first(), Some(b'@' | b'%' | b'!' | b'$')) && memchr::memmem::find(line, b" = ").is_some()
        };
        let is_definition = line.starts_with(b"define ") || line.starts_with(b"declare ");
        // Such a line may open other kinds of text; a target or the module's metadata settles it.
        return (is_definition || is_global(line))
            && [&b"\ntarget triple = \""[..], b"\n!llvm.", b"\n!air."]
                .iter()
                .any(|needle| memchr::memmem::find(bytes, needle).is_some());
    }
    false
}

fn is_target(line: &[u8]) -> bool {
    line.starts_with(b"target triple = \"") || line.starts_with(b"target datalayout = \"")
}

/// Reads a module from LLVM assembly.
pub fn read_text(bytes: &[u8]) -> Module<'_> {
    let mut module = Module::new(ModuleForm::Text);
    let mut named: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
    for line in bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        match line.first() {
            Some(b'd') => {
                let is_definition = line.starts_with(b"define ");
                if is_definition || line.starts_with(b"declare ") {
                    module.symbols.extend(function(line, is_definition));
                }
            }
            Some(b'@') => module.symbols.extend(variable(line)),
            Some(b't') => {
                if let Some(triple) = line.strip_prefix(b"target triple = ") {
                    module.triple = quoted(triple).map(text);
                }
            }
            Some(b's') => {
                if let Some(name) = line.strip_prefix(b"source_filename = ") {
                    module.source_file_name = quoted(name).map(text);
                }
            }
            Some(b'!') => {
                if let Some((name, value)) = named_node(line) {
                    named.entry(name).or_insert(value);
                }
            }
            _ => {}
        }
    }
    resolve(bytes, &named, &mut module);
    module
}

/// The named nodes that are looked at: `!air.version = !{!3}` gives `air.version` and `{!3}`.
fn named_node(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (name, value) = assignment(line)?;
    let wanted: [&[u8]; 5] =
        [b"air.version", b"air.language_version", b"air.compile_options", b"air.source_file_name", b"llvm.ident"];
    wanted.contains(&name).then_some((name, value))
}

/// Splits `!name = !{…}`.
fn assignment(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = line.strip_prefix(b"!")?;
    let end = rest.iter().position(|&byte| byte == b' ' || byte == b'=')?;
    let (name, rest) = rest.split_at_checked(end)?;
    let value = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let value = value.strip_prefix(b"distinct").map_or(value, <[u8]>::trim_ascii_start);
    Some((name, value.strip_prefix(b"!")?.strip_prefix(b"{")?))
}

/// An element of a metadata node.
enum Element<'a> {
    Node(u32),
    Integer(u32),
    Text(Cow<'a, [u8]>),
}

/// The elements of a node, from after its opening brace. Elements of other kinds end the list.
fn elements(mut rest: &[u8]) -> Vec<Element<'_>> {
    let mut found = Vec::new();
    while found.len() < MAX_NAMED_ELEMENTS {
        rest = rest.trim_ascii_start();
        if let Some(tail) = rest.strip_prefix(b"!\"") {
            let end = tail.iter().position(|&byte| byte == b'"').unwrap_or(tail.len());
            found.push(Element::Text(unescape(&tail[..end])));
            rest = tail.get(end + 1..).unwrap_or_default();
        } else if let Some(tail) = rest.strip_prefix(b"!") {
            let Some((number, tail)) = number(tail) else { break };
            found.push(Element::Node(number));
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix(b"i32 ") {
            let Some((number, tail)) = number(tail.trim_ascii_start()) else { break };
            found.push(Element::Integer(number));
            rest = tail;
        } else {
            break;
        }
        match rest.trim_ascii_start().strip_prefix(b",") {
            Some(tail) => rest = tail,
            None => break,
        }
    }
    found
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = std::str::from_utf8(&bytes[..digits]).ok()?.parse().ok()?;
    Some((value, &bytes[digits..]))
}

fn resolve(bytes: &[u8], named: &BTreeMap<&[u8], &[u8]>, module: &mut Module<'_>) {
    // First which numbered nodes are wanted, then one pass that collects them.
    let mut nodes: BTreeMap<u32, Option<Vec<Element<'_>>>> = BTreeMap::new();
    let ids = |name: &[u8]| -> Vec<u32> {
        let list = named.get(name).map(|value| elements(value)).unwrap_or_default();
        list.iter().filter_map(|element| if let Element::Node(id) = element { Some(*id) } else { None }).collect()
    };
    nodes.extend(named.keys().flat_map(|name| ids(name)).map(|id| (id, None)));
    if nodes.is_empty() {
        return;
    }
    for line in bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        if let Some((name, value)) = assignment(line)
            && let Some((id, [])) = number(name)
            && let Some(node @ None) = nodes.get_mut(&id)
        {
            *node = Some(elements(value));
        }
    }
    let node = |id: &u32| nodes.get(id).and_then(Option::as_deref);
    let first_node = |name: &[u8]| ids(name).first().and_then(&node);
    let first_texts = |name: &[u8]| -> Vec<String> {
        let texts = ids(name);
        texts.iter().filter_map(|id| text_at(node(id)?, 0)).collect()
    };
    module.air_version = first_node(b"air.version").and_then(|node| version_at(node, 0));
    module.language = first_node(b"air.language_version").and_then(|node| {
        let patch = integer_at(node, 3).unwrap_or(0);
        Some(ModuleLanguage { name: text_at(node, 0)?, version: version_at(node, 1)?, patch })
    });
    module.compile_options = first_texts(b"air.compile_options");
    module.air_source_file_name = first_texts(b"air.source_file_name").into_iter().next();
    module.ident = first_texts(b"llvm.ident");
    module.ident.dedup();
}

fn integer_at(node: &[Element<'_>], index: usize) -> Option<u32> {
    if let Element::Integer(value) = node.get(index)? { Some(*value) } else { None }
}

fn text_at(node: &[Element<'_>], index: usize) -> Option<String> {
    if let Element::Text(value) = node.get(index)? { Some(text(value.clone())) } else { None }
}

fn version_at(node: &[Element<'_>], index: usize) -> Option<Version> {
    Some(Version::new(integer_at(node, index)?, integer_at(node, index + 1)?))
}

fn function(line: &[u8], is_definition: bool) -> Option<Symbol<'_>> {
    let (before, name) = global_name(line)?;
    Some(Symbol { name, kind: SymbolKind::Function, is_definition, linkage: linkage(before) })
}

fn variable(line: &[u8]) -> Option<Symbol<'_>> {
    let (_, name) = global_name(line)?;
    let is_quoted = line.get(1) == Some(&b'"');
    let value = if is_quoted {
        let close = line.iter().skip(2).position(|&byte| byte == b'"')? + 3;
        line.get(close..)?
    } else {
        line.get(line.iter().position(|&byte| byte == b' ' || byte == b'=')?..)?
    };
    let value = value.trim_ascii_start().strip_prefix(b"=")?;
    // Everything that matters stands before the type: linkage, then `global`, `constant`, `alias` or `ifunc`.
    let words = || value.split(|byte| byte.is_ascii_whitespace()).take(12);
    let kind = words().find_map(|word| match word {
        b"global" | b"constant" => Some(SymbolKind::Variable),
        b"alias" => Some(SymbolKind::Alias),
        b"ifunc" => Some(SymbolKind::Function),
        _ => None,
    })?;
    let is_declaration = words().any(|word| word == b"external" || word == b"extern_weak");
    Some(Symbol { name, kind, is_definition: !is_declaration, linkage: linkage(value) })
}

fn linkage(words: &[u8]) -> Linkage {
    for word in words.split(|byte| byte.is_ascii_whitespace()).take(6) {
        match word {
            b"private" | b"internal" => return Linkage::Local,
            b"appending" => return Linkage::Appending,
            b"weak"
            | b"weak_odr"
            | b"linkonce"
            | b"linkonce_odr"
            | b"common"
            | b"available_externally"
            | b"extern_weak" => return Linkage::Weak,
            _ => {}
        }
    }
    Linkage::External
}

/// What stands before the first `@name` of a line, and the name.
fn global_name(line: &[u8]) -> Option<(&[u8], Cow<'_, [u8]>)> {
    let at = memchr::memchr(b'@', line)?;
    let (before, rest) = line.split_at_checked(at)?;
    let rest = rest.get(1..)?;
    if rest.first() == Some(&b'"') {
        return Some((before, quoted(rest)?));
    }
    let end = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"-$._".contains(byte)));
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some((before, Cow::Borrowed(name)))
}

/// The contents of a quoted string, which ends at the next quote: quotes inside are written `\22`.
fn quoted(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let rest = bytes.trim_ascii_start().strip_prefix(b"\"")?;
    let end = memchr::memchr(b'"', rest)?;
    Some(unescape(&rest[..end]))
}

/// Replaces `\XX`, two hexadecimal digits, by the byte.
fn unescape(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&b'\\') {
        return Cow::Borrowed(bytes);
    }
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let digit = |index: usize| tail.get(index).and_then(|&byte| char::from(byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'\\', Some(high), Some(low)) => {
                result.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            _ => {
                result.push(first);
                rest = tail;
            }
        }
    }
    Cow::Owned(result)
}

fn text(text: Cow<'_, [u8]>) -> String {
    bytes::short_text(&text)
}
