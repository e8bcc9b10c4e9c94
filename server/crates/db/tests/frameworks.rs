//! How includes of frameworks are found: `<Name/part.h>`.

use std::sync::Arc;

use msl_db::{Database, Db, UnitOptions, file_system::MemoryFiles, included_frameworks, library_of, preprocessed};
use msl_preproc::{DiagnosticKind, Include, LanguageVersion};

/// What the includes of `a.metal` lead to, with these folders of frameworks.
fn targets(files: &[(&str, &str)], folders: &[&str]) -> Vec<String> {
    let mut memory = MemoryFiles::default();
    for (path, text) in files {
        memory.insert(path, text);
    }
    let db = Database::new(Arc::new(memory));
    let mut options = UnitOptions::new(LanguageVersion::DEFAULT);
    options.framework_dirs = folders.iter().map(|folder| Arc::from(*folder)).collect();
    options.include_dirs = vec!["include".into()];
    let unit = db.unit("a.metal", options);
    let target = |include: &Include| match include {
        Include::File(file) => db.shared().path(*file).map_or("?".to_owned(), |path| path.to_string()),
        Include::Library(name) => format!("library {name}"),
        Include::Sdk(name) => format!("SDK {name}"),
        Include::NotFound => "nothing".to_owned(),
    };
    preprocessed(&db, unit).includes.iter().map(|include| target(&include.target)).collect()
}

#[test]
fn the_first_folder_that_has_the_header_wins() {
    let files = [
        ("a.metal", "#include <Shapes/Shapes.h>\n#include \"Shapes/Other.h\"\n#include <Shapes/Hidden.h>\n"),
        ("one/Shapes.framework/Headers/Other.h", ""),
        ("two/Shapes.framework/Headers/Shapes.h", ""),
        ("two/Shapes.framework/Headers/Other.h", ""),
        ("two/Shapes.framework/PrivateHeaders/Hidden.h", ""),
    ];
    let found = targets(&files, &["one", "two"]);
    assert_eq!(
        found,
        [
            "two/Shapes.framework/Headers/Shapes.h",
            "one/Shapes.framework/Headers/Other.h",
            "two/Shapes.framework/PrivateHeaders/Hidden.h"
        ]
    );
    assert_eq!(targets(&files, &[]), ["nothing"; 3]);
}

#[test]
fn include_folders_come_first_and_the_library_last() {
    let files = [
        (
            "a.metal",
            "#include <SwiftUI/SwiftUI_Metal.h>\n#include <CoreImage/CoreImage.h>\n#include <RealityKit/RealityKit.h>\n",
        ),
        ("include/SwiftUI/SwiftUI_Metal.h", ""),
        ("fw/SwiftUI.framework/Headers/SwiftUI_Metal.h", ""),
        ("fw/CoreImage.framework/Headers/CoreImage.h", ""),
    ];
    assert_eq!(
        targets(&files, &["fw"]),
        [
            "include/SwiftUI/SwiftUI_Metal.h",
            "fw/CoreImage.framework/Headers/CoreImage.h",
            "library RealityKit/RealityKit.h"
        ]
    );
}

#[test]
fn frameworks_inside_of_a_framework() {
    let files = [
        ("a.metal", "#include <Outer/Outer.h>\n#include <Inner/Inner.h>\n"),
        ("fw/Outer.framework/Headers/Outer.h", "#include <Inner/Inner.h>\n"),
        ("fw/Outer.framework/Frameworks/Inner.framework/Headers/Inner.h", ""),
    ];
    let inner = "fw/Outer.framework/Frameworks/Inner.framework/Headers/Inner.h";
    assert_eq!(targets(&files, &["fw"]), ["fw/Outer.framework/Headers/Outer.h", inner, "nothing"]);
}

#[test]
fn what_only_the_sdk_has() {
    let text =
        "#include <ARKit/ARKit.h>\n#import \"ARKit/ARKit.h\"\n#include \"ARKit/Part.h\"\n#include <../ARKit/ARKit.h>\n";
    assert_eq!(
        targets(&[("a.metal", text)], &["fw"]),
        ["SDK ARKit/ARKit.h", "SDK ARKit/ARKit.h", "nothing", "nothing"]
    );
}

#[test]
fn only_what_is_included_is_seen() {
    let mut memory = MemoryFiles::default();
    memory.insert(
        "a.metal",
        "#if 0\n#include <CoreImage/CoreImage.h>\n#endif\n#include \"b.h\"\n#include <ARKit/ARKit.h>\n",
    );
    memory.insert("b.h", "#include <SwiftUI/SwiftUI.h>\n");
    memory.insert("c.metal", "#include <metal_stdlib>\n");
    let db = Database::new(Arc::new(memory));
    let unit = |path| db.unit(path, UnitOptions::new(LanguageVersion::DEFAULT));
    let (a, c) = (unit("a.metal"), unit("c.metal"));
    let names: Vec<&str> = msl_builtins::headers()
        .filter(|&id| included_frameworks(&db, a).contains(id))
        .map(|id| id.header().name)
        .collect();
    assert_eq!(names, ["SwiftUI/SwiftUI_Metal.h"]);
    assert_eq!(library_of(&db, a).frameworks(), included_frameworks(&db, a));
    assert!(included_frameworks(&db, c).is_empty());
    let found = &preprocessed(&db, a).diagnostics;
    assert_eq!(found.iter().map(|finding| finding.kind).collect::<Vec<_>>(), [DiagnosticKind::SdkHeader]);
}
