//! Xcode projects and the descriptions they are made from; packages; rules; workflows.

mod support;

use expect_test::expect;
use support::check;

const PROJECT: &str = r#"
--- App.xcodeproj/project.pbxproj
// !$*UTF8*$!
{
	archiveVersion = 1;
	objects = {
		F1 /* A.metal */ = {isa = PBXFileReference; lastKnownFileType = sourcecode.metal; path = A.metal; sourceTree = "<group>"; };
		F2 /* B.metal */ = {isa = PBXFileReference; path = B.metal; sourceTree = "<group>"; };
		F3 = {isa = PBXFileReference; path = Base.xcconfig; sourceTree = "<group>"; };
		G0 = {isa = PBXGroup; children = (G1, F3); sourceTree = "<group>"; };
		G1 = {isa = PBXGroup; children = (F1, F2); path = Shaders; sourceTree = "<group>"; };
		B1 = {isa = PBXBuildFile; fileRef = F1 /* A.metal */; };
		B2 = {isa = PBXBuildFile; fileRef = F2; settings = {COMPILER_FLAGS = "-std=metal4.1"; }; };
		S1 = {isa = PBXSourcesBuildPhase; files = (B1, B2, ); };
		T1 = {isa = PBXNativeTarget; buildConfigurationList = L1; buildPhases = (S1, ); name = App; };
		P = {isa = PBXProject; buildConfigurationList = L0; mainGroup = G0; targets = (T1); };
		L0 = {isa = XCConfigurationList; buildConfigurations = (C0, C2, ); };
		L1 = {isa = XCConfigurationList; buildConfigurations = (C1, C3, ); };
		C0 = {isa = XCBuildConfiguration; baseConfigurationReference = F3; buildSettings = {SDKROOT = macosx; }; name = Debug; };
		C2 = {isa = XCBuildConfiguration; buildSettings = {SDKROOT = macosx; MTL_LANGUAGE_REVISION = Metal40; }; name = Release; };
		C1 = {isa = XCBuildConfiguration; buildSettings = {}; name = Debug; };
		C3 = {isa = XCBuildConfiguration; buildSettings = {"MTL_LANGUAGE_REVISION[sdk=macosx*]" = UseDeploymentTarget; MACOSX_DEPLOYMENT_TARGET = 27.0; }; name = Release; };
	};
	rootObject = P;
}
--- Base.xcconfig
#include "Common.xcconfig"
MTL_LANGUAGE_REVISION = $(REVISION) // the version
--- Common.xcconfig
REVISION = Metal32
--- Shaders/A.metal
--- Shaders/B.metal
"#;

#[test]
fn xcode_project() {
    check(
        PROJECT,
        expect![[r#"
            source Shaders/A.metal metal3.2 <- Common.xcconfig:1 MTL_LANGUAGE_REVISION = Metal32
            source Shaders/B.metal metal4.1 <- App.xcodeproj/project.pbxproj:11 -std=metal4.1
            source Shaders/A.metal metal4.1 <- App.xcodeproj/project.pbxproj:20 MACOSX_DEPLOYMENT_TARGET = 27.0: the default of macOS 27.0 is metal4.1
            link App (Debug, macOS) mixed (Shaders/A.metal Shaders/B.metal)
            link App (Release, macOS) consistent (Shaders/A.metal Shaders/B.metal)
            warning abi-version-mismatch: App (Debug, macOS) links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
        "#]],
    );
}

#[test]
fn xcode_deployment_targets_of_several_systems() {
    let project = PROJECT
        .replace("SDKROOT = macosx; ", "")
        .replace("MTL_LANGUAGE_REVISION = Metal40;", "IPHONEOS_DEPLOYMENT_TARGET = 17.0;")
        .replace("; settings = {COMPILER_FLAGS = \"-std=metal4.1\"; }", "");
    check(
        &project,
        expect![[r#"
        source Shaders/A.metal metal3.2 <- Common.xcconfig:1 MTL_LANGUAGE_REVISION = Metal32
        source Shaders/B.metal metal3.2 <- Common.xcconfig:1 MTL_LANGUAGE_REVISION = Metal32
        source Shaders/A.metal metal4.1 <- App.xcodeproj/project.pbxproj:20 MACOSX_DEPLOYMENT_TARGET = 27.0: the default of macOS 27.0 is metal4.1
        source Shaders/B.metal metal4.1 <- App.xcodeproj/project.pbxproj:20 MACOSX_DEPLOYMENT_TARGET = 27.0: the default of macOS 27.0 is metal4.1
        source Shaders/A.metal metal3.1 <- App.xcodeproj/project.pbxproj:18 IPHONEOS_DEPLOYMENT_TARGET = 17.0: the default of iOS 17.0 is metal3.1
        source Shaders/B.metal metal3.1 <- App.xcodeproj/project.pbxproj:18 IPHONEOS_DEPLOYMENT_TARGET = 17.0: the default of iOS 17.0 is metal3.1
        link App (Debug) consistent (Shaders/A.metal Shaders/B.metal)
        link App (Release, macOS) consistent (Shaders/A.metal Shaders/B.metal)
        link App (Release, iOS) consistent (Shaders/A.metal Shaders/B.metal)
    "#]],
    );
}

#[test]
fn xcodegen() {
    check(
        r#"
--- project.yml
name: App
options:
  deploymentTarget:
    iOS: "17.0"
settings:
  base:
    MTL_LANGUAGE_REVISION: UseDeploymentTarget
targets:
  App:
    platform: iOS
    sources: [Sources]
  Kernels:
    platform: macOS
    deploymentTarget: "14.0"
    sources:
      - path: Kernels
    settings:
      base:
        MTL_LANGUAGE_REVISION: Metal41
--- Sources/a.metal
--- Kernels/k.metal
"#,
        expect![[r#"
            source Sources/a.metal metal3.1 <- project.yml:4 IPHONEOS_DEPLOYMENT_TARGET = 17.0: the default of iOS 17.0 is metal3.1
            source Kernels/k.metal metal4.1 <- project.yml:19 MTL_LANGUAGE_REVISION = Metal41; project.yml:14 MACOSX_DEPLOYMENT_TARGET = 14.0: the default of macOS 14.0 is metal3.1
            link App consistent (Sources/a.metal)
            link Kernels consistent (Kernels/k.metal)
            warning abi-deployment-target: metal4.1 needs macOS 27, and the deployment target is macOS 14.0: the library will not load there
        "#]],
    );
}

#[test]
fn descriptions_that_are_programs() {
    check(
        r#"
--- tuist/Project.swift
let target = Target(name: "App", sources: ["Sources/**"],
  settings: .settings(base: ["MTL_LANGUAGE_REVISION": "Metal41"]))
--- pod/Pod.podspec
Pod::Spec.new do |s|
  s.source_files = 'Pod/**/*.{h,m,metal}'
  s.pod_target_xcconfig = { "MTL_LANGUAGE_REVISION" => "Metal21" }
end
--- premake/premake5.lua
-- xcodebuildsettings { ["MTL_LANGUAGE_REVISION"] = "Metal20" }
xcodebuildsettings { ["MTL_LANGUAGE_REVISION"] = "Metal31" }
--- buck/defs.bzl
CONFIG = {
    "MTL_LANGUAGE_REVISION": "Metal12",
}
--- bazel/BUILD
apple_metal_library(
    name = "shaders",
    srcs = glob(["*.metal"]),
    copts = ["-std=metal4.1", "-O2"],
)
--- package/Package.swift
// swift-tools-version: 6.0
let package = Package(name: "P", platforms: [.macOS(.v27), .iOS("17.0")],
  targets: [.target(name: "P", resources: [.process("p.metal")])])
--- tuist/Sources/t.metal
--- pod/Pod/deep/p.metal
--- bazel/b.metal
--- package/Sources/P/p.metal
"#,
        expect![[r#"
            source bazel/b.metal metal4.1 <- bazel/BUILD:4 -std=metal4.1
            target buck/defs.bzl macos-metal1.2 <- buck/defs.bzl:2 MTL_LANGUAGE_REVISION = Metal12
            source package/Sources/P/p.metal metal4.1 <- package/Package.swift:2 platforms: the default of macOS 27.0 is metal4.1
            source package/Sources/P/p.metal metal3.1 <- package/Package.swift:2 platforms: the default of iOS 17.0 is metal3.1
            source pod/Pod/deep/p.metal macos-metal2.1 <- pod/Pod.podspec:3 MTL_LANGUAGE_REVISION = Metal21
            target premake/premake5.lua metal3.1 <- premake/premake5.lua:2 MTL_LANGUAGE_REVISION = Metal31
            source tuist/Sources/t.metal metal4.1 <- tuist/Project.swift:2 MTL_LANGUAGE_REVISION = Metal41
            link shaders consistent (bazel/b.metal)
            link defs.bzl consistent (buck/defs.bzl)
            link Package.swift (macOS) consistent (package/Sources/P/p.metal)
            link Package.swift (iOS) consistent (package/Sources/P/p.metal)
            link Pod.podspec consistent (pod/Pod/deep/p.metal)
            link premake5.lua consistent (premake/premake5.lua)
            link Project.swift consistent (tuist/Sources/t.metal)
        "#]],
    );
}

#[test]
fn workflows_and_justfiles() {
    check(
        r#"
--- .github/workflows/ci.yml
env:
  STD: metal4.1
jobs:
  build:
    strategy:
      matrix:
        std: [metal3.0]
    steps:
      - uses: actions/checkout@v4
      - name: shaders
        run: |
          xcrun -sdk macosx metal -std=$STD -c a.metal -o a.air
          xcrun -sdk macosx metal -std=${{ env.STD }} -c b.metal -o b.air
          xcrun -sdk macosx metal -std=${{ matrix.std }} -c c.metal -o c.air
      - run: xcrun -sdk macosx metallib a.air b.air -o all.metallib
--- justfile
std := "metal3.2"
# build
shaders:
    @xcrun -sdk macosx metal -std={{std}} -c d.metal -o d.air
--- a.metal
--- b.metal
--- c.metal
--- d.metal
"#,
        expect![[r#"
            source a.metal metal4.1 <- .github/workflows/ci.yml:12 -std=metal4.1; .github/workflows/ci.yml:2 `metal4.1` comes from here
            source b.metal metal4.1 <- .github/workflows/ci.yml:13 -std=metal4.1; .github/workflows/ci.yml:2 `metal4.1` comes from here
            source c.metal unknown <- .github/workflows/ci.yml:14 the value of `-std={{ matrix.std }}` is not known; .github/workflows/ci.yml:14 `{{ matrix.std }}` comes from here
            source d.metal metal3.2 <- justfile:4 -std=metal3.2; justfile:1 `metal3.2` comes from here
            link all.metallib consistent (a.metal b.metal)
        "#]],
    );
}

#[test]
fn xcodegen_groups_of_settings() {
    check(
        "\
--- project.yml
name: App
settingGroups:
  shaders:
    groups: [common]
    MTL_LANGUAGE_REVISION: Metal40
  common:
    MACOSX_DEPLOYMENT_TARGET: 27.0
targets:
  Renderer:
    platform: macOS
    sources: Kernels
    settings:
      groups: [shaders]
--- Kernels/k.metal
",
        expect![[r#"
            source Kernels/k.metal metal4.0 <- project.yml:5 MTL_LANGUAGE_REVISION = Metal40; project.yml:7 MACOSX_DEPLOYMENT_TARGET = 27.0: the default of macOS 27.0 is metal4.1
            link Renderer consistent (Kernels/k.metal)
        "#]],
    );
}
