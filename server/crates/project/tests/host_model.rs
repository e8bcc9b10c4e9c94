//! What host code in each language does with functions of Metal.

use std::fmt::Write;

use expect_test::{Expect, expect};
use msl_project::{FunctionList, HostFile, LinkList, Setting, read_host_file};

fn show(file: &HostFile, text: &str) -> String {
    let mut out = String::new();
    let line = |at: u32| text[..at as usize].bytes().filter(|&byte| byte == b'\n').count() + 1;
    for name in &file.names {
        let range = name.place.range;
        assert_eq!(&text[range.start as usize..range.end as usize], name.text);
        let _ = writeln!(out, "{}: {:?} {:?} in {:?}", line(range.start), name.role, name.text, name.library);
    }
    let function = |index: usize| {
        let function = &file.functions[index];
        let names: Vec<&str> = function.names.iter().map(|(name, _)| name.as_str()).collect();
        let rest = if function.is_complete { "" } else { "…" };
        let binary = if function.compiles_to_binary { " (binary)" } else { "" };
        format!("{}{rest}{binary}", names.join("|"))
    };
    let list = |list: &FunctionList| {
        let names: Vec<String> = list.functions.iter().map(|&index| function(index)).collect();
        format!("[{}{}]", names.join(", "), if list.is_complete { "" } else { ", …" })
    };
    fn setting<T: std::fmt::Debug>(setting: &Setting<T>) -> String {
        match setting {
            Setting::Unset => "unset".to_owned(),
            Setting::Known(value, _) => format!("{value:?}"),
            Setting::Unknown => "unknown".to_owned(),
        }
    }
    let link = |link: &LinkList| {
        let mut shown = format!(
            "functions {} binary {} private {}",
            list(&link.functions),
            list(&link.binary),
            list(&link.private)
        );
        for group in &link.groups {
            let _ = write!(shown, " {:?} {}", group.name, list(&group.members));
        }
        shown + if link.groups_are_complete { "" } else { " and other groups" }
    };
    for (index, pipeline) in file.pipelines.iter().enumerate() {
        let _ = writeln!(out, "{}: pipeline {index}", line(pipeline.place.range.start));
        for stage in &pipeline.stages {
            let linked = stage.link.as_ref().map_or("nothing".to_owned(), link);
            let _ = writeln!(
                out,
                "  {} {}, depth {}, adding {}, links {linked}{}",
                stage.stage.as_str(),
                stage.function.map_or("?".to_owned(), function),
                setting(&stage.max_call_stack_depth),
                setting(&stage.supports_adding),
                if stage.is_link_known { "" } else { " and what is not known" },
            );
        }
        if let Some(added) = &pipeline.added {
            let _ = writeln!(out, "  adds {} to {:?}", list(added), pipeline.base);
        }
    }
    for table in &file.tables {
        let _ = writeln!(
            out,
            "{}: table of pipeline {:?}, count {}",
            line(table.place.range.start),
            table.pipeline,
            setting(&table.function_count)
        );
        for entry in &table.entries {
            let index = entry.index.map_or("?".to_owned(), |index| index.to_string());
            let name = entry.function.map_or("?".to_owned(), function);
            let _ = writeln!(out, "  {}: [{index}] = {name}", line(entry.place.range.start));
        }
        for (index, place) in &table.indices {
            let _ = writeln!(out, "  {}: at buffer {index}", line(place.range.start));
        }
    }
    for binding in &file.bindings {
        let _ = writeln!(out, "{}: {:?} {}", line(binding.place.range.start), binding.kind, binding.index);
    }
    out
}

fn check(path: &str, text: &str, expected: Expect) {
    let file = read_host_file(path, text).expect("it makes functions");
    expected.assert_eq(&show(&file, text));
}

#[test]
fn swift() {
    check(
        "Renderer.swift",
        include_str!("../../../../tests/function-pointers/path-tracer/Renderer.swift"),
        expect![[r#"
        25: Function "tracePaths" in Default
        26: Function "areaLight" in Default
        26: Function "spotLight" in Default
        27: Function "matte" in Default
        28: Function "lacquer" in Default
        29: Function "smoothCurve" in Default
        35: Group "lighting" in Unknown
        36: Group "materials" in Unknown
        37: Group "curves" in Unknown
        49: Function "areaLight" in Default
        50: Function "spotLight" in Default
        45: pipeline 0
          compute tracePaths, depth 2, adding true, links functions [areaLight|spotLight, smoothCurve] binary [matte (binary)] private [] "lighting" [areaLight|spotLight] "materials" [matte (binary), lacquer (binary)] "curves" [smoothCurve]
        46: pipeline 1
          adds [lacquer (binary)] to Some(0)
        53: table of pipeline Some(1), count 2
          54: [0] = matte (binary)
          55: [1] = lacquer (binary)
          71: at buffer 2
        63: table of pipeline Some(1), count 2
          49: [0] = areaLight
          50: [1] = spotLight
          70: at buffer 1
        63: table of pipeline Some(1), count 1
          57: [0] = smoothCurve
          72: at buffer 3
        68: Texture 0
        69: Buffer 0
        70: Buffer 1
        71: Buffer 2
        72: Buffer 3
    "#]],
    );
}

#[test]
fn objective_c() {
    check(
        "Renderer.m",
        include_str!("../../../../tests/function-pointers/objc/Renderer.m"),
        expect![[r#"
        11: Function "shade" in Default
        12: Function "wood" in Default
        14: Function "stone" in Default
        22: Group "surfaces" in Unknown
        28: pipeline 0
          compute shade, depth 1, adding unset, links functions [wood] binary [stone (binary)] private [] "surfaces" [wood, stone (binary)]
        35: table of pipeline Some(0), count 2
          36: [0] = wood
          37: [1] = stone (binary)
          43: at buffer 1
        42: Buffer 0
        43: Buffer 1
    "#]],
    );
}

#[test]
fn metal_cpp() {
    check(
        "renderer.cpp",
        include_str!("../../../../tests/function-pointers/metal-cpp/renderer.cpp"),
        expect![[r#"
        6: Function "shade" in Default
        7: Function "wood" in Default
        9: Function "stone" in Default
        17: Group "surfaces" in Unknown
        23: pipeline 0
          compute shade, depth 1, adding unset, links functions [wood] binary [stone (binary)] private [] "surfaces" [wood, stone (binary)]
        27: table of pipeline Some(0), count 2
          28: [0] = wood
          29: [1] = stone (binary)
          35: at buffer 1
        34: Buffer 0
        35: Buffer 1
    "#]],
    );
}

#[test]
fn rust() {
    check(
        "renderer.rs",
        include_str!("../../../../tests/function-pointers/rust/renderer.rs"),
        expect![[r#"
        7: Function "shade" in Default
        8: Function "wood" in Default
        10: Function "stone" in Default
        18: Group "surfaces" in Unknown
        27: pipeline 0
          compute shade, depth 1, adding unset, links functions [wood] binary [stone (binary)] private [] "surfaces" [wood, stone (binary)]
        32: table of pipeline Some(0), count 2
          34: [0] = wood
          35: [1] = stone (binary)
          41: at buffer 1
        40: Buffer 0
        41: Buffer 1
    "#]],
    );
}

#[test]
fn what_is_put_together_at_run_time_is_unknown() {
    let text = r#"
import Metal
func make(library: MTLLibrary, kind: Int, names: [String], flag: Bool) {
    let a = library.makeFunction(name: "shade\(kind)")
    let b = library.makeFunction(name: "shade" + String(kind))
    let c = library.makeFunction(name: names[kind])
    let d = library.makeFunction(name: flag ? "matte" : "mirror")
    let linked = MTLLinkedFunctions()
    var all = [a!, d!]
    if flag { all.append(b!) }
    for name in names { all.append(library.makeFunction(name: name)!) }
    linked.functions = all
    let descriptor = MTLComputePipelineDescriptor()
    descriptor.computeFunction = c
    descriptor.linkedFunctions = linked
    if flag { descriptor.maxCallStackDepth = 3 }
    let pipeline = try! device.makeComputePipelineState(descriptor: descriptor, options: [], reflection: nil)
}
"#;
    check(
        "A.swift",
        text,
        expect![[r#"
        7: Function "matte" in Unknown
        7: Function "mirror" in Unknown
        17: pipeline 0
          compute …, depth unknown, adding unset, links functions […, matte|mirror, …, …] binary [] private []
    "#]],
    );
}
