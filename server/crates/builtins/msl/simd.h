//! The types that shaders share with host code, under the names of the host's `<simd/simd.h>`.

namespace simd {
/// The name of this type in code shared with the host.
using ::bool2; using ::bool3; using ::bool4;
using ::char2; using ::char3; using ::char4;
using ::uchar2; using ::uchar3; using ::uchar4;
using ::short2; using ::short3; using ::short4;
using ::ushort2; using ::ushort3; using ::ushort4;
using ::int2; using ::int3; using ::int4;
using ::uint2; using ::uint3; using ::uint4;
using ::long2; using ::long3; using ::long4;
using ::ulong2; using ::ulong3; using ::ulong4;
using ::half2; using ::half3; using ::half4;
using ::bfloat2; using ::bfloat3; using ::bfloat4;
using ::float2; using ::float3; using ::float4;
using ::packed_char2; using ::packed_char3; using ::packed_char4;
using ::packed_uchar2; using ::packed_uchar3; using ::packed_uchar4;
using ::packed_short2; using ::packed_short3; using ::packed_short4;
using ::packed_ushort2; using ::packed_ushort3; using ::packed_ushort4;
using ::packed_int2; using ::packed_int3; using ::packed_int4;
using ::packed_uint2; using ::packed_uint3; using ::packed_uint4;
using ::packed_long2; using ::packed_long3; using ::packed_long4;
using ::packed_ulong2; using ::packed_ulong3; using ::packed_ulong4;
using ::packed_half2; using ::packed_half3; using ::packed_half4;
using ::packed_bfloat2; using ::packed_bfloat3; using ::packed_bfloat4;
using ::packed_float2; using ::packed_float3; using ::packed_float4;
using ::half2x2; using ::half2x3; using ::half2x4;
using ::half3x2; using ::half3x3; using ::half3x4;
using ::half4x2; using ::half4x3; using ::half4x4;
using ::float2x2; using ::float2x3; using ::float2x4;
using ::float3x2; using ::float3x3; using ::float3x4;
using ::float4x2; using ::float4x3; using ::float4x4;
} // namespace simd
