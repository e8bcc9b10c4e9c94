//! Builds modules of AIR bitcode.

use super::BitWriter;

/// A global value of a forged module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgedSymbol {
    pub name: String,
    /// Whether the module holds the body.
    pub is_definition: bool,
    /// The linkage code of LLVM's bitcode: 0 external, 3 internal.
    pub linkage: u64,
}

impl ForgedSymbol {
    pub fn definition(name: &str) -> ForgedSymbol {
        ForgedSymbol { name: name.to_owned(), is_definition: true, linkage: 0 }
    }

    pub fn declaration(name: &str) -> ForgedSymbol {
        ForgedSymbol { name: name.to_owned(), is_definition: false, linkage: 0 }
    }
}

/// A module to be built. Every field may be changed to make a contradictory or foreign module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgedModule {
    pub triple: String,
    pub source_file_name: String,
    pub identification: String,
    pub ident: String,
    /// `air.version`, left out if `None`.
    pub air: Option<(u32, u32)>,
    /// The name and version in `air.language_version`, left out if `None`.
    pub language: Option<(String, u32, u32)>,
    pub compile_options: Vec<String>,
    pub air_source_file_name: Option<String>,
    pub symbols: Vec<ForgedSymbol>,
    /// Whether to write the Darwin wrapper and its padding.
    pub is_wrapped: bool,
}

impl ForgedModule {
    /// A module as Apple's compiler would write it for a language version, with the AIR and the target that belong to
    /// that version.
    pub fn apple(major: u32, minor: u32) -> ForgedModule {
        let (air, os) = match (major, minor) {
            (..3, minor) => (minor, minor + 8),
            (3, minor) => (minor + 5, minor + 13),
            (4, 0) => (8, 26),
            _ => (9, 27),
        };
        ForgedModule {
            triple: format!("air64_v{}-apple-macosx{os}.0.0", 20 + air),
            source_file_name: "forged".to_owned(),
            identification: String::new(),
            ident: "Apple metal version 32023.921 (metalfe-32023.921.6)".to_owned(),
            air: Some((2, air)),
            language: Some(("Metal".to_owned(), major, minor)),
            compile_options: vec!["air.compile.denorms_disable".to_owned(), "air.compile.fast_math_enable".to_owned()],
            air_source_file_name: None,
            symbols: Vec::new(),
            is_wrapped: true,
        }
    }

    pub fn with_symbols(mut self, symbols: &[ForgedSymbol]) -> ForgedModule {
        self.symbols = symbols.to_vec();
        self
    }

    /// The bytes of the module.
    pub fn build(&self) -> Vec<u8> {
        let bitcode = self.bitcode();
        if !self.is_wrapped {
            return bitcode;
        }
        let mut bytes = Vec::new();
        for field in [0x0B17_C0DE, 0, 20, bitcode.len() as u32, 0xFFFF_FFFF] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(bitcode);
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        bytes
    }

    fn bitcode(&self) -> Vec<u8> {
        let mut writer = BitWriter::bitcode();
        // IDENTIFICATION: string and epoch.
        writer.enter(13, 5);
        writer.text_record(1, &[], &self.identification);
        writer.record(2, &[0]);
        writer.end();

        // MODULE, version 2.
        writer.enter(8, 3);
        writer.record(1, &[2]);
        writer.text_record(2, &[], &self.triple);
        writer.text_record(16, &[], &self.source_file_name);
        let mut names = String::new();
        for symbol in &self.symbols {
            let place = [names.len() as u64, symbol.name.len() as u64];
            let is_prototype = u64::from(!symbol.is_definition);
            writer.record(8, &[place[0], place[1], 0, 0, is_prototype, symbol.linkage, 0, 0, 0, 0, 0]);
            names.push_str(&symbol.name);
        }
        self.metadata(&mut writer);
        writer.end();

        // STRTAB.
        writer.enter(23, 3);
        writer.define_blob_abbreviation(1, 0);
        writer.blob_record(4, &[], names.as_bytes());
        writer.end();
        writer.finish()
    }

    /// Constants and metadata: strings first, then one value for each number, then the nodes.
    fn metadata(&self, writer: &mut BitWriter) {
        let mut numbers: Vec<u32> = Vec::new();
        let mut strings: Vec<&str> = Vec::new();
        // Each node is a list of elements: a string or a number.
        enum Element<'a> {
            Text(&'a str),
            Number(u32),
        }
        let mut nodes: Vec<(&str, Vec<Element<'_>>)> = Vec::new();
        nodes.push(("llvm.ident", vec![Element::Text(&self.ident)]));
        if let Some((major, minor)) = self.air {
            nodes.push(("air.version", [major, minor, 0].map(Element::Number).into()));
        }
        if let Some((name, major, minor)) = &self.language {
            let version = [*major, *minor, 0].map(Element::Number);
            nodes.push(("air.language_version", [Element::Text(name)].into_iter().chain(version).collect()));
        }
        for option in &self.compile_options {
            nodes.push(("air.compile_options", vec![Element::Text(option)]));
        }
        if let Some(name) = &self.air_source_file_name {
            nodes.push(("air.source_file_name", vec![Element::Text(name)]));
        }
        for (_, elements) in &nodes {
            for element in elements {
                match element {
                    Element::Text(text) => strings.push(text),
                    Element::Number(number) if !numbers.contains(number) => numbers.push(*number),
                    Element::Number(_) => {}
                }
            }
        }

        // CONSTANTS: one type, then the numbers. The sign is the lowest bit.
        writer.enter(11, 4);
        writer.record(1, &[0]);
        for &number in &numbers {
            match number {
                0 => writer.record(2, &[]),
                number => writer.record(4, &[u64::from(number) << 1]),
            }
        }
        writer.end();

        // METADATA.
        writer.enter(15, 4);
        let mut lengths = BitWriter::default();
        for text in &strings {
            lengths.vbr(text.len() as u64, 6);
        }
        let mut blob = lengths.finish();
        let characters = blob.len() as u64;
        blob.extend(strings.concat().bytes());
        writer.define_blob_abbreviation(35, 2);
        writer.blob_record(4, &[strings.len() as u64, characters], &blob);
        let first_value = self.symbols.len() as u64;
        for index in 0..numbers.len() as u64 {
            writer.record(2, &[0, first_value + index]);
        }
        let mut next_string = 0;
        for (_, elements) in &nodes {
            let operands: Vec<u64> = elements
                .iter()
                .map(|element| match element {
                    Element::Text(_) => {
                        next_string += 1;
                        next_string
                    }
                    Element::Number(number) => {
                        let index = numbers.iter().position(|known| known == number).unwrap_or(0);
                        (strings.len() + index) as u64 + 1
                    }
                })
                .collect();
            writer.record(3, &operands);
        }
        let first_node = (strings.len() + numbers.len()) as u64;
        let mut index = 0;
        while let Some((name, _)) = nodes.get(index) {
            let count = nodes[index..].iter().take_while(|(other, _)| other == name).count();
            writer.text_record(4, &[], name);
            let ids: Vec<u64> = (0..count).map(|offset| first_node + (index + offset) as u64).collect();
            writer.record(10, &ids);
            index += count;
        }
        writer.end();
    }
}
