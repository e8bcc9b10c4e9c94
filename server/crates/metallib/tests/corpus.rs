//! Readers against real binaries of Apple's tools.
//!
//! Such binaries are never committed. They are looked for in the folder that `MSL_CORPUS` names, in any layout, or else
//! in `tests/corpus/.cache`, which `tests/corpus/fetch.py --metallibs` fills; every file there that is a Metal binary by
//! its contents is read. Without the folder the tests say that they were skipped. Known files are recognised by their
//! size, so that renaming does no harm:
//!
//! * crates `metal 0.33.0` and `gfx-backend-metal 0.9.1`: `.metallib` files in their packages;
//! * wheels `mlx-metal 0.32.4` for macOS 14, 15 and 26, `mps-flash-attn 0.6.3`, `torch 2.15.0`.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use msl_metallib::{
    HashCheck, Kind, Library, ModuleEvidence, Options, Producer, Side, check_consistency, judge, read, sniff, summarize,
};
use rayon::prelude::*;

/// The files of the corpus, or `None` with a line that says why the test is skipped.
fn corpus(test: &str) -> Option<Vec<PathBuf>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/corpus/.cache");
    let root = std::env::var_os("MSL_CORPUS").map_or(PathBuf::from(default), PathBuf::from);
    if !root.is_dir() {
        eprintln!("SKIPPED {test}: there is no folder of real binaries; MSL_CORPUS names one");
        return None;
    }
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    if files.is_empty() {
        eprintln!("SKIPPED {test}: {} holds no files", root.display());
        return None;
    }
    Some(files)
}

fn map(path: &Path) -> Option<Mmap> {
    let file = File::open(path).ok()?;
    if file.metadata().ok()?.len() == 0 {
        return None;
    }
    // SAFETY: nobody changes the corpus while a test runs.
    unsafe { Mmap::map(&file) }.ok()
}

/// The files of these sizes, in the order of the sizes; says which are missing.
fn known_files(test: &str, sizes: &[u64]) -> Vec<(u64, Mmap)> {
    let Some(files) = corpus(test) else { return Vec::new() };
    let size_of = |path: &PathBuf| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut found = Vec::new();
    for &size in sizes {
        // A package may be there twice; one copy is enough.
        match files.iter().filter(|path| size_of(path) == size).find_map(|path| map(path)) {
            Some(bytes) => found.push((size, bytes)),
            None => eprintln!("SKIPPED part of {test}: no file of {size} bytes"),
        }
    }
    found
}

#[test]
fn every_metal_binary_is_consistent() {
    let Some(files) = corpus("every_metal_binary_is_consistent") else { return };
    let mut read_files = 0;
    for path in files {
        let Some(bytes) = map(&path) else { continue };
        if !matches!(sniff(&bytes), Kind::Library | Kind::Fat | Kind::MachO) {
            continue;
        }
        let container = read(&bytes, &Options::default());
        for leaf in container.leaves() {
            if let Some(library) = leaf.container.library() {
                read_files += 1;
                check_library(&path, library);
            }
        }
    }
    if read_files == 0 {
        eprintln!("SKIPPED every_metal_binary_is_consistent: there is no Metal library in the folder");
    }
}

/// What holds for every library that Apple's tools write.
fn check_library(path: &Path, library: &Library<'_>) {
    let path = path.display();
    assert!(library.problems.is_empty(), "{path}: {:?}", library.problems);
    let summary = summarize(library);
    assert!(summary.problems.is_empty(), "{path}: {:?}", summary.problems);
    assert_eq!(summary.declared, summary.found, "{path}");
    let list = library.modules();
    assert!(list.problems.is_empty(), "{path}: {:?}", list.problems);
    assert_eq!(list.without_module, 0, "{path}");
    let functions: Vec<_> = library.functions().collect();
    list.modules.par_iter().for_each(|range| {
        let module = range.read();
        assert!(module.problems.is_empty(), "{path}: {:?}", module.problems);
        assert!(module.is_air(), "{path}: {:?}", module.triple);
        assert_eq!(module.producer(), Producer::Apple, "{path}: {:?}", module.ident);
        let evidence = ModuleEvidence::of(&module);
        let digest = range.sha256();
        for &index in list.functions_of(range) {
            let function = &functions[index as usize];
            let name = function.name_lossy();
            assert!(check_consistency(Some(function), &module).is_empty(), "{path}: {name}");
            assert_eq!(function.hash, Some(&digest), "{path}: {name}");
            let verdict = judge(function.versions, Some(&evidence));
            assert_eq!(verdict.side, function.stated_side(), "{path}: {name}: {:?}", verdict.evidence);
            assert!(
                module.symbols.iter().any(|symbol| symbol.is_definition && symbol.name == function.name),
                "{path}: {name} is not defined by its module"
            );
        }
    });
    if let Some(function) = functions.first() {
        assert_eq!(library.check_hash(function), HashCheck::Matches);
    }
}

/// The versions of a library's functions, as text.
fn versions(library: &Library<'_>) -> String {
    let counts = summarize(library).by_version;
    let texts = counts.iter().map(|(versions, count)| match versions {
        Some(versions) => format!("{count} × {versions}"),
        None => format!("{count} × none"),
    });
    texts.collect::<Vec<_>>().join("; ")
}

#[test]
fn small_libraries() {
    let expected = [
        (6304, "1.2.4: 2 × AIR 2.2, MSL 2.2"),
        (3209, "1.2.3: 1 × AIR 2.2, MSL 2.2"),
        (6314, "1.2.7: 2 × AIR 2.5, MSL 3.0"),
        (14339, "1.2.4: 1 × AIR 2.2, MSL 2.2"),
        (211_489, "1.2.7: 4 × AIR 2.5, MSL 3.0"),
        (12332, "1.2.3: 4 × AIR 2.2, MSL 2.2"),
        (98746, "1.2.5: 20 × AIR 2.2, MSL 2.2"),
        (92304, "1.2.5: 20 × AIR 2.0, MSL 2.0"),
        (90314, "1.2.5: 20 × AIR 1.8, MSL 1.1"),
        (14083, "1.2.7: 1 × AIR 2.7, MSL 3.2"),
    ];
    for (size, bytes) in known_files("small_libraries", &expected.map(|(size, _)| size)) {
        let container = read(&bytes, &Options::default());
        let library = container.library().expect("a metallib");
        let text = format!("{}: {}", library.header.unwrap().version, versions(library));
        let wanted = expected.iter().find(|(known, _)| *known == size).unwrap().1;
        assert_eq!(text, wanted, "the file of {size} bytes");
    }
}

#[test]
fn sources_and_link_commands() {
    for (_, bytes) in known_files("sources_and_link_commands", &[92304]) {
        let container = read(&bytes, &Options::default());
        let library = container.library().expect("a metallib");
        let sources = library.embedded_sources().expect("sources");
        assert!(sources.link_command.ends_with(
            "/usr/metal/ios/bin/metallib blit.air clear.air fill.air -o src/backend/metal/shaders/gfx-shaders-ios.metallib"
        ));
        let ids: Vec<_> = sources.archives.iter().map(|archive| archive.id.escape_ascii().to_string()).collect();
        assert_eq!(ids, ["blit", "clear", "fill"]);
        assert!(sources.archives.iter().all(|archive| archive.compressed.starts_with(b"BZh9")));
        let function = library.functions().find(|function| function.name == b"ps_blit_1d_float").unwrap();
        assert_eq!(sources.archive_of(&function).unwrap().id, b"blit");
        let reference = library.source_reference(&function).unwrap();
        let (path, line) = reference.source.unwrap();
        assert!(path.ends_with("/gfx/src/backend/metal/shaders/blit.metal"));
        assert_eq!((line, reference.object.as_deref()), (27, Some("blit.air")));
    }
}

#[test]
fn a_binary_archive_with_a_slice_for_a_gpu() {
    for (_, bytes) in known_files("a_binary_archive_with_a_slice_for_a_gpu", &[36496]) {
        let container = read(&bytes, &Options::default());
        assert_eq!(container.kind, Kind::Fat);
        let names: Vec<_> = container.parts().iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["air64_v28", "applegpu (subtype 0x212)"]);
        // The machine code carries the library that it was made from.
        let leaves = container.leaves();
        let texts: Vec<_> = leaves.iter().filter_map(|leaf| leaf.container.library()).map(versions).collect();
        assert_eq!(texts, ["1 × AIR 2.8, MSL 3.2"; 2]);
    }
}

#[test]
fn libraries_inside_machine_code() {
    // `libtorch_cpu.dylib` of the wheel torch 2.15.0 for macOS 14.
    for (_, bytes) in known_files("libraries_inside_machine_code", &[421_820_912]) {
        let container = read(&bytes, &Options::default());
        assert_eq!(container.kind, Kind::MachO);
        let found: Vec<_> = container
            .leaves()
            .iter()
            .filter_map(|leaf| leaf.container.library().map(|library| (leaf.offset, versions(library))))
            .collect();
        let expected = [(101_724_682, "18563 × AIR 2.6, MSL 3.1"), (218_890_825, "19455 × AIR 2.8, MSL 4.0")];
        assert_eq!(found, expected.map(|(offset, versions)| (offset, versions.to_owned())));
    }
}

#[test]
fn large_libraries() {
    let expected = [
        (146_876_416, "17248 × AIR 2.6, MSL 3.1", [23296, 23830, 156], 115_295),
        (146_852_000, "17251 × AIR 2.7, MSL 3.2", [23296, 23830, 156], 115_308),
        (214_156_448, "18817 × AIR 2.8, MSL 4.0", [35438, 57552, 2582], 179_535),
    ];
    for (size, bytes) in known_files("large_libraries", &expected.map(|(size, ..)| size)) {
        let (_, counts, decorations, symbols) = expected.iter().find(|(known, ..)| *known == size).unwrap();
        let container = read(&bytes, &Options::default());
        let library = container.library().expect("a metallib");
        assert_eq!(versions(library), *counts);
        let summary = summarize(library);
        assert_eq!((summary.count_on(Side::From41), summary.is_mixed()), (0, false));
        let scanned: Vec<(usize, BTreeMap<Vec<u8>, usize>)> = library
            .modules()
            .modules
            .par_iter()
            .map(|range| {
                let module = range.read();
                let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
                for decoration in module.symbols.iter().flat_map(|symbol| symbol.decorations()) {
                    *counts.entry(decoration.to_vec()).or_default() += 1;
                }
                (module.symbols.len(), counts)
            })
            .collect();
        assert_eq!(scanned.iter().map(|(count, _)| count).sum::<usize>(), *symbols);
        let count = |name: &[u8]| scanned.iter().filter_map(|(_, counts)| counts.get(name)).sum::<usize>();
        let found = [count(b"MTLconstant"), count(b"MTLdevice"), count(b"MTLthreadgroup")];
        assert_eq!((found, count(b"MTLthread")), (*decorations, 0));
    }
}

#[test]
fn damaged_real_files() {
    for (size, bytes) in known_files("damaged_real_files", &[3209, 6314, 14083, 36496, 90314]) {
        // Every hundredth length and every byte of the structures in front, then a sweep through the rest.
        let step = (size as usize / 400).max(1);
        for length in (0..bytes.len()).step_by(step) {
            read_all(&bytes[..length]);
        }
        let mut copy = bytes.to_vec();
        let places = (0..copy.len().min(1000)).chain((1000..copy.len()).step_by(step));
        for place in places {
            let original = copy[place];
            for value in [0, 0x7F, 0xFF, original ^ 1] {
                copy[place] = value;
                read_all(&copy);
            }
            copy[place] = original;
        }
    }
}

fn read_all(bytes: &[u8]) {
    let container = read(bytes, &Options::default());
    for leaf in container.leaves() {
        let Some(library) = leaf.container.library() else { continue };
        summarize(library);
        library.embedded_sources();
        for range in &library.modules().modules {
            ModuleEvidence::of(&range.read());
        }
    }
}
