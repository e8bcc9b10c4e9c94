//! No input makes a reader panic, run long or allocate more than a small multiple of its size.
//!
//! Every truncation and many mutations of small files go through everything that the crate offers. The peak of
//! allocated memory is measured by the allocator; running time shows as a test that does not end.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use msl_metallib::forge::{
    ArchiveDialect, BitWriter, ForgedFunction, ForgedLibrary, ForgedModule, ForgedSymbol, archive, fat, thin_archive,
};
use msl_metallib::{
    Module, ModuleEvidence, Options, check_consistency, judge, key_across_boundary, read, read_bitcode, read_text,
    summarize,
};
use proptest::prelude::*;
use proptest::test_runner::Config;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// Counts the live bytes of each thread.
struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.get() + layout.size();
        LIVE.set(live);
        PEAK.set(PEAK.get().max(live));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get().saturating_sub(layout.size()));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes that may be allocated at a time for each byte of input, and for no input at all.
const BYTES_FOR_EACH: usize = 24;
const BYTES_FOR_NONE: usize = 1 << 20;

/// Reads everything there is to read and checks the peak of memory.
fn exhaust(bytes: &[u8]) {
    let before = LIVE.get();
    PEAK.set(before);
    let container = read(bytes, &Options::default());
    for leaf in container.leaves() {
        if let Some(library) = leaf.container.library() {
            let summary = summarize(library);
            assert!(summary.found <= summary.declared);
            for function in library.functions() {
                library.source_reference(&function);
                function.name_lossy();
            }
            let sources = library.embedded_sources();
            for function in library.functions() {
                sources.as_ref().and_then(|sources| sources.archive_of(&function));
            }
            library.extension.exported_variables(library.bytes()).for_each(drop);
            library.extension.imported_symbols(library.bytes()).for_each(drop);
            let list = library.modules();
            for range in &list.modules {
                let module = range.read();
                judge_all(&module);
                range.sha256();
                for function in library.functions().take(4) {
                    check_consistency(Some(&function), &module);
                }
            }
        }
        if let Some(module) = leaf.container.module() {
            judge_all(&module);
        }
    }
    // The readers of modules must stand any bytes, not only those that look like a module.
    judge_all(&read_bitcode(bytes));
    judge_all(&read_text(bytes));
    let peak = PEAK.get() - before;
    assert!(peak <= BYTES_FOR_NONE + bytes.len() * BYTES_FOR_EACH, "{peak} bytes for {} bytes of input", bytes.len());
}

fn judge_all(module: &Module<'_>) {
    judge(None, Some(&ModuleEvidence::of(module)));
    for symbol in &module.symbols {
        symbol.decorations().for_each(drop);
        assert!(key_across_boundary(&symbol.name).len() <= symbol.name.len() + 2);
    }
}

fn module(minor: u32) -> ForgedModule {
    ForgedModule::apple(4, minor)
        .with_symbols(&[ForgedSymbol::definition("_Z1fPU9MTLthreadf"), ForgedSymbol::declaration("_Z1gv")])
}

/// One small file of each kind.
fn seeds() -> Vec<Vec<u8>> {
    let function = |name: &str, minor: u32| {
        let mut function = ForgedFunction::kernel(name, [2, 8 + minor as u16, 4, minor as u16], module(minor).build());
        function.source = Some(("/a/b.metal".to_owned(), 3));
        function
    };
    let mut library = ForgedLibrary::new(vec![function("one", 0), function("two", 1)]);
    let plain = library.build();
    library.install_name = Some("lib".to_owned());
    library.linked_libraries = vec!["other".to_owned()];
    library.imported_symbols = vec!["_Z1gv".to_owned()];
    library.link_command = Some(("air-lld".to_owned(), "/dir".to_owned()));
    library.file_type = 2;
    let dynamic = library.build();
    let air = module(1).build();
    let mut raw = module(0);
    raw.is_wrapped = false;
    vec![
        archive(ArchiveDialect::Bsd, &[("a.air", &air), ("b.metallib", &plain)]),
        archive(ArchiveDialect::Gnu, &[("a rather long name.air", &air), ("b.air", &air)]),
        thin_archive(&[("a.air", 10)]),
        fat(0xCBFE_BABE, &[(0x0100_0017, 12, &plain), (0x0100_0013, 1, &[&b"\xCF\xFA\xED\xFE"[..], &plain].concat())]),
        [b"data before", &plain[..], b"data after"].concat(),
        raw.build(),
        include_bytes!("data/both_forms.ll").to_vec(),
        include_bytes!("data/both_forms.bc").to_vec(),
        air,
        plain,
        dynamic,
    ]
}

#[test]
fn every_truncation() {
    for seed in seeds() {
        for length in 0..=seed.len() {
            exhaust(&seed[..length]);
        }
    }
}

#[test]
fn every_byte_set_to_an_extreme() {
    for mut seed in seeds() {
        for index in 0..seed.len() {
            let original = seed[index];
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                seed[index] = value;
                exhaust(&seed);
            }
            seed[index] = original;
        }
    }
}

#[derive(Clone, Debug)]
enum Mutation {
    Set(prop::sample::Index, u8),
    Word(prop::sample::Index, u32),
    Cut(prop::sample::Index),
    Insert(prop::sample::Index, Vec<u8>),
    Copy(prop::sample::Index, prop::sample::Index, usize),
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        match self {
            Mutation::Set(at, value) => bytes[at.index(length)] = *value,
            Mutation::Word(at, value) => {
                for (to, from) in bytes[at.index(length)..].iter_mut().zip(value.to_le_bytes()) {
                    *to = from;
                }
            }
            Mutation::Cut(at) => bytes.truncate(at.index(length)),
            Mutation::Insert(at, inserted) => {
                let at = at.index(length);
                bytes.splice(at..at, inserted.iter().copied());
            }
            Mutation::Copy(from, to, size) => {
                let (from, to) = (from.index(length), to.index(length));
                let size = (*size).min(length - from).min(length - to);
                bytes.copy_within(from..from + size, to);
            }
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<prop::sample::Index>;
    let word = prop_oneof![Just(0), Just(u32::MAX), Just(1 << 31), 0u32..4096, any::<u32>()];
    prop_oneof![
        6 => (at(), any::<u8>()).prop_map(|(at, value)| Mutation::Set(at, value)),
        3 => (at(), word).prop_map(|(at, value)| Mutation::Word(at, value)),
        1 => at().prop_map(Mutation::Cut),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..16)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        1 => (at(), at(), 1usize..64).prop_map(|(from, to, size)| Mutation::Copy(from, to, size)),
    ]
}

/// How many random cases a property runs. `PROPTEST_CASES` sets another number.
fn cases() -> Config {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    // Failures are reproduced by the printed input; files beside the tests would only collect.
    Config { cases, failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn mutated_files(seed in prop::sample::select(seeds()), mutations in prop::collection::vec(mutation(), 1..12)) {
        let mut bytes = seed;
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        exhaust(&bytes);
    }

    #[test]
    fn random_bytes_behind_each_magic(
        magic in prop::sample::select(vec![
            &b""[..], b"MTLB\x01\x80\x02\0\x09\0", b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B", b"!<arch>\n", b"\xCB\xFE\xBA\xBE\0\0\0\x02",
            b"target triple = \"", b"\xCF\xFA\xED\xFE",
        ]),
        tail in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        exhaust(&[magic, &tail].concat());
    }
}

/// A stream of a module block that `write` fills.
fn in_module(write: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    let mut writer = BitWriter::bitcode();
    writer.enter(8, 3);
    writer.record(1, &[2]);
    write(&mut writer);
    writer.end();
    writer.finish()
}

/// Defines an abbreviation whose operands are all literals, so that its records take no bits but their id.
fn literal_abbreviation(writer: &mut BitWriter, operands: &[u64]) {
    writer.id(2);
    writer.vbr(operands.len() as u64, 5);
    for &operand in operands {
        writer.fixed(1, 1);
        writer.vbr(operand, 8);
    }
}

#[test]
fn records_that_take_no_bits() {
    // Global values, at three bits each.
    exhaust(&in_module(|writer| {
        literal_abbreviation(writer, &[8, 0, 0, 0, 0, 0, 0, 0, 0]);
        (0..400_000).for_each(|_| writer.id(4));
    }));
    // Constants, and metadata of each kind that is kept.
    for (block, records) in [(11, vec![vec![4, 2]]), (15, vec![vec![2, 0, 1], vec![3, 1, 1, 1, 1], vec![1, 65, 66]])] {
        for record in records {
            exhaust(&in_module(|writer| {
                writer.enter(block, 3);
                literal_abbreviation(writer, &record);
                (0..400_000).for_each(|_| writer.id(4));
                writer.end();
            }));
        }
    }
    // Names of the old form.
    exhaust(&in_module(|writer| {
        writer.record(1, &[1]);
        writer.enter(14, 3);
        literal_abbreviation(writer, &[&[1, 0][..], &[65; 200]].concat());
        (0..100_000).for_each(|_| writer.id(4));
        writer.end();
    }));
    // Abbreviations.
    exhaust(&in_module(|writer| (0..100_000).for_each(|_| literal_abbreviation(writer, &[]))));
    exhaust(&in_module(|writer| (0..2_000).for_each(|_| literal_abbreviation(writer, &[7; 200]))));
}

#[test]
fn strings_of_metadata_that_are_asked_for_again_and_again() {
    // Many named nodes that all ask for the last of very many strings.
    exhaust(&in_module(|writer| {
        writer.enter(15, 4);
        writer.define_blob_abbreviation(35, 2);
        writer.blob_record(4, &[300_000, 225_000], &vec![0; 300_000]);
        writer.record(3, &[300_000]);
        for _ in 0..1000 {
            writer.text_record(4, &[], "air.compile_options");
            writer.record(10, &vec![300_000; 300]);
        }
        writer.end();
    }));
}

/// A library of many functions that share something big.
fn many_functions(count: usize, tags: &[u8]) -> Vec<u8> {
    let mut bytes = ForgedLibrary::new(Vec::new()).build();
    let mut list = (count as u32).to_le_bytes().to_vec();
    for _ in 0..count {
        list.extend((tags.len() as u32 + 8).to_le_bytes());
        list.extend(tags);
        list.extend(b"ENDT");
    }
    let offset = bytes.len();
    bytes.extend(&list);
    // A long path without an end as private metadata, and the same bytes as bitcode.
    let private = bytes.len();
    bytes.extend(u32::MAX.to_le_bytes());
    while bytes.len() < private + 200_000 {
        bytes.extend(b"DEBI\xFF\xFF\x01\0\0\0");
        bytes.resize(bytes.len() + 65_531, b'x');
    }
    let length = bytes.len();
    for (at, value) in [
        (16, length),
        (24, offset),
        (32, list.len() - 4),
        (56, private),
        (64, length - private),
        (72, private),
        (80, length - private),
    ] {
        bytes[at..at + 8].copy_from_slice(&(value as u64).to_le_bytes());
    }
    bytes
}

#[test]
fn functions_that_share_something_big() {
    let mut tags = b"OFFT\x18\0".to_vec();
    tags.extend([0; 24]);
    tags.extend(b"MDSZ\x08\0");
    tags.extend(200_000u64.to_le_bytes());
    exhaust(&many_functions(20_000, &tags));
    exhaust(&many_functions(100_000, b""));
    // Modules that overlap each other, each nearly the whole section.
    let mut bytes = many_functions(5_000, &tags);
    let mut index = 0u64;
    let mut at = 0;
    while let Some(found) = bytes[at..].windows(4).position(|window| window == b"OFFT") {
        at += found + 6 + 16;
        bytes[at..at + 8].copy_from_slice(&index.to_le_bytes());
        index += 1;
        at += 8;
    }
    exhaust(&bytes);
}

#[test]
fn headers_everywhere() {
    // The start of a library at every 24th byte, each claiming to reach to the end.
    let mut bytes = vec![b' '; 400_000];
    let length = bytes.len();
    let mut at = 8;
    while at + 96 < length {
        bytes[at..at + 10].copy_from_slice(b"MTLB\x01\x80\x02\0\x09\0");
        bytes[at + 16..at + 24].copy_from_slice(&((length - at) as u64).to_le_bytes());
        at += 24;
    }
    exhaust(&bytes);
    // Magic numbers of archives and empty members.
    let member: (&str, &[u8]) = ("x", b"!<arch>\n");
    exhaust(&archive(ArchiveDialect::Gnu, &vec![member; 5_000]));
    // Members that all refer to one very long name.
    let name = "n".repeat(1_000_000);
    let mut bytes = archive(ArchiveDialect::Gnu, &[(&name, b"")]);
    let header = bytes[bytes.len() - 60..].to_vec();
    (0..50_000).for_each(|_| bytes.extend(&header));
    exhaust(&bytes);
}
