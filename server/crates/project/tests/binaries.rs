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
