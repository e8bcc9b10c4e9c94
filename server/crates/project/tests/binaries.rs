//! Compiled Metal, built byte by byte.

mod support;

use expect_test::expect;
use msl_metallib::forge::{ArchiveDialect, ForgedFunction, ForgedLibrary, ForgedModule, ForgedSymbol, archive};
use msl_project::{BinaryOptions, MemoryTree, Project};
use support::{load_with_binaries, show};

fn library(functions: &[(&str, u16, u16)]) -> Vec<u8> {
    let functions = functions
        .iter()
        .map(|&(name, major, minor)| {
            let module = ForgedModule::apple(u32::from(major), u32::from(minor)).build();
            let air = if (major, minor) >= (4, 1) { 9 } else { 8 };
            ForgedFunction::kernel(name, [2, air, major, minor], module)
        })
        .collect();
    ForgedLibrary::new(functions).build()
}

fn check(files: &[(&str, Vec<u8>)], options: BinaryOptions, expected: expect_test::Expect) {
    let mut tree = MemoryTree::default();
    for (path, bytes) in files {
        tree.insert(path, bytes.clone());
    }
    let project = load_with_binaries(&tree, options);
    expected.assert_eq(&show(&project, &tree));
}

#[test]
fn libraries_of_one_and_of_both_sides() {
    let files = [
        ("old.metallib", library(&[("a", 4, 0), ("b", 4, 0)])),
        ("mixed.metallib", library(&[("k40", 4, 0), ("k41", 4, 1)])),
        ("near.metallib", library(&[("a", 3, 0), ("b", 3, 1)])),
        ("empty.metallib", library(&[])),
        ("text.metallib", b"not a library".to_vec()),
    ];
    check(
        &files,
        BinaryOptions::default(),
        expect![[r#"
            binary mixed.metallib metal4.0 <- mixed.metallib the VERS tag of function `k40` states MSL 4.0
            binary mixed.metallib metal4.1 <- mixed.metallib the VERS tag of function `k41` states MSL 4.1
            binary near.metallib metal3.0 <- near.metallib the VERS tag of function `a` states MSL 3.0
            binary near.metallib metal3.1 <- near.metallib the VERS tag of function `b` states MSL 3.1
            binary old.metallib metal4.0 <- old.metallib the VERS tag of 2 functions, such as `a` states MSL 4.0
            link mixed.metallib mixed (mixed.metallib mixed.metallib)
            link near.metallib consistent (near.metallib near.metallib)
            link old.metallib consistent (old.metallib)
            warning abi-empty-library: this library has no functions: a link that leaves out every module ends with success, too
            warning abi-version-mismatch: `mixed.metallib` holds code from both sides of Metal 4.1: functions before it and functions from it on; no symbol crosses, so this is right as long as the functions stay self-contained
            warning abi-deployment-target: this is stamped for macOS 26.0 and holds metal4.1 code, which needs macOS 27: those functions do not load on macOS 26.0
        "#]],
    );
}

#[test]
fn functions_and_hashes() {
    let mut library = ForgedLibrary::new(vec![ForgedFunction::kernel(
        "k",
        [2, 9, 4, 1],
        ForgedModule::apple(4, 1).with_symbols(&[ForgedSymbol::definition("_Z1fPU9MTLthreadf")]).build(),
    )]);
    library.functions[0].has_right_hash = false;
    let options = BinaryOptions { functions: true, verify_hashes: true };
    check(
        &[("a.metallib", library.build())],
        options,
        expect![[r#"
            binary a.metallib metal4.1 [k] <- a.metallib its VERS tag states MSL 4.1; a.metallib air.language_version states Metal 4.1; a.metallib the symbol _Z1fPU9MTLthreadf spells the thread address space, which only 4.1 and later do
            link a.metallib consistent (a.metallib)
            warning abi-deployment-target: this is stamped for macOS 26.0 and holds metal4.1 code, which needs macOS 27: those functions do not load on macOS 26.0
            warning abi-inconsistent-binary: the hash of `k` is not that of its module
        "#]],
    );
}

#[test]
fn a_symbol_that_crosses() {
    let caller = ForgedModule::apple(4, 0).with_symbols(&[ForgedSymbol::declaration("_Z6helperPf")]).build();
    let callee = ForgedModule::apple(4, 1).with_symbols(&[ForgedSymbol::definition("_Z6helperPU9MTLthreadf")]).build();
    let bytes = archive(ArchiveDialect::Bsd, &[("old.air", &caller), ("new.air", &callee)]);
    check(
        &[("lib.a", bytes)],
        BinaryOptions::default(),
        expect![[r#"
        binary lib.a metal4.0 <- lib.a air.language_version states Metal 4.0 in old.air; lib.a AIR 2.8 cannot hold MSL 4.1, which needs AIR 2.9 in old.air
        binary lib.a metal4.1 <- lib.a air.language_version states Metal 4.1 in new.air; lib.a the symbol _Z6helperPU9MTLthreadf spells the thread address space, which only 4.1 and later do in new.air
        link lib.a mixed (lib.a lib.a)
        error abi-version-mismatch: `lib.a` holds code from both sides of Metal 4.1: functions before it and functions from it on; `_Z6helperPf` is needed on one side and defined on the other
    "#]],
    );
}

#[test]
fn a_link_that_takes_in_a_binary() {
    let files = [
        ("old.air", ForgedModule::apple(4, 0).build()),
        (
            "build.sh",
            b"xcrun metal -std=metal4.1 -c a.metal -o a.air\nxcrun metallib a.air old.air -o all.metallib\n".to_vec(),
        ),
        ("a.metal", Vec::new()),
    ];
    check(
        &files,
        BinaryOptions::default(),
        expect![[r#"
        source a.metal metal4.1 <- build.sh:1 -std=metal4.1
        binary old.air metal4.0 <- old.air air.language_version states Metal 4.0; old.air AIR 2.8 cannot hold MSL 4.1, which needs AIR 2.9
        link all.metallib mixed (a.metal old.air)
        link old.air consistent (old.air)
        warning abi-version-mismatch: `all.metallib` links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
    "#]],
    );
}

#[test]
fn no_truncation_panics() {
    let whole = library(&[("k40", 4, 0), ("k41", 4, 1)]);
    for length in 0..whole.len() {
        let mut project = Project::default();
        project.add_binary("a.metallib", &whole[..length], BinaryOptions { functions: true, verify_hashes: true });
    }
}

fn air(version: (u32, u32), symbols: &[ForgedSymbol]) -> Vec<u8> {
    ForgedModule::apple(version.0, version.1).with_symbols(symbols).build()
}

fn linked(old: &[ForgedSymbol], new: &[ForgedSymbol]) -> Project {
    let mut tree = MemoryTree::default();
    tree.insert("old.air", air((4, 0), old));
    tree.insert("new.air", air((4, 1), new));
    tree.insert("build.sh", "xcrun -sdk macosx metallib old.air new.air -o all.metallib\n");
    load_with_binaries(&tree, BinaryOptions::default())
}

fn mismatch(project: &Project) -> String {
    let found = project.diagnostics.iter().find(|it| it.code == msl_diagnostics::Code::AbiVersionMismatch);
    found.map_or(String::new(), |it| format!("{}: {}", it.severity.as_str(), it.message))
}

#[test]
fn symbols_that_cross_the_binaries_of_a_link() {
    let (needs, has) = (ForgedSymbol::declaration, ForgedSymbol::definition);
    // The same name means another pointer on the other side, and a decorated one is not found by the linker.
    for (old, new, symbol) in [
        ("_Z6helperPf", "_Z6helperPf", Some("_Z6helperPf")),
        ("_Z6helperPf", "_Z6helperPU9MTLthreadf", Some("_Z6helperPf")),
        ("_Z6helperPf", "_Z5otherPf", None),
    ] {
        let found = mismatch(&linked(&[needs(old)], &[has(new)]));
        match symbol {
            Some(symbol) => {
                assert!(found.starts_with("error: `all.metallib` links"), "{found}");
                assert!(found.contains(&format!("`{symbol}` is needed on one side")), "{found}");
            }
            None => assert!(found.starts_with("warning: "), "{found}"),
        }
    }
    // In the other direction, and through a library instead of a module.
    assert!(mismatch(&linked(&[has("_Z1fPf")], &[needs("_Z1fPU9MTLthreadf")])).starts_with("error: "));
    // What a side defines itself does not cross.
    assert!(mismatch(&linked(&[needs("_Z1fPf"), has("_Z1fPf")], &[has("_Z1fPU9MTLthreadf")])).starts_with("warning: "));
}

#[test]
fn the_system_of_the_first_input() {
    let build = "\
xcrun -sdk macosx metal -mmacosx-version-min=26.0 -c a.metal -o a.air
xcrun -sdk macosx metal -std=metal4.0 -mmacosx-version-min=27.0 -c b.metal -o b.air
";
    let link = |inputs: &str| {
        let mut tree = MemoryTree::default();
        tree.insert("a.metal", "");
        tree.insert("b.metal", "");
        tree.insert("build.sh", format!("{build}xcrun -sdk macosx metallib {inputs} -o all.metallib\n"));
        let project = Project::load(".", &tree);
        project.diagnostics.iter().map(|it| format!("{}: {}\n", it.severity.as_str(), it.message)).collect::<String>()
    };
    expect![[r#"
        warning: `all.metallib` is stamped for macOS 26.0, the system of its first input `a.metal`: what comes from `b.metal` needs macOS 27.0 and does not load on macOS 26.0
    "#]].assert_eq(&link("a.air b.air"));
    expect![[r#"
        warning: `all.metallib` is stamped for macOS 27.0, the system of its first input `b.metal`: although `a.metal` is for macOS 26.0, nothing of it loads below macOS 27.0
    "#]].assert_eq(&link("b.air a.air"));
    assert_eq!(link("a.air"), "");
}
