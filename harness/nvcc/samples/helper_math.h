// Arithmetic on CUDA's vector types, by component, with the names that NVIDIA's samples give these functions.
#pragma once

#include <cmath>

#include <cuda_runtime.h>

#define WARPMARK_BOTH inline __host__ __device__

// OPERATORS(type, scalar, two, three, four components...): one operation between vectors, and with a scalar.
#define WARPMARK_2(op) a.x op b.x, a.y op b.y
#define WARPMARK_3(op) WARPMARK_2(op), a.z op b.z
#define WARPMARK_4(op) WARPMARK_3(op), a.w op b.w
#define WARPMARK_2S(op) a.x op b, a.y op b
#define WARPMARK_3S(op) WARPMARK_2S(op), a.z op b
#define WARPMARK_4S(op) WARPMARK_3S(op), a.w op b
#define WARPMARK_S2(op) a op b.x, a op b.y
#define WARPMARK_S3(op) WARPMARK_S2(op), a op b.z
#define WARPMARK_S4(op) WARPMARK_S3(op), a op b.w
#define WARPMARK_OPERATOR(type, scalar, n, op)           \
  WARPMARK_BOTH type operator op(type a, type b) {       \
    return make_##type(WARPMARK_##n(op));                \
  }                                                      \
  WARPMARK_BOTH type operator op(type a, scalar b) {     \
    return make_##type(WARPMARK_##n##S(op));             \
  }                                                      \
  WARPMARK_BOTH type operator op(scalar a, type b) {     \
    return make_##type(WARPMARK_S##n(op));               \
  }                                                      \
  WARPMARK_BOTH void operator op##=(type& a, type b) {   \
    a = a op b;                                          \
  }                                                      \
  WARPMARK_BOTH void operator op##=(type& a, scalar b) { \
    a = a op b;                                          \
  }
#define WARPMARK_OPERATORS(type, scalar, n) \
  WARPMARK_OPERATOR(type, scalar, n, +)     \
  WARPMARK_OPERATOR(type, scalar, n, -) WARPMARK_OPERATOR(type, scalar, n, *)
WARPMARK_OPERATORS(float2, float, 2)
WARPMARK_OPERATORS(float3, float, 3)
WARPMARK_OPERATORS(float4, float, 4)
WARPMARK_OPERATORS(int2, int, 2)
WARPMARK_OPERATORS(int3, int, 3)
WARPMARK_OPERATORS(int4, int, 4)
WARPMARK_OPERATORS(uint2, unsigned int, 2)
WARPMARK_OPERATORS(uint3, unsigned int, 3)
WARPMARK_OPERATORS(uint4, unsigned int, 4)
WARPMARK_OPERATOR(float2, float, 2, /)
WARPMARK_OPERATOR(float3, float, 3, /)
WARPMARK_OPERATOR(float4, float, 4, /)

WARPMARK_BOTH float2 make_float2(float s) {
  return make_float2(s, s);
}
WARPMARK_BOTH float3 make_float3(float s) {
  return make_float3(s, s, s);
}
WARPMARK_BOTH float3 make_float3(float2 a, float z = 0) {
  return make_float3(a.x, a.y, z);
}
WARPMARK_BOTH float3 make_float3(float4 a) {
  return make_float3(a.x, a.y, a.z);
}
WARPMARK_BOTH float4 make_float4(float s) {
  return make_float4(s, s, s, s);
}
WARPMARK_BOTH float4 make_float4(float3 a, float w = 0) {
  return make_float4(a.x, a.y, a.z, w);
}
WARPMARK_BOTH int3 make_int3(int s) {
  return make_int3(s, s, s);
}
WARPMARK_BOTH int3 make_int3(float3 a) {
  return make_int3(int(a.x), int(a.y), int(a.z));
}
WARPMARK_BOTH uint3 make_uint3(unsigned int s) {
  return make_uint3(s, s, s);
}
WARPMARK_BOTH float3 make_float3(int3 a) {
  return make_float3(float(a.x), float(a.y), float(a.z));
}

WARPMARK_BOTH float2 operator-(float2 a) {
  return make_float2(-a.x, -a.y);
}
WARPMARK_BOTH float3 operator-(float3 a) {
  return make_float3(-a.x, -a.y, -a.z);
}
WARPMARK_BOTH float4 operator-(float4 a) {
  return make_float4(-a.x, -a.y, -a.z, -a.w);
}

WARPMARK_BOTH float dot(float2 a, float2 b) {
  return a.x * b.x + a.y * b.y;
}
WARPMARK_BOTH float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
WARPMARK_BOTH float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
WARPMARK_BOTH float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <class Vector>
WARPMARK_BOTH float length(Vector a) {
  return sqrtf(dot(a, a));
}
template <class Vector>
WARPMARK_BOTH Vector normalize(Vector a) {
  return a * (1.0f / sqrtf(dot(a, a)));
}
template <class Vector>
WARPMARK_BOTH Vector lerp(Vector a, Vector b, float t) {
  return a + t * (b - a);
}
WARPMARK_BOTH float clamp(float f, float a, float b) {
  return fmaxf(a, fminf(f, b));
}
WARPMARK_BOTH int clamp(int f, int a, int b) {
  return f < a ? a : f > b ? b : f;
}
WARPMARK_BOTH float3 fminf(float3 a, float3 b) {
  return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z));
}
WARPMARK_BOTH float3 fmaxf(float3 a, float3 b) {
  return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z));
}
WARPMARK_BOTH float3 floorf(float3 a) {
  return make_float3(floorf(a.x), floorf(a.y), floorf(a.z));
}
WARPMARK_BOTH float3 fabs(float3 a) {
  return make_float3(fabsf(a.x), fabsf(a.y), fabsf(a.z));
}
WARPMARK_BOTH float3 reflect(float3 i, float3 n) {
  return i - 2.0f * n * dot(n, i);
}
