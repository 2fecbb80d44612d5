// Half-precision types __half and __half2 and their functions, for device and host code.
#pragma once

#include "cuda_runtime_api.h"
#include "warpmark_cuda/narrow/narrow_bits.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#ifdef __cplusplus

// Bit format of __half: IEEE 754 binary16.
struct WarpmarkHalfBits {
  static const unsigned short infinity = 0x7c00;
#if defined(__CUDA_ARCH__)
  WARPMARK_BITS unsigned short from(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
  }
  WARPMARK_BITS unsigned short from_double(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
    unsigned short bits;
    if (how == WARPMARK_NEAREST)
      asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    else if (how == WARPMARK_ZERO)
      asm("cvt.rz.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    else if (how == WARPMARK_DOWN)
      asm("cvt.rm.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    else
      asm("cvt.rp.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    return bits;
  }
  WARPMARK_BITS float wide(unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
  }
#else
  WARPMARK_BITS unsigned short from(float value) {
    return warpmark_narrow<10, 15>(value, WARPMARK_NEAREST);
  }
  WARPMARK_BITS unsigned short from_double(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
    return warpmark_narrow<10, 15>(value, how);
  }
  WARPMARK_BITS float wide(unsigned short bits) {
    return warpmark_widen<10, 15>(bits);
  }
#endif
};

#define WARPMARK_N __half
#define WARPMARK_N_RAW __half_raw
#define WARPMARK_N2 __half2
#define WARPMARK_N2_RAW __half2_raw
#define WARPMARK_N_BITS WarpmarkHalfBits
#include "warpmark_cuda/narrow/narrow_types.h"
#undef WARPMARK_N
#undef WARPMARK_N_RAW
#undef WARPMARK_N2
#undef WARPMARK_N2_RAW
#undef WARPMARK_N_BITS

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

#define WARPMARK_N __half
#define WARPMARK_N2 __half2
#define WARPMARK_N_NAME(before, after) before##half##after
#define WARPMARK_N_SPREAD __half2half2
#include "warpmark_cuda/narrow/narrow_conversions.h"
#undef WARPMARK_N
#undef WARPMARK_N2
#undef WARPMARK_N_NAME
#undef WARPMARK_N_SPREAD

#define WARPMARK_H __half
#define WARPMARK_H2 __half2
#ifdef __CUDA_NO_HALF_OPERATORS__
#define WARPMARK_H_NO_OPERATORS
#endif
#include "warpmark_cuda/narrow/narrow_arithmetic.h"
#undef WARPMARK_H
#undef WARPMARK_H2
#undef WARPMARK_H_NO_OPERATORS

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif
