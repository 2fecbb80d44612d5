// bfloat16 types __nv_bfloat16 and __nv_bfloat162 and their functions, for device and host code.
#pragma once

#include "cuda_runtime_api.h"
#include "warpmark_cuda/narrow/narrow_bits.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#ifdef __cplusplus

// Bit format of __nv_bfloat16: the upper 16 bits of a float.
struct WarpmarkBfloat16Bits {
  static const unsigned short infinity = 0x7f80;
  WARPMARK_BITS unsigned short from(float value) {
    const unsigned int bits = __builtin_bit_cast(unsigned int, value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
  }
  WARPMARK_BITS unsigned short from_double(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
    return warpmark_narrow<7, 127>(value, how);
  }
  WARPMARK_BITS float wide(unsigned short bits) {
    return __builtin_bit_cast(float, (unsigned int)bits << 16);
  }
};

#define WARPMARK_N __nv_bfloat16
#define WARPMARK_N_RAW __nv_bfloat16_raw
#define WARPMARK_N2 __nv_bfloat162
#define WARPMARK_N2_RAW __nv_bfloat162_raw
#define WARPMARK_N_BITS WarpmarkBfloat16Bits
#include "warpmark_cuda/narrow/narrow_types.h"
#undef WARPMARK_N
#undef WARPMARK_N_RAW
#undef WARPMARK_N2
#undef WARPMARK_N2_RAW
#undef WARPMARK_N_BITS

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define WARPMARK_N __nv_bfloat16
#define WARPMARK_N2 __nv_bfloat162
#define WARPMARK_N_NAME(before, after) before##bfloat16##after
#define WARPMARK_N_SPREAD __bfloat162bfloat162
#include "warpmark_cuda/narrow/narrow_conversions.h"
#undef WARPMARK_N
#undef WARPMARK_N2
#undef WARPMARK_N_NAME
#undef WARPMARK_N_SPREAD

#define WARPMARK_H __nv_bfloat16
#define WARPMARK_H2 __nv_bfloat162
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define WARPMARK_H_NO_OPERATORS
#endif
#include "warpmark_cuda/narrow/narrow_arithmetic.h"
#undef WARPMARK_H
#undef WARPMARK_H2
#undef WARPMARK_H_NO_OPERATORS

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif
