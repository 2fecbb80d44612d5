// min, max and the math functions that kernels call without a namespace. Host code has those of the C
// library. What is one PTX instruction becomes it; the rest are calls of __nv_... functions, by name, for the
// simulator.
#pragma once

#include <math.h>
#include <stdlib.h>

#include "warpmark_cuda/vector_types.h"

#define WARPMARK_MIN_MAX(type)                    \
  WARPMARK_HOST_DEVICE type min(type a, type b) { \
    return b < a ? b : a;                         \
  }                                               \
  WARPMARK_HOST_DEVICE type max(type a, type b) { \
    return a < b ? b : a;                         \
  }
WARPMARK_MIN_MAX(int)
WARPMARK_MIN_MAX(unsigned int)
WARPMARK_MIN_MAX(long)
WARPMARK_MIN_MAX(unsigned long)
WARPMARK_MIN_MAX(long long)
WARPMARK_MIN_MAX(unsigned long long)
#undef WARPMARK_MIN_MAX
// Two types meet as C++ adds them: unsigned wins, double wins.
#define WARPMARK_MIN_MAX(type, a_type, b_type)        \
  WARPMARK_HOST_DEVICE type min(a_type a, b_type b) { \
    return min((type)a, (type)b);                     \
  }                                                   \
  WARPMARK_HOST_DEVICE type max(a_type a, b_type b) { \
    return max((type)a, (type)b);                     \
  }                                                   \
  WARPMARK_HOST_DEVICE type min(b_type a, a_type b) { \
    return min((type)a, (type)b);                     \
  }                                                   \
  WARPMARK_HOST_DEVICE type max(b_type a, a_type b) { \
    return max((type)a, (type)b);                     \
  }
WARPMARK_MIN_MAX(unsigned int, int, unsigned int)
WARPMARK_MIN_MAX(unsigned long, long, unsigned long)
WARPMARK_MIN_MAX(unsigned long long, long long, unsigned long long)
// A NaN loses against a number, as on the device.
WARPMARK_HOST_DEVICE float min(float a, float b) {
  return __builtin_fminf(a, b);
}
WARPMARK_HOST_DEVICE float max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
WARPMARK_HOST_DEVICE double min(double a, double b) {
  return __builtin_fmin(a, b);
}
WARPMARK_HOST_DEVICE double max(double a, double b) {
  return __builtin_fmax(a, b);
}
WARPMARK_MIN_MAX(double, float, double)
#undef WARPMARK_MIN_MAX

#if defined(__CUDA__)

WARPMARK_DEVICE int abs(int x) {
  return x < 0 ? -x : x;
}
WARPMARK_DEVICE long abs(long x) {
  return x < 0 ? -x : x;
}
WARPMARK_DEVICE long long abs(long long x) {
  return x < 0 ? -x : x;
}
WARPMARK_DEVICE float abs(float x) {
  return __builtin_fabsf(x);
}
WARPMARK_DEVICE double abs(double x) {
  return __builtin_fabs(x);
}

// Both spellings of a function of one value: sqrtf(float), sqrt(double), and sqrt(float) of C++.
#define WARPMARK_MATH_1(name, for_float, for_double) \
  WARPMARK_DEVICE float name##f(float x) {           \
    return for_float(x);                             \
  }                                                  \
  WARPMARK_DEVICE float name(float x) {              \
    return for_float(x);                             \
  }                                                  \
  WARPMARK_DEVICE double name(double x) {            \
    return for_double(x);                            \
  }
#define WARPMARK_MATH_2(name, for_float, for_double) \
  WARPMARK_DEVICE float name##f(float x, float y) {  \
    return for_float(x, y);                          \
  }                                                  \
  WARPMARK_DEVICE float name(float x, float y) {     \
    return for_float(x, y);                          \
  }                                                  \
  WARPMARK_DEVICE double name(double x, double y) {  \
    return for_double(x, y);                         \
  }
#define WARPMARK_LIBRARY_1(name)                     \
  extern "C" __device__ float __nv_##name##f(float); \
  extern "C" __device__ double __nv_##name(double);  \
  WARPMARK_MATH_1(name, __nv_##name##f, __nv_##name)
#define WARPMARK_LIBRARY_2(name)                            \
  extern "C" __device__ float __nv_##name##f(float, float); \
  extern "C" __device__ double __nv_##name(double, double); \
  WARPMARK_MATH_2(name, __nv_##name##f, __nv_##name)

WARPMARK_MATH_1(fabs, __builtin_fabsf, __builtin_fabs)
WARPMARK_MATH_1(floor, __builtin_floorf, __builtin_floor)
WARPMARK_MATH_1(ceil, __builtin_ceilf, __builtin_ceil)
WARPMARK_MATH_1(trunc, __builtin_truncf, __builtin_trunc)
WARPMARK_MATH_1(rint, __builtin_rintf, __builtin_rint)
WARPMARK_MATH_1(sqrt, __nvvm_sqrt_rn_f, __nvvm_sqrt_rn_d)
WARPMARK_MATH_2(fmin, __builtin_fminf, __builtin_fmin)
WARPMARK_MATH_2(fmax, __builtin_fmaxf, __builtin_fmax)
WARPMARK_LIBRARY_1(rsqrt)
WARPMARK_LIBRARY_1(exp)
WARPMARK_LIBRARY_1(exp2)
WARPMARK_LIBRARY_1(log)
WARPMARK_LIBRARY_1(log2)
WARPMARK_LIBRARY_1(log10)
WARPMARK_LIBRARY_1(sin)
WARPMARK_LIBRARY_1(cos)
WARPMARK_LIBRARY_1(tan)
WARPMARK_LIBRARY_1(tanh)
WARPMARK_LIBRARY_1(round)
WARPMARK_LIBRARY_2(pow)
WARPMARK_LIBRARY_2(atan2)
WARPMARK_LIBRARY_2(fmod)
#undef WARPMARK_MATH_1
#undef WARPMARK_MATH_2
#undef WARPMARK_LIBRARY_1
#undef WARPMARK_LIBRARY_2

WARPMARK_DEVICE float fmaf(float x, float y, float z) {
  return __nvvm_fma_rn_f(x, y, z);
}
WARPMARK_DEVICE float fma(float x, float y, float z) {
  return __nvvm_fma_rn_f(x, y, z);
}
WARPMARK_DEVICE double fma(double x, double y, double z) {
  return __nvvm_fma_rn_d(x, y, z);
}
WARPMARK_DEVICE float __fadd_rn(float x, float y) {
  return __nvvm_add_rn_f(x, y);
}
WARPMARK_DEVICE float __fmul_rn(float x, float y) {
  return __nvvm_mul_rn_f(x, y);
}
WARPMARK_DEVICE float __fmaf_rn(float x, float y, float z) {
  return __nvvm_fma_rn_f(x, y, z);
}
WARPMARK_DEVICE double __dadd_rn(double x, double y) {
  return __nvvm_add_rn_d(x, y);
}
WARPMARK_DEVICE double __dmul_rn(double x, double y) {
  return __nvvm_mul_rn_d(x, y);
}

#endif  // __CUDA__
