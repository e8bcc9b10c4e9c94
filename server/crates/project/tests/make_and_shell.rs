//! Makefiles, shell scripts, compilation databases.

mod support;

use expect_test::expect;
use support::check;

#[test]
fn makefile_with_deployment_targets() {
    check(
        "\
--- Makefile
METAL = xcrun -sdk macosx metal

all: kernels.metallib

old.air: old.metal
\t$(METAL) -c -mmacosx-version-min=26.0 old.metal -o old.air

new.air: new.metal
\t$(METAL) -c -mmacosx-version-min=27.0 new.metal -o new.air

kernels.metallib: old.air new.air
\txcrun -sdk macosx metallib old.air new.air -o kernels.metallib
--- old.metal
--- new.metal
",
        expect![[r#"
            source old.metal metal4.0 <- Makefile:6 -mmacosx-version-min=26.0: the default of macOS 26.0 is metal4.0
            source new.metal metal4.1 <- Makefile:9 -mmacosx-version-min=27.0: the default of macOS 27.0 is metal4.1
            link kernels.metallib mixed (old.metal new.metal)
            warning abi-version-mismatch: `kernels.metallib` links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
            warning abi-deployment-target: `kernels.metallib` is stamped for macOS 26.0, the system of its first input `old.metal`: what comes from `new.metal` needs macOS 27.0 and does not load on macOS 26.0
        "#]],
    );
}

#[test]
fn makefile_with_pattern_rules_and_functions() {
    check(
        "\
--- shaders/Makefile
include ../common.mk
SRCS := $(wildcard *.metal)
AIRS := $(patsubst %.metal,build/%.air,$(SRCS))
ifeq ($(DEBUG),1)
FLAGS += -gline-tables-only
endif

default.metallib: $(AIRS)
\t@xcrun -sdk macosx metallib $^ -o $@

build/%.air: %.metal
\t@mkdir -p build && $(METAL) $(FLAGS) -c $< -o $@
--- common.mk
STD ?= metal4.1
FLAGS := -std=$(STD)
METAL := xcrun -sdk macosx metal
--- shaders/a.metal
--- shaders/b.metal
",
        expect![[r#"
            source shaders/a.metal metal4.1 <- common.mk:2 -std=metal4.1; common.mk:1 `metal4.1` comes from here
            source shaders/b.metal metal4.1 <- common.mk:2 -std=metal4.1; common.mk:1 `metal4.1` comes from here
            link default.metallib consistent (shaders/a.metal shaders/b.metal)
        "#]],
    );
}

#[test]
fn makefile_with_an_undecidable_condition() {
    check(
        "\
--- Makefile
STD := metal4.0
ifdef NEW
STD := metal4.1
endif
a.air: a.metal
\txcrun metal -std=$(STD) -c a.metal -o a.air
--- a.metal
",
        expect![[r#"
            source a.metal unknown <- Makefile:6 the value of `-std=$(STD)` is not known; Makefile:3 `$(STD)` comes from here
        "#]],
    );
}

#[test]
fn shell_script_with_functions_loops_and_pipes() {
    check(
        "\
--- tools/build.sh
#!/bin/bash
set -e
cd \"$(dirname \"$0\")/..\"
FLAGS=(-O2 -std=metal3.1)
compile() {
  xcrun -sdk macosx metal \"${FLAGS[@]}\" -c \"$1\" -o \"out/${1%.metal}.air\"
}
for f in *.metal; do
  compile $f
done
xcrun -sdk macosx metallib out/*.air -o out/all.metallib
xcrun metal -std=metal4.1 -c -o - one/c.metal | xcrun metallib - -o c.metallib
--- a.metal
--- b.metal
--- one/c.metal
",
        expect![[r#"
            source a.metal metal3.1 <- tools/build.sh:4 -std=metal3.1
            source b.metal metal3.1 <- tools/build.sh:4 -std=metal3.1
            source one/c.metal metal4.1 <- tools/build.sh:12 -std=metal4.1
            link out/all.metallib consistent (a.metal b.metal)
            link c.metallib consistent (one/c.metal)
        "#]],
    );
}

#[test]
fn shell_script_whose_branches_differ() {
    check(
        "\
--- build.sh
if [ \"$1\" = new ]; then STD=metal4.1; else STD=metal4.0; fi
SDK=macosx
if [ -n \"$CI\" ]; then SDK=macosx; fi
xcrun -sdk $SDK metal -std=$STD -c a.metal -o a.air
xcrun -sdk $SDK metal -std=${OTHER:-metal3.2} -c b.metal -o b.air
xcrun -sdk $SDK metal -c c.metal -o c.air
--- a.metal
--- b.metal
--- c.metal
",
        expect![[r#"
            source a.metal unknown <- build.sh:4 the value of `-std=${STD}` is not known; build.sh:1 `${STD}` comes from here
            source b.metal metal3.2 <- build.sh:5 -std=metal3.2; build.sh:5 `metal3.2` comes from here
            source c.metal unknown <- build.sh:2 neither `-std` nor a deployment target: the version is the default of the SDK
        "#]],
    );
}

#[test]
fn archives_and_dynamic_libraries() {
    check(
        "\
--- build.sh
xcrun metal -std=metal4.0 -c a.metal -o a.air
xcrun metal -std=metal4.1 -c b.metal -o b.air
xcrun metal-ar rcs lib.metalar a.air
xcrun metallib lib.metalar b.air -o out.metallib
xcrun metal -std=metal4.0 -dynamiclib a.metal -install_name @rpath/libUtil.metallib -o libUtil.metallib
xcrun metal -std=metal4.1 b.metal -lUtil -L . -o user.metallib
--- a.metal
--- b.metal
",
        expect![[r#"
            source a.metal metal4.0 <- build.sh:1 -std=metal4.0
            source b.metal metal4.1 <- build.sh:2 -std=metal4.1
            source a.metal metal4.0 <- build.sh:5 -std=metal4.0
            source b.metal metal4.1 <- build.sh:6 -std=metal4.1
            link out.metallib mixed (a.metal b.metal)
            link libUtil.metallib consistent (a.metal)
            link user.metallib mixed (b.metal a.metal)
            warning abi-version-mismatch: `out.metallib` links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
            error abi-version-mismatch: `user.metallib` ties together code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; a dynamic library and what uses it call each other with different conventions
        "#]],
    );
}

#[test]
fn compilation_database() {
    check(
        "\
--- build/compile_commands.json
[
  { \"directory\": \"/project/build\",
    \"command\": \"xcrun -sdk macosx metal -std=metal3.1 -DNAME=\\\"a b\\\" -c /project/src/a.metal -o a.air\",
    \"file\": \"/project/src/a.metal\" },
  { \"directory\": \"..\", \"file\": \"src/b.metal\",
    \"arguments\": [\"metal\", \"-c\", \"-target\", \"air64-apple-macos27.0\", \"src/b.metal\"] },
  { \"directory\": \"/project\", \"command\": \"clang -c x.c\", \"file\": \"x.c\" }
]
--- src/a.metal
--- src/b.metal
",
        expect![[r#"
            source src/a.metal metal3.1 <- build/compile_commands.json:3 -std=metal3.1
            source src/b.metal metal4.1 <- build/compile_commands.json:6 air64-apple-macos27.0: the default of macOS 27.0 is metal4.1
        "#]],
    );
}

#[test]
fn what_is_in_a_dynamic_library() {
    let project = support::load(
        "\
--- build.sh
xcrun metal -std=metal4.1 -c a.metal -o a.air
xcrun metal -std=metal4.1 -dynamiclib a.air -install_name @rpath/libUtil.metallib -o libUtil.metallib
xcrun metal -std=metal4.1 -dynamiclib direct.metal -o libDirect.metallib
xcrun metal -std=metal4.1 user.metal -lUtil -L . -o user.metallib
--- a.metal
--- direct.metal
--- user.metal
",
    );
    let is_in = |path: &str| project.is_in_dynamic_library(path);
    assert_eq!(["a.metal", "direct.metal", "user.metal", "none.metal"].map(is_in), [true, true, false, false]);
}
