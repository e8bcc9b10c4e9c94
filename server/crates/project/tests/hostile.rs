//! Broken and hostile build files: nothing panics, nothing runs long, and unknown is unknown.

mod support;

use msl_project::{MemoryTree, Project, dot};
use proptest::prelude::*;
use support::{show, tree};

const NAMES: &[&str] = &[
    "Makefile",
    "CMakeLists.txt",
    "CMakePresets.json",
    "build.ninja",
    "build.sh",
    "build.py",
    "build.rs",
    "a.swift",
    "a.mm",
    "a.rb",
    "a.js",
    "a.lua",
    "a.ml",
    "a.jl",
    "build.zig",
    "compile_commands.json",
    "X.xcodeproj/project.pbxproj",
    "a.xcconfig",
    "project.yml",
    "justfile",
    "BUILD",
    "Package.swift",
    "p.podspec",
];

/// Pieces that the readers' languages are made of.
const PIECES: &[&str] = &[
    "xcrun",
    "metal",
    " -std=metal4.1",
    " -c a.metal",
    "-mmacosx-version-min=",
    "27.0",
    " | ",
    "metallib",
    "$(",
    "${",
    "$<",
    ")",
    "}",
    "{",
    "(",
    "[",
    "]",
    "\"",
    "'",
    "`",
    "\\",
    "\n",
    "\n\t",
    "  ",
    ":",
    "=",
    ":=",
    "+=",
    ",",
    ";",
    "#",
    "//",
    "/*",
    "*/",
    "if",
    "then",
    "else",
    "fi",
    "for x in ",
    "do",
    "done",
    "def f(a):",
    "fn f(a: b) {",
    "function(f x)",
    "endfunction()",
    "f(",
    "set(A ${A}${A})",
    "A = $(A)",
    "foreach(x a b)",
    "endforeach()",
    "include",
    "a.air",
    "-o",
    "languageVersion",
    ".version4_1",
    "newLibraryWithSource",
    "import Metal\nlet l = MTLLinkedFunctions()\n",
    "l.makeFunction(name: \"a\")",
    "[l newFunctionWithName:@\"a\"]",
    "l->newFunction(MTLSTR(\"a\"))",
    ".groups = [\"a\": [b]]",
    ".map { $0 }",
    "func f(a b: C) {",
    "@implementation A\n",
    "[table setFunction:h atIndex:0];",
    "descriptor.maxCallStackDepth = 1\n",
    "objects",
    "isa",
    "<<EOF",
    "%",
    "&&",
    "@",
    "?",
    "é",
    "\u{1}",
    "\u{2}",
    "settings",
    "targets:",
    "MTL_LANGUAGE_REVISION",
    "Command::new",
    ".args(",
    "rule r",
    "build a: r b",
    "command = ",
    "platforms",
    "define X",
    "endef",
    "ifeq (a,b)",
    "endif",
    "$(call f,x)",
    "$(foreach x,a b,$(x))",
    "case",
    "esac",
    ";;",
    "\r\n",
    "\0",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..120).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_in_any_file(texts in prop::collection::vec(soup(), NAMES.len())) {
        let mut tree = MemoryTree::default();
        for (name, text) in NAMES.iter().zip(&texts) {
            tree.insert(name, text.as_bytes());
        }
        tree.insert("a.metal", "");
        let project = Project::load(".", &tree);
        for link in &project.link_units {
            prop_assert!(link.members.iter().all(|&member| member < project.units.len()));
        }
        for unit in &project.units {
            for evidence in unit.evidence.iter().filter_map(|evidence| evidence.range) {
                prop_assert!(evidence.start <= evidence.end);
            }
        }
        dot(&project);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600), name in prop::sample::select(NAMES)) {
        let mut tree = MemoryTree::default();
        tree.insert(name, bytes);
        Project::load(".", &tree);
    }
}

#[test]
fn growth_is_bounded() {
    let doubling: String = (0..60).map(|n| format!("A{} = $(A{n}) $(A{n})\n", n + 1)).collect();
    let cmake: String = (0..60).map(|n| format!("set(A{} \"${{A{n}}}${{A{n}}}\")\n", n + 1)).collect();
    let shell: String = (0..60).map(|n| format!("A{}=\"$A{n}$A{n}\"\n", n + 1)).collect();
    let fixture = format!(
        "--- Makefile\nA0 = -O2 -O3\n{doubling}all:\n\txcrun metal $(A60) -c a.metal\n\
         --- CMakeLists.txt\nset(A0 xxxxxxxx)\n{cmake}\nfunction(f)\nf()\nf()\nendfunction()\nf()\ninclude(CMakeLists.txt)\n\
         --- build.sh\nA0=xxxxxxxx\n{shell}\nf() {{ f; f; }}\nf\nxcrun metal $A60 -c a.metal\n\
         --- build.py\ndef f(x):\n    f(x)\n    f(x)\nf('xcrun')\nx = 'xcrun'\n\
         --- a.metal\n"
    );
    let project = Project::load(".", &tree(&fixture));
    assert!(project.units.iter().any(|unit| &*unit.path == "a.metal"));
}

#[test]
fn deep_nesting_is_bounded() {
    let fixture = format!(
        "--- compile_commands.json\n{}\n--- build.py\nx = {}'xcrun'\n--- CMakeLists.txt\nif({} A)\n--- build.sh\n{}\n--- a.yml\ntargets: metal {}\n",
        "[".repeat(20_000),
        "(".repeat(20_000),
        "NOT ".repeat(20_000),
        "if true; then ".repeat(3_000),
        "[".repeat(5_000),
    );
    let tree = tree(&fixture);
    show(&Project::load(".", &tree), &tree);
}

#[test]
fn broken_tails_keep_what_came_before() {
    let whole = "METAL = xcrun metal\na.air: a.metal\n\t$(METAL) -std=metal4.1 -c a.metal -o a.air\nifeq ($(";
    let mut tree = MemoryTree::default();
    tree.insert("Makefile", whole);
    tree.insert("a.metal", "");
    let project = Project::load(".", &tree);
    assert_eq!(project.version_of("a.metal").map(|detected| detected.std.to_string()).as_deref(), Some("metal4.1"));
}
