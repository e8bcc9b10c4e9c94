//! CMake with its presets, and Ninja.

mod support;

use expect_test::expect;
use support::check;

#[test]
fn variables_and_custom_commands() {
    check(
        r#"
--- CMakeLists.txt
cmake_minimum_required(VERSION 3.24)
project(kernels LANGUAGES NONE)
set(CMAKE_OSX_DEPLOYMENT_TARGET 14.0)
set(SRC ${CMAKE_CURRENT_SOURCE_DIR}/reduce.metal)
set(AIR ${CMAKE_CURRENT_BINARY_DIR}/reduce.air)
add_custom_command(OUTPUT ${AIR}
  COMMAND xcrun -sdk macosx metal -mmacosx-version-min=${CMAKE_OSX_DEPLOYMENT_TARGET} -c ${SRC} -o ${AIR}
  DEPENDS ${SRC})
add_custom_command(OUTPUT kernels.metallib
  COMMAND xcrun -sdk macosx metal ${AIR} -o kernels.metallib
  DEPENDS ${AIR})
add_custom_target(kernels ALL DEPENDS kernels.metallib)
--- reduce.metal
"#,
        expect![[r#"
            source reduce.metal metal3.1 <- CMakeLists.txt:7 -mmacosx-version-min=14.0: the default of macOS 14.0 is metal3.1; CMakeLists.txt:3 `14.0` comes from here
            link kernels.metallib consistent (reduce.metal)
        "#]],
    );
}

#[test]
fn cache_variables_presets_and_pipes() {
    check(
        r#"
--- CMakeLists.txt
project(top)
add_subdirectory(src)
--- src/CMakeLists.txt
set(GGML_METAL_STD "" CACHE STRING "")
set(XC_FLAGS -O3)
if (GGML_METAL_STD)
    message(STATUS "Adding -std=${GGML_METAL_STD}")
    list(APPEND XC_FLAGS -std=${GGML_METAL_STD})
endif()
add_custom_command(
    OUTPUT default.metallib
    COMMAND xcrun -sdk macosx metal ${XC_FLAGS} -c ${CMAKE_CURRENT_SOURCE_DIR}/a.metal -o - |
            xcrun -sdk macosx metallib - -o default.metallib
    DEPENDS a.metal)
--- CMakePresets.json
{ "version": 3, "configurePresets": [
  { "name": "base", "hidden": true, "cacheVariables": { "GGML_METAL_STD": "metal3.1" } },
  { "name": "new", "inherits": "base", "cacheVariables": { "GGML_METAL_STD": { "type": "STRING", "value": "metal4.1" } } }
] }
--- .github/workflows/build.yml
jobs:
  build:
    steps:
      - run: |
          mkdir build
          cmake -B build -DGGML_METAL_STD=metal4.0
--- src/a.metal
"#,
        expect![[r#"
            source src/a.metal unknown <- src/CMakeLists.txt:9 neither `-std` nor a deployment target: the version is the default of the SDK
            source src/a.metal metal4.1 <- src/CMakeLists.txt:5 -std=metal4.1; CMakePresets.json:3 `metal4.1` comes from here
            source src/a.metal metal4.0 <- src/CMakeLists.txt:5 -std=metal4.0; .github/workflows/build.yml:6 `metal4.0` comes from here
            link default.metallib unknown (src/a.metal)
            link default.metallib consistent (src/a.metal)
            link default.metallib consistent (src/a.metal)
            information abi-version-unknown: the language version of `src/a.metal` in `default.metallib` is not known: neither `-std` nor a deployment target: the version is the default of the SDK
        "#]],
    );
}

#[test]
fn functions_with_arguments() {
    check(
        r#"
--- CMakeLists.txt
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)
include(Metal)
metal_to_air(${CMAKE_CURRENT_LIST_DIR}/basic.metal basic.air "-std=metal3.1")
metal_to_air(${CMAKE_CURRENT_LIST_DIR}/new.metal new.air "-std=metal4.1")
air_to_metallib(all.metallib basic.air new.air)
build_lib(TITLE lib SOURCES k1.metal k2.metal FLAGS -std=metal4.0)
--- cmake/Metal.cmake
function(metal_to_air SRC TARGET FLAGS)
    add_custom_command(COMMAND xcrun metal -c ${SRC} -I ${CMAKE_SOURCE_DIR} -o ${TARGET} ${FLAGS} -Wall
        OUTPUT ${TARGET} DEPENDS ${SRC})
endfunction()
function(air_to_metallib TARGET OBJECTS)
    set(_OBJECTS ${OBJECTS} ${ARGN})
    add_custom_command(COMMAND xcrun metallib -o ${TARGET} ${_OBJECTS} OUTPUT ${TARGET})
endfunction()
macro(build_lib)
    cmake_parse_arguments(MTLLIB "" "TITLE" "SOURCES;FLAGS" ${ARGN})
    foreach(SRC IN LISTS MTLLIB_SOURCES)
        get_filename_component(NAME ${SRC} NAME_WE)
        add_custom_command(OUTPUT ${NAME}.air COMMAND xcrun -sdk macosx metal ${MTLLIB_FLAGS} -c ${CMAKE_CURRENT_SOURCE_DIR}/${SRC} -o ${NAME}.air)
        list(APPEND AIRS ${NAME}.air)
    endforeach()
    add_custom_command(OUTPUT ${MTLLIB_TITLE}.metallib COMMAND xcrun -sdk macosx metallib ${AIRS} -o ${MTLLIB_TITLE}.metallib)
endmacro()
--- basic.metal
--- new.metal
--- k1.metal
--- k2.metal
"#,
        expect![[r#"
            source basic.metal metal3.1 <- CMakeLists.txt:3 -std=metal3.1
            source new.metal metal4.1 <- CMakeLists.txt:4 -std=metal4.1
            source k1.metal metal4.0 <- CMakeLists.txt:6 -std=metal4.0
            source k2.metal metal4.0 <- CMakeLists.txt:6 -std=metal4.0
            link all.metallib mixed (basic.metal new.metal)
            link lib.metallib consistent (k1.metal k2.metal)
            warning abi-version-mismatch: `all.metallib` links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
        "#]],
    );
}

#[test]
fn what_only_the_machine_knows() {
    check(
        r#"
--- CMakeLists.txt
execute_process(COMMAND bash -c "xcrun -sdk macosx --show-sdk-version" OUTPUT_VARIABLE SDK)
if(SDK VERSION_GREATER_EQUAL 27)
  set(STD metal4.1)
else()
  set(STD metal4.0)
endif()
add_custom_command(OUTPUT a.air COMMAND xcrun metal -std=${STD} -c ${CMAKE_SOURCE_DIR}/a.metal -o a.air)
add_custom_command(OUTPUT b.air COMMAND xcrun metal -mmacosx-version-min=${CMAKE_OSX_DEPLOYMENT_TARGET} -c ${CMAKE_SOURCE_DIR}/b.metal -o b.air)
add_custom_command(OUTPUT c.air COMMAND xcrun metal $<$<CONFIG:Debug>:-gline-tables-only> -mmacosx-version-min=26.0 $<TARGET_PROPERTY:x,FLAGS> -c ${CMAKE_SOURCE_DIR}/c.metal -o c.air)
add_custom_command(OUTPUT d.air COMMAND xcrun metal $<$<CONFIG:Debug>:-gline-tables-only> -mmacosx-version-min=26.0 -c ${CMAKE_SOURCE_DIR}/d.metal -o d.air)
--- a.metal
--- b.metal
--- c.metal
--- d.metal
"#,
        expect![[r#"
            source a.metal unknown <- CMakeLists.txt:7 the value of `-std=${STD}` is not known; CMakeLists.txt:5 `${STD}` comes from here
            source b.metal unknown <- CMakeLists.txt:8 the value of `-mmacosx-version-min=${CMAKE_OSX_DEPLOYMENT_TARGET}` is not known
            source c.metal unknown <- CMakeLists.txt:9 `$<TARGET_PROPERTY:x,FLAGS>` may hold `-std`, and its value is not known
            source d.metal metal4.0 <- CMakeLists.txt:10 -mmacosx-version-min=26.0: the default of macOS 26.0 is metal4.0
        "#]],
    );
}

#[test]
fn xcode_generator() {
    check(
        r#"
--- CMakeLists.txt
set(CMAKE_XCODE_ATTRIBUTE_MTL_LANGUAGE_REVISION Metal40)
add_executable(app main.cpp a.metal)
add_library(other b.metal)
set_target_properties(other PROPERTIES XCODE_ATTRIBUTE_MTL_LANGUAGE_REVISION "Metal41")
--- a.metal
--- b.metal
"#,
        expect![[r#"
            source a.metal metal4.0 <- CMakeLists.txt:1 MTL_LANGUAGE_REVISION = Metal40
            source b.metal metal4.1 <- CMakeLists.txt:4 MTL_LANGUAGE_REVISION = Metal41
            link app consistent (a.metal)
            link other consistent (b.metal)
        "#]],
    );
}

#[test]
fn ninja() {
    check(
        r#"
--- build.ninja
std = metal4.1
rule metal
  command = xcrun -sdk macosx metal -std=$std $flags -c $in -o $out
rule metallib
  command = xcrun -sdk macosx metallib $
      $in -o $out
build a.air: metal a.metal | dep.h
build b.air: metal b.metal
  std = metal4.0
  flags = -O2
build all.metallib: metallib a.air b.air
--- a.metal
--- b.metal
"#,
        expect![[r#"
            source a.metal metal4.1 <- build.ninja:3 -std=metal4.1; build.ninja:1 `metal4.1` comes from here
            source b.metal metal4.0 <- build.ninja:3 -std=metal4.0; build.ninja:9 `metal4.0` comes from here
            link all.metallib mixed (a.metal b.metal)
            warning abi-version-mismatch: `all.metallib` links code from both sides of Metal 4.1: 1 unit before it and 1 unit from it on; neither compiler nor linker checks this, compile all of it with one version
        "#]],
    );
}
