//! Headers of frameworks: those that are described, those that are known by name, those that are there.

use crate::Folder;

const SHADER: &str = "#include <Shapes/Shapes.h>\n#include <Lines/Lines.h>\n\
                      float f() { return shape() + part() + line(); }\n";

fn frameworks() -> Folder {
    Folder::with(&[
        ("a.metal", SHADER),
        (
            "fw/Shapes.framework/Headers/Shapes.h",
            "#include <Shapes/Part.h>\n#include <Inner/Inner.h>\nfloat shape();\n",
        ),
        ("fw/Shapes.framework/PrivateHeaders/Part.h", "float part();\n"),
        ("fw/Shapes.framework/Frameworks/Inner.framework/Headers/Inner.h", "#include \"Beside.h\"\n"),
        ("fw/Shapes.framework/Frameworks/Inner.framework/Headers/Beside.h", ""),
        ("sdk/System/Library/Frameworks/Lines.framework/Headers/Lines.h", "float line();\n"),
    ])
}

#[test]
fn folders_of_frameworks_come_from_everywhere() {
    let folder = frameworks();
    assert_eq!(
        folder.findings(&["a.metal"]),
        ["a.metal:1:10 error include-not-found", "a.metal:2:10 error include-not-found"]
    );
    let nothing = [""; 0];
    assert_eq!(folder.findings(&["a.metal", "-F", "fw", "-isysroot", "sdk"]), nothing);
    assert_eq!(folder.findings(&["a.metal", "-Ffw", "-iframework", "sdk/System/Library/Frameworks"]), nothing);

    folder.write("msl-analyzer.toml", b"frameworks = [\"fw\", \"sdk/System/Library/Frameworks\"]\n");
    assert_eq!(folder.findings(&["a.metal"]), nothing);
    let doctor = folder.run(&["doctor", "a.metal", "-F", "none"]).stdout;
    assert!(doctor.contains("framework folder  none (no such folder)\n  framework folder  fw\n"), "{doctor}");

    folder.write("msl-analyzer.toml", b"");
    folder.write(
        "compile_commands.json",
        br#"[{"directory": ".", "file": "a.metal", "command": "metal -F fw -isysroot sdk a.metal"}]"#,
    );
    assert_eq!(folder.findings(&["a.metal"]), nothing);
}

#[test]
fn a_framework_that_is_there_wins() {
    let folder = Folder::with(&[
        (
            "a.metal",
            "#include <SwiftUI/SwiftUI_Metal.h>\n#include <ARKit/ARKit.h>\nfloat f(SwiftUI::Layer l) { return l.own + arkit(); }\n",
        ),
        (
            "fw/SwiftUI.framework/Headers/SwiftUI_Metal.h",
            "#pragma once\nnamespace SwiftUI { struct Layer { float own; }; }\n",
        ),
        ("fw/ARKit.framework/Headers/ARKit.h", "float arkit();\n"),
    ]);
    assert_eq!(folder.findings(&["a.metal", "-F", "fw"]), [""; 0]);
    let (_, output) = folder.check(&["a.metal", "-F", "fw"]);
    assert_eq!(output["files"][0]["complete"], true);
}

#[test]
fn a_framework_that_nobody_describes_is_no_error() {
    let folder = Folder::with(&[(
        "a.metal",
        "#include <ARKit/ARKit.h>\n#import <Foundation/Foundation.h>\n\
         ARFrame make(device ARThing* thing) { return arkit(thing->x); }\n",
    )]);
    let found = ["a.metal:1:10 information framework-not-found", "a.metal:2:9 information framework-not-found"];
    assert_eq!(folder.findings(&["a.metal"]), found);
    let (status, output) = folder.check(&["a.metal"]);
    assert_eq!(output["files"][0]["complete"], false);
    assert_eq!(status, 0);
    let message = output["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("`<ARKit/ARKit.h>`") && message.contains("`-F`") && message.contains("`frameworks`"));
}

#[test]
fn has_include_knows_the_frameworks_of_apple() {
    let folder = Folder::with(&[(
        "a.metal",
        "#if !__has_include(<SwiftUI/SwiftUI_Metal.h>) || !__has_include(<ARKit/ARKit.h>)\n#error \"missing\"\n#endif\n\
         #if __has_include(<Shapes/Shapes.h>)\n#error \"there\"\n#endif\n",
    )]);
    assert_eq!(folder.findings(&["a.metal"]), [""; 0]);
}

#[test]
fn nothing_is_reported_in_the_headers_of_frameworks() {
    let folder = Folder::with(&[
        ("a.metal", "#include <Shapes/Shapes.h>\nfloat f() { return shape(); }\n"),
        (
            "fw/Shapes.framework/Headers/Shapes.h",
            "@interface Shape\n@end\nfloat shape();\nhalf half_of(half x) { return x * 0.5; }\nvoid wrong() { undeclared(); }\n",
        ),
    ]);
    assert_eq!(folder.findings(&["a.metal", "-F", "fw"]), [""; 0]);
}

#[test]
fn a_folder_of_the_project_with_the_name_of_a_framework() {
    let folder = Folder::with(&[
        ("a.metal", "#include \"Metal/Missing.h\"\n#include \"System/There.h\"\n#include \"ARKit/ARKit.h\"\n"),
        ("System/There.h", ""),
    ]);
    assert_eq!(
        folder.findings(&["a.metal"]),
        ["a.metal:1:10 error include-not-found", "a.metal:3:10 information framework-not-found"]
    );
}
