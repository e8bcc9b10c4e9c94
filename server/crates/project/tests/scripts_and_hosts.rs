//! Commands in scripts of general languages, and compiles at run time.

mod support;

use expect_test::expect;
use msl_project::{MemoryTree, Project};
use support::check;

#[test]
fn python_lists() {
    check(
        r#"
--- compile_kernels.py
import subprocess

STD = "metal4.1"
flags = ["-O3", f"-std={STD}"]
# subprocess.run(["xcrun", "metal", "-std=metal3.0", "-c", "a.metal"])

def build(name, extra=[]):
    cmd = ["xcrun", "-sdk", "macosx", "metal"] + flags + extra + ["-c", f"{name}.metal"]
    cmd += ["-o", f"{name}.air"]
    subprocess.run(cmd, check=True)

build("a")
build("b", extra=["-std=metal4.0"])
subprocess.run("xcrun -sdk macosx metallib a.air b.air -o all.metallib", shell=True)
--- a.metal
--- b.metal
"#,
        expect![[r#"
            source a.metal metal4.1 <- compile_kernels.py:4 -std=metal4.1; compile_kernels.py:3 `metal4.1` comes from here
            source b.metal metal4.0 <- compile_kernels.py:13 -std=metal4.0
            link all.metallib mixed (a.metal b.metal)
            warning abi-version-mismatch: `all.metallib` links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
        "#]],
    );
}

#[test]
fn python_branches_differ() {
    check(
        r#"
--- build.py
std = "-std=metal4.0"
if new:
    std = "-std=metal4.1"
subprocess.run(["xcrun", "metal", std, "-c", "a.metal", "-o", "a.air"])
flags = ["-O2"]
if new:
    flags.append("-std=metal4.1")
    flags.append("-g")
for name in ["b.metal", "c.metal"]:
    out = name + ".air"
    subprocess.run(["xcrun", "metal", *flags, "-mmacosx-version-min=26.0", "-c", name, "-o", out])
--- a.metal
--- b.metal
--- c.metal
"#,
        expect![[r#"
            source a.metal unknown <- build.py:3 `std` may hold `-std`, and its value is not known
            source b.metal unknown <- build.py:7 `-std=metal4.1` may hold `-std`, and its value is not known
            source c.metal unknown <- build.py:7 `-std=metal4.1` may hold `-std`, and its value is not known
        "#]],
    );
}

#[test]
fn cargo_build_script() {
    check(
        r#"
--- build.rs
use std::process::Command;

fn metal(std: &str, src: &str, air: &str) {
    let out = Command::new("xcrun")
        .args(["--sdk", "macosx", "metal", std, "-c", src, "-o", air])
        .output()
        .expect("xcrun");
}

fn main() {
    metal("-std=metal3.0", "src/cache.metal", "cache.air");
    metal("-std=metal3.1", "src/quant.metal", "quant.air");
    let link = Command::new("xcrun")
        .args(["--sdk", "macosx", "metallib", "cache.air", "quant.air", "-o", "all.metallib"])
        .status();
    let shader_path = "./src/shaders.metal";
    let air = format!("{}/shaders.air", std::env::var("OUT_DIR").unwrap());
    let mut cmd = Command::new("xcrun");
    cmd.args(["-sdk", "macosx", "metal", "-gline-tables-only", "-mmacosx-version-min=10.15.7", "-MO", "-c"]);
    cmd.arg(shader_path).arg("-o").arg(&air);
    cmd.status();
    Command::new("xcrun").args(&["-sdk", "macosx", "metallib"]).arg(&air).arg("-o").arg("shaders.metallib").status();
}
--- src/cache.metal
--- src/quant.metal
--- src/shaders.metal
"#,
        expect![[r#"
            target build.rs unknown <- build.rs:3 `std` may hold `-std`, and its value is not known
            source src/cache.metal metal3.0 <- build.rs:11 -std=metal3.0
            source src/quant.metal metal3.1 <- build.rs:12 -std=metal3.1
            source src/shaders.metal macos-metal2.2 <- build.rs:19 -mmacosx-version-min=10.15.7: the default of macOS 10.15 is macos-metal2.2
            link all.metallib consistent (src/cache.metal src/quant.metal)
            link shaders.metallib consistent (src/shaders.metal)
        "#]],
    );
}

#[test]
fn other_languages() {
    check(
        r##"
--- build.zig
const cmd = b.addSystemCommand(&.{ "xcrun", "-sdk", "macosx", "metal", "-std=metal3.2", "-c", "zig.metal", "-o", "zig.air" });
--- formula.rb
system "xcrun", "-sdk", "macosx", "metal", "-std=metal3.0", "-c", "ruby.metal", "-o", "ruby.air"
flags = %w[-std=metal4.1 -O2]
system("xcrun", "metal", *flags, "-c", "ruby2.metal")
--- build.js
// execSync("xcrun metal -std=metal2.9 -c js.metal")
const std = 'metal4.1';
execSync(`xcrun -sdk macosx metal -std=${std} -c js.metal -o js.air`);
execFileSync("xcrun", ["metal", "-std=metal4.0", "-c", "js2.metal"]);
--- plugin.swift
let arguments = ["-sdk", "macosx", "metal", "-std=metal3.1", "-c", "swift.metal", "-o", "swift.air"]
--- meson.build
air = custom_target('air', output: 'meson.air', input: 'meson.metal',
  command: ['xcrun', '-sdk', 'macosx', 'metal', '-std=metal4.1', '-c', 'meson.metal', '-o', '@OUTPUT@'])
--- build.ml
let () = run "xcrun" ["-sdk"; "macosx"; "metal"; "-std=metal4.0"; "-c"; "ocaml.metal"]
--- make.jl
run(`xcrun -sdk macosx metal -std=metal3.1 -c julia.metal -o julia.air`)
--- zig.metal
--- ruby.metal
--- ruby2.metal
--- js.metal
--- js2.metal
--- swift.metal
--- meson.metal
--- ocaml.metal
--- julia.metal
"##,
        expect![[r#"
            source js.metal metal4.1 <- build.js:3 -std=metal4.1; build.js:2 `metal4.1` comes from here
            source js2.metal metal4.0 <- build.js:4 -std=metal4.0
            source ocaml.metal metal4.0 <- build.ml:1 -std=metal4.0
            source zig.metal metal3.2 <- build.zig:1 -std=metal3.2
            source ruby.metal metal3.0 <- formula.rb:1 -std=metal3.0
            source ruby2.metal metal4.1 <- formula.rb:2 -std=metal4.1
            source julia.metal metal3.1 <- make.jl:1 -std=metal3.1
            source meson.metal metal4.1 <- meson.build:2 -std=metal4.1
            source swift.metal metal3.1 <- plugin.swift:1 -std=metal3.1
        "#]],
    );
}

#[test]
fn compiles_at_run_time() {
    check(
        r#"
--- host.cpp
// options->setLanguageVersion(MTL::LanguageVersion2_0);
auto options = MTL::CompileOptions::alloc()->init();
options->setLanguageVersion(static_cast<MTL::LanguageVersion>((4 << 16) + 1));
other->setLanguageVersion(MTL::LanguageVersion3_2);
--- A.swift
import Metal
let options = MTLCompileOptions()
options.languageVersion = .version4_0
options.languageVersion = MTLLanguageVersion(rawValue: 0x40001)!
options.languageVersion = chosen
let s = "options.languageVersion = .version2_0"
--- Plain.swift
import Metal
let library = try device.makeLibrary(source: text, options: nil)
let other = try device.makeLibrary(URL: url)
--- Unset.swift
import Metal
let options = MTLCompileOptions()
let library = try device.makeLibrary(source: text, options: options)
--- a.m
#import <Metal/Metal.h>
opts.languageVersion = MTLLanguageVersion4_1;
[opts setLanguageVersion:MTLLanguageVersion3_0];
opts.languageVersion = (MTLLanguageVersion)0x40000;
id<MTLLibrary> lib = [device newLibraryWithSource:src options:nil error:&error];
--- a.rs
use metal::*;
options.set_language_version(MTLLanguageVersion::V3_1);
o.setLanguageVersion(MTLLanguageVersion::Version4_0);
msg_send![o, setLanguageVersion: 0x40001];
--- a.py
import Metal
opts.setLanguageVersion_(Metal.MTLLanguageVersion4_0)
library, error = device.newLibraryWithSource_options_error_(source, None, None)
"#,
        expect![[r#"
            runtime A.swift metal4.0 <- A.swift:3 languageVersion is set to .version4_0
            runtime A.swift metal4.1 <- A.swift:4 languageVersion is set to MTLLanguageVersion(rawValue: 0x40001)!
            runtime A.swift unknown <- A.swift:5 languageVersion is set to `chosen`, which is not known
            runtime Plain.swift unknown <- Plain.swift:2 compiled without options: the newest version that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            runtime Unset.swift unknown <- Unset.swift:3 its compile options set no language version: the newest that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            runtime a.m metal4.1 <- a.m:2 languageVersion is set to MTLLanguageVersion4_1
            runtime a.m metal3.0 <- a.m:3 setLanguageVersion is set to MTLLanguageVersion3_0
            runtime a.m metal4.0 <- a.m:4 languageVersion is set to (MTLLanguageVersion)0x40000
            runtime a.m unknown <- a.m:5 compiled without options: the newest version that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            runtime a.py metal4.0 <- a.py:2 setLanguageVersion_ is set to Metal.MTLLanguageVersion4_0
            runtime a.py unknown <- a.py:3 compiled without options: the newest version that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            runtime a.rs metal3.1 <- a.rs:2 set_language_version is set to MTLLanguageVersion::V3_1
            runtime a.rs metal4.0 <- a.rs:3 setLanguageVersion is set to MTLLanguageVersion::Version4_0
            runtime a.rs metal4.1 <- a.rs:4 setLanguageVersion is set to 0x40001
            runtime host.cpp metal4.1 <- host.cpp:3 setLanguageVersion is set to static_cast<MTL::LanguageVersion>((4 << 16) + 1)
            runtime host.cpp metal3.2 <- host.cpp:4 setLanguageVersion is set to MTL::LanguageVersion3_2
            information abi-version-unknown: the language version of this compile at run time is not known: languageVersion is set to `chosen`, which is not known
            information abi-version-unknown: the language version of this compile at run time is not known: compiled without options: the newest version that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            information abi-version-unknown: the language version of this compile at run time is not known: its compile options set no language version: the newest that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            information abi-version-unknown: the language version of this compile at run time is not known: compiled without options: the newest version that the host's system knows, metal4.1 on 27 and metal4.0 or older before
            information abi-version-unknown: the language version of this compile at run time is not known: compiled without options: the newest version that the host's system knows, metal4.1 on 27 and metal4.0 or older before
        "#]],
    );
}

#[test]
fn a_compile_whose_inputs_are_not_known() {
    check(
        r#"
--- build.rs
fn compile(platform: Platform) {
    let mut command = Command::new("xcrun");
    command.arg("--sdk").arg(platform.sdk()).arg("metal").arg(format!("-std={}", platform.metal_std())).arg("-c");
    for file in SOURCES {
        command.arg(folder.join(file));
    }
    for file in HEADERS {
        command.arg(folder.join(file));
    }
    command.spawn();
}
--- a.metal
"#,
        expect![[r#"
            target build.rs unknown <- build.rs:3 the value of `-std=platform.metal_std()` is not known; build.rs:3 `platform.metal_std()` comes from here
            source a.metal unknown <- a.metal no build file was found to compile it
        "#]],
    );
}

fn pipeline_mismatch(swift: &str) -> String {
    let mut tree = MemoryTree::default();
    tree.insert("a.metal", "");
    tree.insert("build.sh", "xcrun -sdk macosx metal -std=metal4.0 a.metal -o default.metallib\n");
    tree.insert("Host.swift", swift);
    let project = Project::load(".", &tree);
    let found = project.diagnostics.iter().find(|it| it.code == msl_diagnostics::Code::AbiVersionMismatch);
    found.map_or(String::new(), |it| format!("{} {}", it.severity.as_str(), it.message))
}

#[test]
fn libraries_that_host_code_joins() {
    let host = |version: &str, linked: &str, rest: &str| {
        format!(
            "import Metal
let library = device.makeDefaultLibrary()!
let options = MTLCompileOptions()
options.languageVersion = .version{version}
let made = try device.makeLibrary(source: text, options: options)
let kernel = library.makeFunction(name: \"k\")!
let linked = MTLLinkedFunctions()
linked.functions = [{linked}.makeFunction(name: \"f\")!]
let descriptor = MTLComputePipelineDescriptor()
descriptor.computeFunction = kernel
descriptor.linkedFunctions = linked
{rest}
let pipeline = try device.makeComputePipelineState(descriptor: descriptor, options: [], reflection: nil)
"
        )
    };
    expect!["error a pipeline ties together code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; its functions call each other through tables with different conventions"].assert_eq(&pipeline_mismatch(&host("4_1", "made", "")));
    assert_eq!(pipeline_mismatch(&host("4_0", "made", "")), "");
    // Both libraries are there, and no pipeline joins them.
    assert_eq!(pipeline_mismatch(&host("4_1", "library", "")), "");
    let preloaded = "descriptor.preloadedLibraries = [try device.makeDynamicLibrary(library: made)]";
    expect!["error a pipeline ties together code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; a dynamic library and what uses it call each other with different conventions"].assert_eq(&pipeline_mismatch(&host("4_1", "library", preloaded)));
}
