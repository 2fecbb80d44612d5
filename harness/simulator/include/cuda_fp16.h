// Half precision: __half, __half2 and their functions, for device and host code.
#pragma once

#include "cuda_runtime_api.h"
#include "warpmark_cuda/narrow_bits.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#ifdef __cplusplus

// Bit layout of __half.
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
#include "warpmark_cuda/narrow_types.h"
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

// Explicit conversions
WARPMARK_BITS __half __float2half(const float x) {
  return __half::__warpmark_from(x);
}
WARPMARK_BITS __half __double2half(const double x) {
  return __half::__warpmark_from_double(x);
}
WARPMARK_BITS float __half2float(const __half x) {
  return x.__warpmark_wide();
}
WARPMARK_BITS __half __float2half_rn(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_NEAREST);
}
WARPMARK_BITS __half __float2half_rz(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_ZERO);
}
WARPMARK_BITS __half __float2half_rd(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_DOWN);
}
WARPMARK_BITS __half __float2half_ru(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_UP);
}
#define WARPMARK_H_INTEGER(word, type, mode, how, whole)          \
  WARPMARK_BITS __half __##word##2half_##mode(const type x) {     \
    return __half::__warpmark_from_integer(x, how);               \
  }                                                               \
  WARPMARK_BITS type __half2##word##_##mode(const __half x) {     \
    return warpmark_integer_of<type>(whole(x.__warpmark_wide())); \
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
WARPMARK_BITS signed char __half2char_rz(const __half x) {
  return warpmark_integer_of<signed char>(x.__warpmark_wide());
}
WARPMARK_BITS unsigned char __half2uchar_rz(const __half x) {
  return warpmark_integer_of<unsigned char>(x.__warpmark_wide());
}
WARPMARK_BITS short __half_as_short(const __half x) {
  return (short)x.__warpmark_bits();
}
WARPMARK_BITS unsigned short __half_as_ushort(const __half x) {
  return x.__warpmark_bits();
}
WARPMARK_BITS __half __short_as_half(const short x) {
  return __half::__warpmark_of_bits((unsigned short)x);
}
WARPMARK_BITS __half __ushort_as_half(const unsigned short x) {
  return __half::__warpmark_of_bits(x);
}

// Pairs
WARPMARK_BITS __half2 make_half2(const __half x, const __half y) {
  return __half2(x, y);
}
WARPMARK_BITS __half2 __halves2half2(const __half x, const __half y) {
  return __half2(x, y);
}
WARPMARK_BITS __half2 __half2half2(const __half x) {
  return __half2(x, x);
}
WARPMARK_BITS __half2 __float2half2_rn(const float x) {
  return __half2half2(__float2half(x));
}
WARPMARK_BITS __half2 __floats2half2_rn(const float x, const float y) {
  return __half2(__float2half(x), __float2half(y));
}
WARPMARK_BITS __half2 __float22half2_rn(const float2 x) {
  return __floats2half2_rn(x.x, x.y);
}
WARPMARK_BITS float2 __half22float2(const __half2 x) {
  float2 result;
  result.x = x.x.__warpmark_wide();
  result.y = x.y.__warpmark_wide();
  return result;
}
WARPMARK_BITS float __low2float(const __half2 x) {
  return x.x.__warpmark_wide();
}
WARPMARK_BITS float __high2float(const __half2 x) {
  return x.y.__warpmark_wide();
}
WARPMARK_BITS __half __low2half(const __half2 x) {
  return x.x;
}
WARPMARK_BITS __half __high2half(const __half2 x) {
  return x.y;
}
WARPMARK_BITS __half2 __low2half2(const __half2 x) {
  return __half2(x.x, x.x);
}
WARPMARK_BITS __half2 __high2half2(const __half2 x) {
  return __half2(x.y, x.y);
}
WARPMARK_BITS __half2 __lows2half2(const __half2 x, const __half2 y) {
  return __half2(x.x, y.x);
}
WARPMARK_BITS __half2 __highs2half2(const __half2 x, const __half2 y) {
  return __half2(x.y, y.y);
}
WARPMARK_BITS __half2 __lowhigh2highlow(const __half2 x) {
  return __half2(x.y, x.x);
}

#define WARPMARK_H __half
#define WARPMARK_H2 __half2
#ifdef __CUDA_NO_HALF_OPERATORS__
#define WARPMARK_H_NO_OPERATORS
#endif
#include "warpmark_cuda/narrow_arithmetic.h"
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
