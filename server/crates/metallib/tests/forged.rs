//! Readers against binaries that the forge builds: both sides of 4.1, dynamic libraries, contradictions.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use msl_metallib::forge::{ForgedFunction, ForgedLibrary, ForgedModule, ForgedSymbol};
use msl_metallib::{
    HashCheck, Kind, ModuleEvidence, Options, Producer, Side, Version, check_consistency, judge, read, read_bitcode,
    read_library, summarize,
};

/// Renders everything that is known about a library.
fn render(bytes: &[u8]) -> String {
    let library = read_library(bytes);
    let mut out = String::new();
    let header = library.header.expect("a forged library has a header");
    let platform = header.platform.name().unwrap_or("?");
    writeln!(out, "{} {} {platform} {}", header.version, header.file_type, header.deployment_target).unwrap();
    if let Some(dynamic) = &library.extension.dynamic_header {
        writeln!(out, "name {:?} linked {:?}", dynamic.name, dynamic.linked_libraries).unwrap();
    }
    for symbol in library.extension.imported_symbols(library.bytes()) {
        writeln!(out, "import list: {}", symbol.name_lossy()).unwrap();
    }
    if let Some(sources) = library.embedded_sources() {
        writeln!(out, "linked by {:?} in {:?}", sources.link_command, sources.working_directory).unwrap();
    }
    let summary = summarize(&library);
    for (versions, count) in &summary.by_version {
        let versions = versions.map_or("no version".to_owned(), |versions| versions.to_string());
        writeln!(out, "{count} × {versions}").unwrap();
    }
    if summary.is_mixed() {
        writeln!(out, "mixed").unwrap();
    }
    let functions: Vec<_> = library.functions().collect();
    let list = library.modules();
    for range in &list.modules {
        let module = range.read();
        let evidence = ModuleEvidence::of(&module);
        for &index in list.functions_of(range) {
            let function = &functions[index as usize];
            let verdict = judge(function.versions, Some(&evidence));
            writeln!(out, "{} {}: {}", function.kind.unwrap(), function.name_lossy(), verdict.side.as_str()).unwrap();
            for fact in &verdict.evidence {
                writeln!(out, "  because {fact}").unwrap();
            }
            if let Some((path, line)) = library.source_reference(function).and_then(|reference| reference.source) {
                writeln!(out, "  from {path}:{line}").unwrap();
            }
            for problem in &check_consistency(Some(function), &module) {
                writeln!(out, "  {}: {}", problem.kind.as_str(), problem.message).unwrap();
            }
            if library.check_hash(function) != HashCheck::Matches {
                writeln!(out, "  hash {:?}", library.check_hash(function)).unwrap();
            }
        }
        for symbol in module.exports() {
            writeln!(out, "  exports {}", symbol.name_lossy()).unwrap();
        }
        for symbol in module.imports() {
            writeln!(out, "  imports {}", symbol.name_lossy()).unwrap();
        }
        for problem in &module.problems {
            writeln!(out, "  {problem}").unwrap();
        }
    }
    for problem in library.problems.iter().chain(&summary.problems).chain(&list.problems) {
        writeln!(out, "{problem}").unwrap();
    }
    out
}

fn check(library: &ForgedLibrary, expected: Expect) {
    expected.assert_eq(&render(&library.build()));
}

fn kernel_of(major: u16, minor: u16) -> ForgedFunction {
    let module = ForgedModule::apple(major.into(), minor.into());
    let air = module.air.unwrap_or_default();
    let name = format!("k{major}{minor}");
    let module = module.with_symbols(&[ForgedSymbol::definition(&name), ForgedSymbol::declaration("air.wg.barrier")]);
    ForgedFunction::kernel(&name, [2, air.1 as u16, major, minor], module.build())
}

#[test]
fn one_kernel_of_each_side() {
    let mut library = ForgedLibrary::new(vec![kernel_of(4, 0), kernel_of(4, 1)]);
    library.functions[0].source = Some(("/a/b.metal".to_owned(), 12));
    check(
        &library,
        expect![[r#"
            1.2.9 executable macOS 26.0.0
            1 × AIR 2.8, MSL 4.0
            1 × AIR 2.9, MSL 4.1
            mixed
            kernel k40: before-4.1
              because its VERS tag states MSL 4.0
              because air.language_version states Metal 4.0
              because AIR 2.8 cannot hold MSL 4.1, which needs AIR 2.9
              from /a/b.metal:12
              exports k40
            kernel k41: 4.1-or-later
              because its VERS tag states MSL 4.1
              because air.language_version states Metal 4.1
              exports k41
        "#]],
    );
}

#[test]
fn a_kernel_of_4_0_for_os_27_is_not_4_1() {
    // The AIR version follows the deployment target, the language version the `-std` option.
    let mut module = ForgedModule::apple(4, 0);
    module.air = Some((2, 9));
    module.triple = "air64_v29-apple-macosx27.0.0".to_owned();
    let library = ForgedLibrary::new(vec![ForgedFunction::kernel("k", [2, 9, 4, 0], module.build())]);
    check(
        &library,
        expect![[r#"
            1.2.9 executable macOS 26.0.0
            1 × AIR 2.9, MSL 4.0
            kernel k: before-4.1
              because its VERS tag states MSL 4.0
              because air.language_version states Metal 4.0
        "#]],
    );
}

#[test]
fn a_dynamic_library_whose_functions_share_a_module() {
    let module = ForgedModule::apple(4, 1).with_symbols(&[
        ForgedSymbol::definition("_Z3fooPU9MTLthreadf"),
        ForgedSymbol::definition("_Z3barPf"),
        ForgedSymbol { name: "_ZL6helperv".to_owned(), is_definition: true, linkage: 3 },
        ForgedSymbol::declaration("_Z8externalPU9MTLdevicef"),
        ForgedSymbol::declaration("air.wg.barrier"),
    ]);
    let module = module.build();
    let function =
        |name: &str| ForgedFunction { kind: 3, ..ForgedFunction::kernel(name, [2, 9, 4, 1], module.clone()) };
    let mut library = ForgedLibrary::new(vec![function("_Z3fooPU9MTLthreadf"), function("_Z3barPf")]);
    library.file_type = 2;
    library.platform = 0x82;
    library.deployment_target = (27, 0, 0);
    library.install_name = Some("@loader_path/libUtility.metallib".to_owned());
    library.linked_libraries = vec!["@loader_path/libBase.metallib".to_owned()];
    library.imported_symbols = vec!["_Z8externalPU9MTLdevicef".to_owned()];
    library.link_command = Some(("air-lld -dylib utility.air".to_owned(), "/project/dir".to_owned()));
    check(
        &library,
        expect![[r#"
            1.2.9 dynamic library iOS 27.0.0
            name Some("@loader_path/libUtility.metallib") linked ["@loader_path/libBase.metallib"]
            import list: _Z8externalPU9MTLdevicef
            linked by "air-lld -dylib utility.air" in Some("/project/dir")
            2 × AIR 2.9, MSL 4.1
            unqualified _Z3fooPU9MTLthreadf: 4.1-or-later
              because its VERS tag states MSL 4.1
              because air.language_version states Metal 4.1
              because the symbol _Z3fooPU9MTLthreadf spells the thread address space, which only 4.1 and later do
            unqualified _Z3barPf: 4.1-or-later
              because its VERS tag states MSL 4.1
              because air.language_version states Metal 4.1
              because the symbol _Z3fooPU9MTLthreadf spells the thread address space, which only 4.1 and later do
              exports _Z3fooPU9MTLthreadf
              exports _Z3barPf
              imports _Z8externalPU9MTLdevicef
        "#]],
    );
}

#[test]
fn statements_that_contradict_each_other() {
    let module = ForgedModule::apple(4, 1).with_symbols(&[ForgedSymbol::definition("_Z1fPU9MTLthreadf")]);
    let mut across = ForgedFunction::kernel("across", [2, 8, 4, 0], module.build());
    across.has_right_hash = false;
    // A contradiction on one side leaves the side known.
    let beside = ForgedFunction::kernel("beside", [2, 6, 3, 1], ForgedModule::apple(3, 2).build());
    check(
        &ForgedLibrary::new(vec![across, beside]),
        expect![[r#"
            1.2.9 executable macOS 26.0.0
            1 × AIR 2.6, MSL 3.1
            1 × AIR 2.8, MSL 4.0
            kernel across: unknown
              because its VERS tag states MSL 4.0
              because air.language_version states Metal 4.1
              because the symbol _Z1fPU9MTLthreadf spells the thread address space, which only 4.1 and later do
              because AIR 2.8 cannot hold MSL 4.1, which needs AIR 2.9
              inconsistent: VERS states MSL 4.0, air.language_version states 4.1
              inconsistent: VERS states AIR 2.8, air.version states 2.9
              hash Differs
              exports _Z1fPU9MTLthreadf
            kernel beside: before-4.1
              because its VERS tag states MSL 3.1
              because air.language_version states Metal 3.2
              because AIR 2.6 cannot hold MSL 4.1, which needs AIR 2.9
              inconsistent: VERS states MSL 3.1, air.language_version states 3.2
              inconsistent: VERS states AIR 2.6, air.version states 2.7
        "#]],
    );
}

#[test]
fn a_target_that_contradicts_the_air_version() {
    let problems = |triple: &str| {
        let mut module = ForgedModule::apple(4, 0);
        module.triple = triple.to_owned();
        let bytes = module.build();
        let problems = check_consistency(None, &read_bitcode(&bytes));
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(problems("air64_v27-apple-macosx15.0.0"), ["the target is for AIR 2.7, air.version states 2.8"]);
    // Compilers before 2025 leave the suffix out, and those for the oldest targets count differently.
    assert!(problems("air64-apple-macosx26.0.0").is_empty());
    assert!(problems("air64_v111-apple-macosx10.12.0").is_empty());
}

#[test]
fn foreign_producers() {
    let mut module = ForgedModule::apple(4, 0);
    module.ident = "floor 1.0".to_owned();
    module.identification = "LLVM14.0.6".to_owned();
    let mut other = ForgedModule::apple(4, 0);
    other.triple = "spirv64-unknown-unknown".to_owned();
    other.language = Some(("OpenCL C".to_owned(), 4, 1));
    let functions = vec![
        ForgedFunction::kernel("ours", [2, 8, 4, 0], module.build()),
        ForgedFunction { versions: None, ..ForgedFunction::kernel("other", [0; 4], other.build()) },
    ];
    check(
        &ForgedLibrary::new(functions),
        expect![[r#"
            1.2.9 executable macOS 26.0.0
            1 × no version
            1 × AIR 2.8, MSL 4.0
            kernel ours: before-4.1
              because its VERS tag states MSL 4.0
              because air.language_version states Metal 4.0
              because AIR 2.8 cannot hold MSL 4.1, which needs AIR 2.9
              foreign: the module was written by floor 1.0
            kernel other: before-4.1
              because AIR 2.8 cannot hold MSL 4.1, which needs AIR 2.9
              foreign: the target spirv64-unknown-unknown is not AIR
              foreign: the language is OpenCL C
        "#]],
    );
}

#[test]
fn a_thread_decoration_proves_4_1_without_any_version() {
    let mut module = ForgedModule::apple(4, 1).with_symbols(&[ForgedSymbol::declaration("_Z1gPU9MTLthreadKi")]);
    module.language = None;
    module.air = None;
    let bytes = module.build();
    let module = read_bitcode(&bytes);
    assert_eq!(judge(None, Some(&ModuleEvidence::of(&module))).side, Side::From41);
}

#[test]
fn nothing_is_known_without_evidence() {
    let mut module = ForgedModule::apple(4, 1).with_symbols(&[ForgedSymbol::definition("_Z1gPi")]);
    module.language = None;
    module.air = Some((2, 9));
    let bytes = module.build();
    let verdict = judge(None, Some(&ModuleEvidence::of(&read_bitcode(&bytes))));
    assert_eq!((verdict.side, verdict.evidence.len(), verdict.is_contradictory()), (Side::Unknown, 0, false));
}

#[test]
fn an_air_file_states_its_source() {
    for is_wrapped in [true, false] {
        let mut module = ForgedModule::apple(3, 1);
        module.air_source_file_name = Some("/src/shaders.metal".to_owned());
        module.is_wrapped = is_wrapped;
        let bytes = module.build();
        let container = read(&bytes, &Options::default());
        let kind = if is_wrapped { Kind::WrappedBitcode } else { Kind::RawBitcode };
        assert_eq!(container.kind, kind);
        let module = container.module().unwrap();
        assert!(module.problems.is_empty(), "{:?}", module.problems);
        assert_eq!(module.air_source_file_name.as_deref(), Some("/src/shaders.metal"));
        assert_eq!(module.triple.as_deref(), Some("air64_v26-apple-macosx14.0.0"));
        assert_eq!(module.air_version, Some(Version::new(2, 6)));
        assert_eq!(module.language.as_ref().map(|language| language.version), Some(Version::new(3, 1)));
        assert_eq!(module.compile_options, ["air.compile.denorms_disable", "air.compile.fast_math_enable"]);
        assert_eq!(module.producer(), Producer::Apple);
    }
}

#[test]
fn an_empty_library() {
    let bytes = ForgedLibrary::new(Vec::new()).build();
    // What a linker leaves when it silently drops every module.
    let library = read_library(&bytes);
    assert_eq!((summarize(&library).declared, library.functions().count()), (0, 0));
    assert!(library.problems.is_empty());
}

#[test]
fn defects_of_entries() {
    let library = ForgedLibrary::new(vec![kernel_of(3, 1), kernel_of(3, 2)]);
    let bytes = library.build();
    let at = |needle: &[u8]| bytes.windows(needle.len()).position(|window| window == needle).unwrap();

    let mut wrong_count = bytes.clone();
    wrong_count[88] = 3;
    let summary = summarize(&read_library(&wrong_count));
    assert_eq!((summary.declared, summary.found), (3, 2));
    assert_eq!(summary.problems.list()[0].message, "2 of 3 functions were found");

    let mut wrong_tag = bytes.clone();
    // The length of `VERS` of the first function; what follows is no tag any more.
    wrong_tag[at(b"VERS") + 4] = 7;
    let library = read_library(&wrong_tag);
    let function = library.functions().next().unwrap();
    assert_eq!((function.versions, function.defect.is_some()), (None, true));
    // The next entry is found by the size of the group.
    assert_eq!(library.functions().nth(1).unwrap().name, b"k32");

    let mut no_name = bytes.clone();
    no_name[at(b"NAME")] = b'X';
    let function = read_library(&no_name).functions().next().unwrap().defect.unwrap();
    assert_eq!(function.message(), "the entry has no name");

    let mut no_end = bytes.clone();
    no_end[92..96].fill(0);
    assert_eq!(read_library(&no_end).functions().count(), 0);
}
