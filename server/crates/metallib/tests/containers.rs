//! Telling files apart, and opening those that hold others.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use msl_metallib::forge::{
    ArchiveDialect, ForgedFunction, ForgedLibrary, ForgedModule, ForgedSymbol, archive, fat, thin_archive,
};
use msl_metallib::{Container, Kind, Options, Problems, read, sniff, summarize};

const GPU_FAT: u32 = 0xCBFE_BABE;
const MACH_O_FAT: u32 = 0xCAFE_BABE;

fn library(minor: u16) -> Vec<u8> {
    let module = ForgedModule::apple(4, minor.into()).build();
    ForgedLibrary::new(vec![ForgedFunction::kernel("k", [2, 8 + minor, 4, minor], module)]).build()
}

fn module(minor: u32) -> Vec<u8> {
    ForgedModule::apple(4, minor).with_symbols(&[ForgedSymbol::definition("_Z1fv")]).build()
}

fn check(bytes: &[u8], expected: Expect) {
    let container = read(bytes, &Options::default());
    let mut out = String::new();
    writeln!(out, "{}", container.kind.as_str()).unwrap();
    for leaf in container.leaves() {
        let place = if leaf.path.is_empty() { "itself".to_owned() } else { leaf.path.join(" > ") };
        write!(out, "{place} @{} {}", leaf.offset, leaf.container.kind.as_str()).unwrap();
        if let Some(library) = leaf.container.library() {
            for (versions, count) in summarize(library).by_version {
                write!(out, ", {count} × {}", versions.unwrap()).unwrap();
            }
        }
        if let Some(module) = leaf.container.module() {
            write!(out, ", MSL {}", module.language.unwrap().version).unwrap();
        }
        out.push('\n');
    }
    print_problems(&container, &mut out);
    expected.assert_eq(&out);
}

fn print_problems(container: &Container<'_>, out: &mut String) {
    let print = |problems: &Problems, out: &mut String| {
        for problem in problems {
            writeln!(out, "{problem}").unwrap();
        }
    };
    print(&container.problems, out);
    if let Some(library) = container.library() {
        print(&library.problems, out);
    }
    for part in container.parts() {
        print_problems(&part.container, out);
    }
}

#[test]
fn kinds_are_told_by_contents() {
    let cases: [(&[u8], Kind); 19] = [
        (&library(0), Kind::Library),
        (b"MTLB", Kind::Library),
        (b"MTLBuffer and more of a class name", Kind::Other),
        (&module(0), Kind::WrappedBitcode),
        (b"BC\xC0\xDE", Kind::RawBitcode),
        (b"!<arch>\n", Kind::Archive),
        (b"!<thin>\n", Kind::ThinArchive),
        (&fat(GPU_FAT, &[(0x0100_0017, 12, b"x")]), Kind::Fat),
        (&fat(MACH_O_FAT, &[(0x0100_000C, 0, b"x")]), Kind::Fat),
        // A Java class: the count of slices would be the class file's version, 52.
        (&[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52], Kind::Other),
        (&[0xCF, 0xFA, 0xED, 0xFE], Kind::MachO),
        (b"; ModuleID = 'x'\nsource_filename = \"x\"\n", Kind::LlvmAssembly),
        (b"; a comment\n\ntarget triple = \"air64-apple-macosx14.0.0\"\n", Kind::LlvmAssembly),
        (b"define void @f() {\n}\n!llvm.ident = !{!0}\n", Kind::LlvmAssembly),
        (b"define void @f() {\n}\n", Kind::Other),
        (b"#include <metal_stdlib>\n", Kind::Other),
        (b"@implementation Foo\n!air.version\n", Kind::Other),
        (b"target: prerequisite\n", Kind::Other),
        (b"", Kind::Other),
    ];
    for (bytes, kind) in cases {
        assert_eq!(sniff(bytes), kind, "{:?}", String::from_utf8_lossy(&bytes[..bytes.len().min(60)]));
    }
}

#[test]
fn archives_of_both_dialects() {
    let (old, new) = (module(0), module(1));
    let members = [("old.air", &old[..]), ("a rather long name.air", &new[..])];
    for dialect in [ArchiveDialect::Bsd, ArchiveDialect::Gnu] {
        let bytes = archive(dialect, &members);
        let container = read(&bytes, &Options::default());
        let names: Vec<_> = container.parts().iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["old.air", "a rather long name.air"]);
        assert!(container.parts().iter().all(|part| bytes[part.offset as usize..].starts_with(part.container.bytes)));
        assert!(container.problems.is_empty());
    }
    check(
        &archive(ArchiveDialect::Gnu, &members),
        expect![[r#"
            archive
            old.air @216 AIR bitcode, MSL 4.0
            a rather long name.air @724 AIR bitcode, MSL 4.1
        "#]],
    );
}

#[test]
fn thin_archives_name_their_members() {
    let bytes = thin_archive(&[("old.air", 1000), ("sub/new.air", 7)]);
    let container = read(&bytes, &Options::default());
    let names: Vec<_> = container.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!((container.kind, &names[..]), (Kind::ThinArchive, &["old.air", "sub/new.air"][..]));
    check(
        &bytes,
        expect![[r#"
            thin archive
            unsupported at byte 0: a thin archive only names its members
        "#]],
    );
}

#[test]
fn slices_of_a_universal_file() {
    let gpu = [b"\xCF\xFA\xED\xFE machine code ", &library(0)[..], b" more"].concat();
    let bytes = fat(GPU_FAT, &[(0x0100_0017, 13, &library(1)), (0x0100_0013, 0x212, &gpu)]);
    check(
        &bytes,
        expect![[r#"
            universal file
            air64_v29 @48 Metal library, 1 × AIR 2.9, MSL 4.1
            applegpu (subtype 0x212) > metallib at byte 18 @754 Metal library, 1 × AIR 2.8, MSL 4.0
        "#]],
    );
}

#[test]
fn slices_that_overlap_or_leave_the_file() {
    let mut bytes = fat(GPU_FAT, &[(0x0100_0017, 12, &library(0)), (0x0100_0017, 13, &library(1))]);
    // The second slice now starts where the first does, and a third is far away.
    let first: [u8; 8] = bytes[16..24].try_into().unwrap();
    bytes[36..44].copy_from_slice(&first);
    bytes[7] = 3;
    check(
        &bytes,
        expect![[r#"
            universal file
            air64_v28 @48 Metal library, 1 × AIR 2.8, MSL 4.0
            malformed at byte 28: slice 1 overlaps another slice
            out-of-range at byte 48: slice 2 reaches past the end of the file
        "#]],
    );
}

#[test]
fn libraries_among_other_data() {
    let mut bytes = b"\x7FELF some program MTLBuffer MTLB\0\0\0\0 ".to_vec();
    bytes.extend(library(0));
    bytes.extend(b"between");
    bytes.extend(library(1));
    // Cut off: does not count.
    bytes.extend(&library(1)[..200]);
    check(
        &bytes,
        expect![[r#"
            other file
            metallib at byte 37 @37 Metal library, 1 × AIR 2.8, MSL 4.0
            metallib at byte 707 @707 Metal library, 1 × AIR 2.9, MSL 4.1
        "#]],
    );
    let options = Options { search_other_files: false, ..Options::default() };
    assert!(read(&bytes, &options).leaves().is_empty());
}

#[test]
fn nesting_has_an_end() {
    let mut bytes = module(0);
    for _ in 0..8 {
        bytes = archive(ArchiveDialect::Bsd, &[("inner.a", &bytes)]);
    }
    let mut container = &read(&bytes, &Options::default());
    let mut depth = 0;
    while let [part] = container.parts() {
        container = &part.container;
        depth += 1;
    }
    assert_eq!((depth, container.problems.list()[0].message.as_str()), (4, "containers nest too deep"));
}

#[test]
fn parts_have_a_limit() {
    let members: Vec<(String, Vec<u8>)> = (0..20).map(|index| (format!("{index}.air"), module(0))).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (&name[..], &bytes[..])).collect();
    let options = Options { max_parts: 10, ..Options::default() };
    let bytes = archive(ArchiveDialect::Bsd, &members);
    let container = read(&bytes, &options);
    assert_eq!(container.parts().len(), 10);
    assert_eq!(container.problems.list()[0].message, "the archive has more members than are read");
}

#[test]
fn a_library_with_more_or_less_than_it_states() {
    let mut long = library(0);
    long.extend(b"tail");
    check(
        &long,
        expect![[r#"
            Metal library
            itself @0 Metal library, 1 × AIR 2.8, MSL 4.0
            inconsistent at byte 16: 4 bytes follow the end that the header states
        "#]],
    );
    let whole = library(0);
    check(
        &whole[..whole.len() - 8],
        expect![[r#"
            Metal library
            itself @0 Metal library, 1 × AIR 2.8, MSL 4.0
            truncated at byte 16: the header states 663 bytes, the file has 655
            out-of-range at byte 72: the bitcode reaches outside the file
        "#]],
    );
}
