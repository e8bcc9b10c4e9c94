#include <metal_stdlib>
//^^^^^^ keyword.control.directive.include
//       ^^^^^^^^^^^^^^ string.quoted.other.include
using namespace metal;
// <- keyword.other.using
//              ^^^^^ entity.name.namespace

#define TILE(n) (16 * (n))
//<- keyword.control.directive.define
//      ^^^^ entity.name.function.preprocessor
//           ^ variable.parameter.preprocessor
//               ^^ constant.numeric.decimal
#if defined(__METAL_VERSION__) && __METAL_VERSION__ >= 410
//  ^^^^^^^ keyword.control.directive.defined
//          ^^^^^^^^^^^^^^^^^ entity.name.function.preprocessor
//                                                     ^^^ constant.numeric.decimal
#endif

/// How bright a light appears. @param light where
//                              ^^^^^^ storage.type.annotation.documentation
//  ^^^ comment.line.double-slash.documentation
// A plain comment. msl-analyzer: allow(address-space)
//                  ^^^^^^^^^^^^ storage.type.annotation
//                                      ^^^^^^^^^^^^^ variable.other.annotation

struct alignas(16) Light {
// <- storage.type.struct
//     ^^^^^^^ storage.modifier.alignas
//                 ^^^^^ entity.name.type
    packed_float3 position [[attribute(0)]];
//  ^^^^^^^^^^^^^ support.type.vector
//                ^^^^^^^^ variable.other
//                           ^^^^^^^^^ entity.other.attribute-name
//                                     ^ constant.numeric.decimal
    float3x3 basis;
//  ^^^^^^^^ support.type.vector
};

enum class Mode : uint8_t { on };
// <- storage.type.enum
//   ^^^^^ storage.type.class
//         ^^^^ entity.name.type
//                ^^^^^^^ support.type.builtin

kernel void shade(device const Light *lights [[buffer(TILE(0)), function_constant(on)]],
// <- storage.type.function
//     ^^^^ support.type.builtin
//          ^^^^^ entity.name.function
//                ^^^^^^ storage.modifier.address-space
//                       ^^^^^ storage.modifier
//                             ^^^^^ entity.name.type
//                                           ^^ punctuation.section.attribute.begin
//                                             ^^^^^^ entity.other.attribute-name
//                                                              ^^^^^^^^^^^^^^^^^ entity.other.attribute-name
//                                                                                   ^^ punctuation.section.attribute.end
                  texture2d<half, access::write> target [[texture(0)]],
//                ^^^^^^^^^ support.type.library
//                          ^^^^ support.type.builtin
//                                ^^^^^^ entity.name.namespace
                  coherent(device) atomic_uint *counter [[buffer(1)]],
//                ^^^^^^^^ storage.modifier.address-space
//                         ^^^^^^ storage.modifier.address-space
//                                 ^^^^^^^^^^^ support.type.library
                  threadgroup half4 *shared [[threadgroup(0)]],
//                ^^^^^^^^^^^ storage.modifier.address-space
//                            ^^^^^ support.type.vector
                  uint i [[thread_position_in_grid]]) {
//                         ^^^^^^^^^^^^^^^^^^^^^^^ entity.other.attribute-name
    constexpr sampler s(filter::linear);
//  ^^^^^^^^^ storage.modifier
//            ^^^^^^^ support.type.library
//                      ^^^^^^ entity.name.namespace
    if (i < 3u) return;
//  ^^ keyword.control
//          ^^ constant.numeric.decimal
//              ^^^^^^ keyword.control
    half h = 1.0h + as_type<half>(ushort(0x3C00));
//           ^^^^ constant.numeric.decimal.point
//                  ^^^^^^^ keyword.operator.cast
//                                ^^^^^^ support.type.builtin
//                                       ^^^^^^ constant.numeric.hexadecimal
    bfloat b = 2.5bf + .5e-3f + 1'000'000;
//             ^^^^^ constant.numeric.decimal.point
//                     ^^^^^^ constant.numeric.decimal.point
//                              ^^^^^^^^^ constant.numeric.decimal
    target.write(half4(h), uint2(i, 0));
//         ^^^^^ entity.name.function
//               ^^^^^ support.type.vector
    lights[i].position.xyz;
//            ^^^^^^^^ variable.other.property
//                     ^^^ variable.other.property
    os_log_default.log("%v4f \n", float4(0));
//                     ^^^^^^^^ string.quoted.double
//                           ^^ constant.character.escape
    threadgroup_barrier(mem_flags::mem_threadgroup);
//  ^^^^^^^^^^^^^^^^^^^ entity.name.function
//                      ^^^^^^^^^ entity.name.namespace
    auto f = this->template run<MAX_LIGHTS>(R"x(a " b)x");
//  ^^^^ storage.type
//           ^^^^ variable.language.this
//                              ^^^^^^^^^^ constant.other.caps
//                                              ^^^^^ string.quoted.double.raw
}
