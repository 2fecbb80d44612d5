// bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions, for device and host code.
#pragma once

#include "cuda_runtime_api.h"
#include "warpmark_cuda/narrow_bits.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#ifdef __cplusplus

// Bit layout of __nv_bfloat16: the upper half of a float.
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
#include "warpmark_cuda/narrow_types.h"
#undef WARPMARK_N
#undef WARPMARK_N_RAW
#undef WARPMARK_N2
#undef WARPMARK_N2_RAW
#undef WARPMARK_N_BITS

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Explicit conversions
WARPMARK_BITS __nv_bfloat16 __float2bfloat16(const float x) {
  return __nv_bfloat16::__warpmark_from(x);
}
WARPMARK_BITS __nv_bfloat16 __double2bfloat16(const double x) {
  return __nv_bfloat16::__warpmark_from_double(x);
}
WARPMARK_BITS float __bfloat162float(const __nv_bfloat16 x) {
  return x.__warpmark_wide();
}
WARPMARK_BITS __nv_bfloat16 __float2bfloat16_rn(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_NEAREST);
}
WARPMARK_BITS __nv_bfloat16 __float2bfloat16_rz(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_ZERO);
}
WARPMARK_BITS __nv_bfloat16 __float2bfloat16_rd(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_DOWN);
}
WARPMARK_BITS __nv_bfloat16 __float2bfloat16_ru(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_UP);
}
#define WARPMARK_H_INTEGER(word, type, mode, how, whole)                 \
  WARPMARK_BITS __nv_bfloat16 __##word##2bfloat16_##mode(const type x) { \
    return __nv_bfloat16::__warpmark_from_integer(x, how);               \
  }                                                                      \
  WARPMARK_BITS type __bfloat162##word##_##mode(const __nv_bfloat16 x) { \
    return warpmark_integer_of<type>(whole(x.__warpmark_wide()));        \
  }
#define WARPMARK_H_INTEGERS(mode, how, whole)                  \
  WARPMARK_H_INTEGER(short, short, mode, how, whole)           \
  WARPMARK_H_INTEGER(ushort, unsigned short, mode, how, whole) \
  WARPMARK_H_INTEGER(int, int, mode, how, whole)               \
  WARPMARK_H_INTEGER(uint, unsigned int, mode, how, whole)     \
  WARPMARK_H_INTEGER(ll, long long, mode, how, whole)          \
  WARPMARK_H_INTEGER(ull, unsigned long long, mode, how, whole)
WARPMARK_H_INTEGERS(rn, WARPMARK_NEAREST, warpmark_rint)
WARPMARK_H_INTEGERS(rz, WARPMARK_ZERO, __builtin_truncf)
WARPMARK_H_INTEGERS(rd, WARPMARK_DOWN, __builtin_floorf)
WARPMARK_H_INTEGERS(ru, WARPMARK_UP, __builtin_ceilf)
#undef WARPMARK_H_INTEGER
#undef WARPMARK_H_INTEGERS
WARPMARK_BITS signed char __bfloat162char_rz(const __nv_bfloat16 x) {
  return warpmark_integer_of<signed char>(x.__warpmark_wide());
}
WARPMARK_BITS unsigned char __bfloat162uchar_rz(const __nv_bfloat16 x) {
  return warpmark_integer_of<unsigned char>(x.__warpmark_wide());
}
WARPMARK_BITS short __bfloat16_as_short(const __nv_bfloat16 x) {
  return (short)x.__warpmark_bits();
}
WARPMARK_BITS unsigned short __bfloat16_as_ushort(const __nv_bfloat16 x) {
  return x.__warpmark_bits();
}
WARPMARK_BITS __nv_bfloat16 __short_as_bfloat16(const short x) {
  return __nv_bfloat16::__warpmark_of_bits((unsigned short)x);
}
WARPMARK_BITS __nv_bfloat16 __ushort_as_bfloat16(const unsigned short x) {
  return __nv_bfloat16::__warpmark_of_bits(x);
}

// Pairs
WARPMARK_BITS __nv_bfloat162 make_bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPMARK_BITS __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPMARK_BITS __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 x) {
  return __nv_bfloat162(x, x);
}
WARPMARK_BITS __nv_bfloat162 __float2bfloat162_rn(const float x) {
  return __bfloat162bfloat162(__float2bfloat16(x));
}
WARPMARK_BITS __nv_bfloat162 __floats2bfloat162_rn(const float x, const float y) {
  return __nv_bfloat162(__float2bfloat16(x), __float2bfloat16(y));
}
WARPMARK_BITS __nv_bfloat162 __float22bfloat162_rn(const float2 x) {
  return __floats2bfloat162_rn(x.x, x.y);
}
WARPMARK_BITS float2 __bfloat1622float2(const __nv_bfloat162 x) {
  float2 result;
  result.x = x.x.__warpmark_wide();
  result.y = x.y.__warpmark_wide();
  return result;
}
WARPMARK_BITS float __low2float(const __nv_bfloat162 x) {
  return x.x.__warpmark_wide();
}
WARPMARK_BITS float __high2float(const __nv_bfloat162 x) {
  return x.y.__warpmark_wide();
}
WARPMARK_BITS __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 x) {
  return x.x;
}
WARPMARK_BITS __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 x) {
  return x.y;
}
WARPMARK_BITS __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.x, x.x);
}
WARPMARK_BITS __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.y, x.y);
}
WARPMARK_BITS __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 x, const __nv_bfloat162 y) {
  return __nv_bfloat162(x.x, y.x);
}
WARPMARK_BITS __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 x, const __nv_bfloat162 y) {
  return __nv_bfloat162(x.y, y.y);
}
WARPMARK_BITS __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.y, x.x);
}

#define WARPMARK_H __nv_bfloat16
#define WARPMARK_H2 __nv_bfloat162
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define WARPMARK_H_NO_OPERATORS
#endif
#include "warpmark_cuda/narrow_arithmetic.h"
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
