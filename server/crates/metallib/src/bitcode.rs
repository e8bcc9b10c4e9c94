//! LLVM bitcode, as far as versions, targets and symbols need it.
//!
//! A *module block* holds records about the module (triple, global variables, functions) and nested blocks, of which
//! only the constants and the metadata at module level are read: function bodies, types and attributes are stepped
//! over. Names of symbols stand in the *string table* that follows the module (module version 2) or in a *value symbol
//! table* (version 1, in files for OS releases up to about 2017).
//!
//! Metadata is a numbered list of strings, values and nodes. A *named node* such as `air.version` points at nodes whose
//! elements are strings or integer constants; a constant is addressed by its value number, which counts global values
//! and constants in the order of their records.

use std::borrow::Cow;
use std::cell::Cell;

use crate::bitstream::{Cursor, Fault, Item};
use crate::bytes;
use crate::module::{Module, ModuleForm, ModuleLanguage};
use crate::problem::{ProblemKind, Problems};
use crate::symbol::{Linkage, Symbol, SymbolKind};
use crate::version::Version;

/// `0x0B17C0DE`, little-endian: the Darwin wrapper.
pub(crate) const WRAPPER_MAGIC: &[u8] = &[0xDE, 0xC0, 0x17, 0x0B];
/// The magic number of raw bitcode.
pub(crate) const RAW_MAGIC: &[u8] = b"BC\xC0\xDE";

/// Elements of a metadata node that are kept: all nodes that are looked at are smaller.
const MAX_NODE_ELEMENTS: usize = 4;
/// Nodes of one named node that are kept. Linked modules repeat `llvm.ident` for each of their inputs.
const MAX_NAMED_ELEMENTS: usize = 16;

mod block {
    pub(super) const MODULE: u32 = 8;
    pub(super) const CONSTANTS: u32 = 11;
    pub(super) const IDENTIFICATION: u32 = 13;
    pub(super) const VALUE_SYMBOL_TABLE: u32 = 14;
    pub(super) const METADATA: u32 = 15;
    pub(super) const TYPES: u32 = 17;
    pub(super) const STRING_TABLE: u32 = 23;
}

/// Reads a module from bitcode with or without the Darwin wrapper.
pub fn read_bitcode(bytes: &[u8]) -> Module<'_> {
    // Offsets in problems count from the start of `bytes`, those of the cursor from the start of the stream at `base`.
    let (form, base, stream, mut problems) = unwrap(bytes);
    let mut module = Module::new(form);
    if stream.starts_with(RAW_MAGIC) {
        let mut reader = Reader::new(stream, base);
        reader.read(&mut module, &mut problems);
    } else {
        problems.add(ProblemKind::Malformed, base, "there is no bitcode magic number");
    }
    module.problems = problems;
    module
}

/// The size of a wrapped module including its wrapper, in bytes, as the wrapper states it.
pub(crate) fn wrapped_size(bytes: &[u8]) -> Option<u64> {
    let field = |offset| bytes::u32_le(bytes, offset).map(u64::from);
    if bytes.starts_with(WRAPPER_MAGIC) { Some(field(8)? + field(12)?) } else { None }
}

/// Takes the Darwin wrapper off.
fn unwrap(bytes: &[u8]) -> (ModuleForm, u64, &[u8], Problems) {
    let mut problems = Problems::default();
    if !bytes.starts_with(WRAPPER_MAGIC) {
        return (ModuleForm::RawBitcode, 0, bytes, problems);
    }
    let field = |index: usize| bytes::u32_le(bytes, index * 4);
    let form = ModuleForm::WrappedBitcode { cpu_type: field(4).unwrap_or(0) };
    let (Some(offset), Some(size), Some(_)) = (field(2), field(3), field(4)) else {
        problems.add(ProblemKind::Truncated, 0, "the file ends inside the bitcode wrapper");
        return (form, 0, &[], problems);
    };
    if bytes::range(bytes, offset.into(), size.into()).is_none() {
        problems.add(ProblemKind::OutOfRange, 8, "the bitcode wrapper points past the end of the module");
    }
    (form, offset.into(), bytes::clipped_range(bytes, offset.into(), size.into()), problems)
}

/// A symbol before its name is known.
struct PendingSymbol {
    /// Offset and size in the string table.
    name: (u64, u64),
    value: u32,
    kind: SymbolKind,
    is_definition: bool,
    linkage: Linkage,
}

struct Node {
    id: u32,
    elements: [Element; MAX_NODE_ELEMENTS],
}

/// An element of a metadata node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Nothing,
    /// A number of metadata.
    Metadata(u32),
    /// A value number. Only the nodes of old modules refer to values without metadata in between.
    Value(u32),
}

/// A run of metadata strings: lengths as six-bit variable numbers, then the characters.
struct StringRun<'a> {
    first_id: u32,
    count: u32,
    lengths: &'a [u8],
    characters: &'a [u8],
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    base: u64,
    /// Bounds the lists below, so that records that take no bits cannot fill the memory.
    capacity: usize,
    version: u64,
    values: u32,
    symbols: Vec<PendingSymbol>,
    names: Vec<(u32, Vec<u8>)>,
    /// Value numbers of integer constants.
    integers: Vec<(u32, i64)>,
    /// The number of the type `metadata`.
    metadata_type: Option<u64>,
    metadata_ids: u32,
    strings: Vec<StringRun<'a>>,
    /// How many lengths may still be read to find strings.
    string_steps: Cell<u64>,
    old_strings: Vec<(u32, Vec<u8>)>,
    nodes: Vec<Node>,
    metadata_values: Vec<(u32, u32)>,
    named: Vec<(Named, Vec<u32>)>,
    string_table: &'a [u8],
    reached_limit: bool,
}

/// The named nodes that are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    AirVersion,
    LanguageVersion,
    CompileOptions,
    SourceFileName,
    Ident,
}

impl Named {
    fn from_name(name: &[u8]) -> Option<Named> {
        Some(match name {
            b"air.version" => Named::AirVersion,
            b"air.language_version" => Named::LanguageVersion,
            b"air.compile_options" => Named::CompileOptions,
            b"air.source_file_name" => Named::SourceFileName,
            b"llvm.ident" => Named::Ident,
            _ => return None,
        })
    }
}

impl<'a> Reader<'a> {
    fn new(stream: &'a [u8], base: u64) -> Reader<'a> {
        Reader {
            cursor: Cursor::new(stream),
            base,
            capacity: stream.len() / 2 + 64,
            version: 0,
            values: 0,
            symbols: Vec::new(),
            names: Vec::new(),
            integers: Vec::new(),
            metadata_type: None,
            metadata_ids: 0,
            strings: Vec::new(),
            string_steps: Cell::new(stream.len() as u64 * 4 + 4096),
            old_strings: Vec::new(),
            nodes: Vec::new(),
            metadata_values: Vec::new(),
            named: Vec::new(),
            string_table: &[],
            reached_limit: false,
        }
    }

    fn read(&mut self, module: &mut Module<'a>, problems: &mut Problems) {
        if let Err(fault) = self.top_level(module, problems) {
            let offset = self.base + self.cursor.byte_position();
            match fault {
                Fault::Truncated => problems.add(ProblemKind::Truncated, offset, "the bitcode ends inside a record"),
                Fault::Malformed(what) => problems.add(ProblemKind::Malformed, offset, what),
                Fault::OutOfFuel => {
                    problems.add(
                        ProblemKind::LimitReached,
                        offset,
                        "the bitcode asks for more work than its size allows",
                    );
                }
            }
        }
        if self.cursor.has_cut_block() {
            problems.add(ProblemKind::Truncated, self.base, "a block is longer than what is left of the bitcode");
        }
        if self.reached_limit {
            problems.add(ProblemKind::LimitReached, self.base, "the bitcode defines more than its size allows");
        }
        self.resolve_symbols(module, problems);
        self.resolve_metadata(module);
    }

    fn top_level(&mut self, module: &mut Module<'a>, problems: &mut Problems) -> Result<(), Fault> {
        let mut modules = 0;
        loop {
            match self.cursor.next()? {
                Item::End => return Ok(()),
                Item::Record(_) => {}
                Item::Block(block::IDENTIFICATION) if module.identification.is_none() => {
                    self.cursor.enter();
                    self.identification(module)?;
                }
                Item::Block(block::MODULE) => {
                    modules += 1;
                    if modules == 1 {
                        self.cursor.enter();
                        self.module(module)?;
                    } else if modules == 2 {
                        let offset = self.base + self.cursor.byte_position();
                        problems.add(ProblemKind::Unsupported, offset, "only the first of several modules is read");
                    }
                }
                // The first string table after the module is the module's.
                Item::Block(block::STRING_TABLE) if modules == 1 && self.string_table.is_empty() => {
                    self.cursor.enter();
                    self.string_table()?;
                }
                Item::Block(_) => self.cursor.skip(),
            }
        }
    }

    fn identification(&mut self, module: &mut Module<'a>) -> Result<(), Fault> {
        const STRING: u32 = 1;
        loop {
            match self.cursor.next()? {
                Item::End => return Ok(()),
                Item::Record(STRING) => module.identification = Some(self.string_from(0)),
                Item::Record(_) => {}
                Item::Block(_) => self.cursor.skip(),
            }
        }
    }

    fn string_table(&mut self) -> Result<(), Fault> {
        const BLOB: u32 = 1;
        loop {
            match self.cursor.next()? {
                Item::End => return Ok(()),
                Item::Record(BLOB) => self.string_table = self.cursor.blob(),
                Item::Record(_) => {}
                Item::Block(_) => self.cursor.skip(),
            }
        }
    }

    fn module(&mut self, module: &mut Module<'a>) -> Result<(), Fault> {
        const VERSION: u32 = 1;
        const TRIPLE: u32 = 2;
        const GLOBAL_VARIABLE: u32 = 7;
        const FUNCTION: u32 = 8;
        const ALIAS_OLD: u32 = 9;
        const ALIAS: u32 = 14;
        const SOURCE_FILE_NAME: u32 = 16;
        const INDIRECT_FUNCTION: u32 = 18;
        loop {
            match self.cursor.next()? {
                Item::End => return Ok(()),
                Item::Record(VERSION) => self.version = self.cursor.operand(0).unwrap_or(0),
                Item::Record(TRIPLE) => module.triple = Some(self.string_from(0)),
                Item::Record(SOURCE_FILE_NAME) => module.source_file_name = Some(self.string_from(0)),
                // type, constness, initialiser + 1 or zero, linkage
                Item::Record(GLOBAL_VARIABLE) => self.symbol(SymbolKind::Variable, 3, |op| op(2) != Some(0)),
                // type, calling convention, is a prototype, linkage
                Item::Record(FUNCTION) => self.symbol(SymbolKind::Function, 3, |op| op(2) == Some(0)),
                // type, address space, aliasee, linkage
                Item::Record(ALIAS) => self.symbol(SymbolKind::Alias, 3, |_| true),
                Item::Record(INDIRECT_FUNCTION) => self.symbol(SymbolKind::Function, 3, |_| true),
                // type, aliasee, linkage
                Item::Record(ALIAS_OLD) => self.symbol(SymbolKind::Alias, 2, |_| true),
                Item::Record(_) => {}
                Item::Block(block::TYPES) if self.version < 2 => {
                    self.cursor.enter();
                    self.types()?;
                }
                Item::Block(block::CONSTANTS) => {
                    self.cursor.enter();
                    self.constants()?;
                }
                Item::Block(block::METADATA) => {
                    self.cursor.enter();
                    self.metadata()?;
                }
                Item::Block(block::VALUE_SYMBOL_TABLE) if self.version < 2 => {
                    self.cursor.enter();
                    self.value_symbol_table()?;
                }
                Item::Block(_) => self.cursor.skip(),
            }
        }
    }

    /// Takes in a global value. Operand numbers count from the first one after the name.
    fn symbol(
        &mut self,
        kind: SymbolKind,
        linkage: usize,
        is_definition: impl Fn(&dyn Fn(usize) -> Option<u64>) -> bool,
    ) {
        let value = self.values;
        self.values = self.values.saturating_add(1);
        let first = if self.version >= 2 { 2 } else { 0 };
        let operand = |index: usize| self.cursor.operand(first + index);
        let name = match first {
            2 => (self.cursor.operand(0).unwrap_or(0), self.cursor.operand(1).unwrap_or(0)),
            _ => (0, 0),
        };
        let is_definition = is_definition(&operand);
        let linkage = linkage_from_code(operand(linkage).unwrap_or(0));
        // A record of a global value has at least eight operands of some bits each.
        if self.symbols.len() < self.capacity / 4 {
            self.symbols.push(PendingSymbol { name, value, kind, is_definition, linkage });
        } else {
            self.reached_limit = true;
        }
    }

    /// Finds the number of the type `metadata`, which the nodes of old modules mention.
    fn types(&mut self) -> Result<(), Fault> {
        const ENTRY_COUNT: u32 = 1;
        const METADATA: u32 = 16;
        const STRUCT_NAME: u32 = 19;
        let mut number = 0;
        loop {
            match self.cursor.next()? {
                Item::End => return Ok(()),
                // These records define no type of their own.
                Item::Record(ENTRY_COUNT | STRUCT_NAME) => {}
                Item::Record(code) => {
                    if code == METADATA {
                        self.metadata_type = Some(number);
                    }
                    number += 1;
                }
                Item::Block(_) => self.cursor.skip(),
            }
        }
    }

    fn constants(&mut self) -> Result<(), Fault> {
        const SET_TYPE: u32 = 1;
        const NULL: u32 = 2;
        const INTEGER: u32 = 4;
        loop {
            let integer = match self.cursor.next()? {
                Item::End => return Ok(()),
                Item::Block(_) => {
                    self.cursor.skip();
                    continue;
                }
                Item::Record(SET_TYPE) => continue,
                Item::Record(NULL) => Some(0),
                Item::Record(INTEGER) => self.cursor.operand(0).map(signed),
                Item::Record(_) => None,
            };
            if let Some(integer) = integer {
                if self.integers.len() < self.capacity {
                    self.integers.push((self.values, integer));
                } else {
                    self.reached_limit = true;
                }
            }
            self.values = self.values.saturating_add(1);
        }
    }

    fn value_symbol_table(&mut self) -> Result<(), Fault> {
        const ENTRY: u32 = 1;
        const FUNCTION_ENTRY: u32 = 3;
        loop {
            let name_start = match self.cursor.next()? {
                Item::End => return Ok(()),
                // value, characters
                Item::Record(ENTRY) => 1,
                // value, offset, characters
                Item::Record(FUNCTION_ENTRY) => 2,
                Item::Record(_) => continue,
                Item::Block(_) => {
                    self.cursor.skip();
                    continue;
                }
            };
            if self.names.len() < self.capacity / 4 {
                let value = self.cursor.operand(0).unwrap_or(u64::MAX);
                self.names.push((u32::try_from(value).unwrap_or(u32::MAX), self.cursor.text(name_start)));
            } else {
                self.reached_limit = true;
            }
        }
    }

    fn metadata(&mut self) -> Result<(), Fault> {
        const STRING_OLD: u32 = 1;
        const VALUE: u32 = 2;
        const NODE: u32 = 3;
        const NAME: u32 = 4;
        const DISTINCT_NODE: u32 = 5;
        const KIND: u32 = 6;
        const OLD_NODE: u32 = 8;
        const NAMED_NODE: u32 = 10;
        const STRINGS: u32 = 35;
        const GLOBAL_ATTACHMENT: u32 = 36;
        const INDEX_OFFSET: u32 = 38;
        const INDEX: u32 = 39;
        let mut name: Option<Named> = None;
        loop {
            let code = match self.cursor.next()? {
                Item::End => return Ok(()),
                Item::Record(code) => code,
                Item::Block(_) => {
                    self.cursor.skip();
                    continue;
                }
            };
            let id = self.metadata_ids;
            match code {
                // These records define no metadata of their own.
                KIND | GLOBAL_ATTACHMENT | INDEX_OFFSET | INDEX => continue,
                NAME => {
                    name = Named::from_name(&self.cursor.text(0));
                    continue;
                }
                NAMED_NODE => {
                    if let Some(name) = name.take()
                        && self.named.iter().all(|(known, _)| *known != name)
                    {
                        let elements = self.cursor.operands().iter().take(MAX_NAMED_ELEMENTS);
                        self.named.push((name, elements.map(|&id| u32::try_from(id).unwrap_or(u32::MAX)).collect()));
                    }
                    continue;
                }
                STRINGS => {
                    self.metadata_strings();
                    continue;
                }
                STRING_OLD => {
                    if self.old_strings.len() < self.capacity / 4 {
                        self.old_strings.push((id, self.cursor.text(0)));
                    } else {
                        self.reached_limit = true;
                    }
                }
                VALUE => {
                    let value = self.cursor.operand(1).and_then(|value| u32::try_from(value).ok());
                    if let Some(value) = value {
                        if self.metadata_values.len() < self.capacity / 2 {
                            self.metadata_values.push((id, value));
                        } else {
                            self.reached_limit = true;
                        }
                    }
                }
                NODE | DISTINCT_NODE if self.cursor.operands().len() <= MAX_NODE_ELEMENTS => {
                    let mut elements = [Element::Nothing; MAX_NODE_ELEMENTS];
                    for (element, &operand) in elements.iter_mut().zip(self.cursor.operands()) {
                        // Numbers are one too high; zero stands for no metadata.
                        if let Some(id) = operand.checked_sub(1).and_then(|id| u32::try_from(id).ok()) {
                            *element = Element::Metadata(id);
                        }
                    }
                    self.node_record(id, elements);
                }
                // Pairs of a type and a number, which is one of metadata if the type is.
                OLD_NODE if self.cursor.operands().len() <= MAX_NODE_ELEMENTS * 2 => {
                    let mut elements = [Element::Nothing; MAX_NODE_ELEMENTS];
                    for (element, pair) in elements.iter_mut().zip(self.cursor.operands().chunks_exact(2)) {
                        let number = u32::try_from(pair[1]).unwrap_or(u32::MAX);
                        let is_metadata = self.metadata_type == Some(pair[0]);
                        *element = if is_metadata { Element::Metadata(number) } else { Element::Value(number) };
                    }
                    self.node_record(id, elements);
                }
                _ => {}
            }
            self.metadata_ids = self.metadata_ids.saturating_add(1);
        }
    }

    fn node_record(&mut self, id: u32, elements: [Element; MAX_NODE_ELEMENTS]) {
        if self.nodes.len() < self.capacity / 4 {
            self.nodes.push(Node { id, elements });
        } else {
            self.reached_limit = true;
        }
    }

    fn metadata_strings(&mut self) {
        let count = self.cursor.operand(0).and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
        let blob = self.cursor.blob();
        let split = self.cursor.operand(1).and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0);
        // Each length takes at least six bits; a count beyond that is a lie.
        let count = count.min((blob.len() as u64 * 8 / 6).min(u64::from(u32::MAX)) as u32);
        if let Some((lengths, characters)) = blob.split_at_checked(split)
            && self.strings.len() < 64
        {
            self.strings.push(StringRun { first_id: self.metadata_ids, count, lengths, characters });
        } else {
            self.reached_limit = true;
        }
        self.metadata_ids = self.metadata_ids.saturating_add(count);
    }

    fn string_from(&self, start: usize) -> String {
        bytes::short_text(&self.cursor.text(start))
    }

    fn resolve_symbols(&mut self, module: &mut Module<'a>, problems: &mut Problems) {
        self.names.sort_by_key(|(value, _)| *value);
        let mut unnamed = 0;
        for symbol in std::mem::take(&mut self.symbols) {
            let name = if self.version >= 2 {
                bytes::range(self.string_table, symbol.name.0, symbol.name.1).map(Cow::Borrowed)
            } else {
                let index = self.names.binary_search_by_key(&symbol.value, |(value, _)| *value).ok();
                index.map(|index| Cow::Owned(std::mem::take(&mut self.names[index].1)))
            };
            unnamed += usize::from(name.is_none());
            module.symbols.push(Symbol {
                name: name.unwrap_or_default(),
                kind: symbol.kind,
                is_definition: symbol.is_definition,
                linkage: symbol.linkage,
            });
        }
        // Version 1 leaves names out of values that have none; version 2 gives every value a range.
        if unnamed > 0 && self.version >= 2 {
            problems.add(
                ProblemKind::OutOfRange,
                self.base,
                format!("{unnamed} symbols have names outside the string table"),
            );
        }
    }

    fn resolve_metadata(&mut self, module: &mut Module<'a>) {
        for (name, ids) in std::mem::take(&mut self.named) {
            match name {
                Named::AirVersion => {
                    let node = ids.first().and_then(|&id| self.node(id));
                    module.air_version = node.and_then(|node| self.version_at(node, 0));
                }
                Named::LanguageVersion => {
                    let node = ids.first().and_then(|&id| self.node(id));
                    module.language = node.and_then(|node| {
                        Some(ModuleLanguage {
                            name: self.string_element(node, 0)?,
                            version: self.version_at(node, 1)?,
                            patch: self.integer_element(node, 3).unwrap_or(0),
                        })
                    });
                }
                Named::CompileOptions => module.compile_options = self.first_strings(&ids),
                Named::Ident => {
                    module.ident = self.first_strings(&ids);
                    module.ident.dedup();
                }
                Named::SourceFileName => module.air_source_file_name = self.first_strings(&ids).into_iter().next(),
            }
        }
    }

    fn node(&self, id: u32) -> Option<&Node> {
        let index = self.nodes.binary_search_by_key(&id, |node| node.id).ok()?;
        self.nodes.get(index)
    }

    fn first_strings(&self, ids: &[u32]) -> Vec<String> {
        ids.iter().filter_map(|&id| self.node(id).and_then(|node| self.string_element(node, 0))).collect()
    }

    fn version_at(&self, node: &Node, index: usize) -> Option<Version> {
        Some(Version::new(self.integer_element(node, index)?, self.integer_element(node, index + 1)?))
    }

    fn integer_element(&self, node: &Node, index: usize) -> Option<u32> {
        let value = match *node.elements.get(index)? {
            Element::Nothing => return None,
            Element::Value(value) => value,
            Element::Metadata(id) => {
                let index = self.metadata_values.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                self.metadata_values.get(index)?.1
            }
        };
        let index = self.integers.binary_search_by_key(&value, |(value, _)| *value).ok()?;
        u32::try_from(self.integers.get(index)?.1).ok()
    }

    fn string_element(&self, node: &Node, index: usize) -> Option<String> {
        let Element::Metadata(id) = *node.elements.get(index)? else { return None };
        if let Ok(index) = self.old_strings.binary_search_by_key(&id, |(id, _)| *id) {
            return Some(bytes::short_text(&self.old_strings.get(index)?.1));
        }
        let run = self.strings.iter().find(|run| id.checked_sub(run.first_id).is_some_and(|at| at < run.count))?;
        // The lengths in front have to be read to find a string. A module needs a few strings; reading to the end of a
        // very long list for each of them is not honest.
        let index = id - run.first_id;
        let steps = self.string_steps.get().checked_sub(u64::from(index))?;
        self.string_steps.set(steps);
        run.string(index)
    }
}

impl StringRun<'_> {
    fn string(&self, index: u32) -> Option<String> {
        let mut bit = 0u64;
        let mut start = 0u64;
        for _ in 0..index {
            start = start.checked_add(vbr6(self.lengths, &mut bit)?)?;
        }
        let size = vbr6(self.lengths, &mut bit)?;
        bytes::range(self.characters, start, size).map(bytes::short_text)
    }
}

/// Reads a variable-width number in chunks of six bits.
fn vbr6(bytes: &[u8], bit: &mut u64) -> Option<u64> {
    let mut value = 0u64;
    let mut shift = 0;
    loop {
        let at = (*bit / 8) as usize;
        let low = u16::from(*bytes.get(at)?) | u16::from(bytes.get(at + 1).copied().unwrap_or(0)) << 8;
        let chunk = u64::from(low >> (*bit % 8)) & 0x3F;
        *bit += 6;
        if shift < 64 {
            value |= (chunk & 0x1F) << shift;
        }
        if chunk & 0x20 == 0 {
            return Some(value);
        }
        shift = (shift + 5).min(64);
    }
}

/// Decodes an integer constant: the lowest bit is the sign.
fn signed(raw: u64) -> i64 {
    let magnitude = (raw >> 1) as i64;
    if raw & 1 == 0 { magnitude } else { magnitude.wrapping_neg() }
}

/// The linkage codes of LLVM's bitcode writer, old ones included.
fn linkage_from_code(code: u64) -> Linkage {
    match code {
        2 => Linkage::Appending,
        3 | 9 | 13 | 14 => Linkage::Local,
        1 | 4 | 7 | 8 | 10 | 11 | 12 | 16..=19 => Linkage::Weak,
        _ => Linkage::External,
    }
}
