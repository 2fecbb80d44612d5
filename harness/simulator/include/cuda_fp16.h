// Half precision: __half, __half2 and their functions, on the device and in host code.
#pragma once

#include "cuda_runtime_api.h"
#include "warpmark_cuda/narrow_bits.h"
#if defined(__CUDA__)
#include "cuda_runtime.h"
#endif

#ifdef __cplusplus

#ifndef WARPMARK_NARROW_CLASS
#define WARPMARK_NARROW_CLASS
#if defined(__CUDA__)
#define WARPMARK_CLASS __host__ __device__ __attribute__((always_inline, nodebug))
#else
#define WARPMARK_CLASS __inline__
#endif
// To the nearest, ties to even, whatever the rounding mode.
WARPMARK_HOST_DEVICE float warpmark_rint(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  if (!(magnitude < 8388608.0f)) return x;
  const float whole = (magnitude + 8388608.0f) - 8388608.0f;
  return x < 0.0f ? -whole : whole;
}
#endif

// A number of 16 bits, as a class of its own.
struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

class __align__(2) __half {
 public:
  __half() = default;
  WARPMARK_CLASS __half(const __half_raw& bits) : __x(bits.x) {}
  WARPMARK_CLASS __half(float value) : __x(__warpmark_from(value).__x) {}
  WARPMARK_CLASS __half(double value) : __x(__warpmark_from_double(value).__x) {}
  WARPMARK_CLASS operator __half_raw() const { return __half_raw{__x}; }
  WARPMARK_CLASS operator float() const { return __warpmark_wide(); }
  WARPMARK_CLASS operator bool() const { return (__x & 0x7fff) != 0; }
  WARPMARK_CLASS __half& operator=(const __half_raw& bits) {
    __x = bits.x;
    return *this;
  }
  WARPMARK_CLASS __half(short value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(unsigned short value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(int value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(unsigned int value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(unsigned long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(long long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __half(unsigned long long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS operator char() const { return __warpmark_integer<char>(__warpmark_wide()); }
  WARPMARK_CLASS operator signed char() const { return __warpmark_integer<signed char>(__warpmark_wide()); }
  WARPMARK_CLASS operator unsigned char() const { return __warpmark_integer<unsigned char>(__warpmark_wide()); }
  WARPMARK_CLASS operator short() const { return __warpmark_integer<short>(__warpmark_wide()); }
  WARPMARK_CLASS operator unsigned short() const { return __warpmark_integer<unsigned short>(__warpmark_wide()); }
  WARPMARK_CLASS operator int() const { return __warpmark_integer<int>(__warpmark_wide()); }
  WARPMARK_CLASS operator unsigned int() const { return __warpmark_integer<unsigned int>(__warpmark_wide()); }
  WARPMARK_CLASS operator long() const { return __warpmark_integer<long>(__warpmark_wide()); }
  WARPMARK_CLASS operator unsigned long() const { return __warpmark_integer<unsigned long>(__warpmark_wide()); }
  WARPMARK_CLASS operator long long() const { return __warpmark_integer<long long>(__warpmark_wide()); }
  WARPMARK_CLASS operator unsigned long long() const { return __warpmark_integer<unsigned long long>(__warpmark_wide()); }
  // Assignments, so that a number needs no choice between the constructors and the conversions.
  WARPMARK_CLASS __half& operator=(float value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(double value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(short value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(unsigned short value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(int value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(unsigned int value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(long value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(unsigned long value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(long long value) { return *this = __half(value); }
  WARPMARK_CLASS __half& operator=(unsigned long long value) { return *this = __half(value); }

  // Warpmark's own way to the bits and the value.
  static const unsigned short __warpmark_infinity = 0x7c00;
  WARPMARK_CLASS static __half __warpmark_of_bits(unsigned short bits) {
    __half result;
    result.__x = bits;
    return result;
  }
  WARPMARK_CLASS unsigned short __warpmark_bits() const { return __x; }
#if defined(__CUDA_ARCH__)
  WARPMARK_CLASS static __half __warpmark_from(float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return __warpmark_of_bits(bits);
  }
  WARPMARK_CLASS static __half __warpmark_from_double(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
    unsigned short bits;
    if (how == WARPMARK_NEAREST)
      asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    else if (how == WARPMARK_ZERO)
      asm("cvt.rz.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    else if (how == WARPMARK_DOWN)
      asm("cvt.rm.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    else
      asm("cvt.rp.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    return __warpmark_of_bits(bits);
  }
  WARPMARK_CLASS float __warpmark_wide() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(__x));
    return value;
  }
#else
  WARPMARK_CLASS static __half __warpmark_from(float value) { return __warpmark_from_double(value); }
  WARPMARK_CLASS static __half __warpmark_from_double(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
    return __warpmark_of_bits(warpmark_narrow<10, 15>(value, how));
  }
  WARPMARK_CLASS float __warpmark_wide() const { return warpmark_widen<10, 15>(__x); }
#endif
  template <typename Integer>
  WARPMARK_CLASS static __half __warpmark_from_integer(Integer value, WarpmarkRounding how = WARPMARK_NEAREST) {
    // As a double the value may be rounded, but only where the result has no digits left to show it; what
    // was lost counts as something.
    double wide = (double)value;
    if (sizeof(value) == 8 && (wide >= 9007199254740992.0 || wide <= -9007199254740992.0)) {
      const Integer low = value % 2048;
      wide = (double)(value - low);
      if (low != 0) wide = __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, wide) | 1);
    }
    return __warpmark_from_double(wide, how);
  }
  // Towards zero; what is out of range becomes the nearest integer there is, what is no number 0, or the least
  // value of 64 bits.
  template <typename Integer>
  WARPMARK_CLASS static Integer __warpmark_integer(float value) {
    const bool is_signed = (Integer)-1 < (Integer)1;
    const double limit = (double)(1ull << (8 * sizeof(Integer) - (is_signed ? 1 : 0) - 1)) * 2;
#if defined(__CUDA_ARCH__)
    if (sizeof(Integer) >= 4) return (Integer)value;  // as cvt.rzi does it
#endif
    if (value != value) return sizeof(Integer) == 8 ? (Integer)(1ull << 63) : (Integer)0;
    if ((double)value >= limit) return (Integer)(is_signed ? (1ull << (8 * sizeof(Integer) - 1)) - 1 : ~0ull);
    if ((double)value < (is_signed ? -limit : 0.0)) return is_signed ? (Integer)(1ull << (8 * sizeof(Integer) - 1)) : 0;
    return (Integer)value;
  }

 protected:
  unsigned short __x;
};

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  WARPMARK_CLASS __half2(const __half& first, const __half& second) : x(first), y(second) {}
  WARPMARK_CLASS __half2(const __half2_raw& bits)
      : x(__half::__warpmark_of_bits(bits.x)), y(__half::__warpmark_of_bits(bits.y)) {}
  WARPMARK_CLASS operator __half2_raw() const {
    return __half2_raw{x.__warpmark_bits(), y.__warpmark_bits()};
  }

  WARPMARK_CLASS static __half2 __warpmark_of_bits(unsigned int bits) {
    return __half2(__half::__warpmark_of_bits((unsigned short)bits),
                  __half::__warpmark_of_bits((unsigned short)(bits >> 16)));
  }
  WARPMARK_CLASS unsigned int __warpmark_bits() const {
    return (unsigned int)y.__warpmark_bits() << 16 | x.__warpmark_bits();
  }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

// Conversions by hand
WARPMARK_HOST_DEVICE __half __float2half(const float x) {
  return __half::__warpmark_from(x);
}
WARPMARK_HOST_DEVICE __half __double2half(const double x) {
  return __half::__warpmark_from_double(x);
}
WARPMARK_HOST_DEVICE float __half2float(const __half x) {
  return x.__warpmark_wide();
}
WARPMARK_HOST_DEVICE __half __float2half_rn(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_NEAREST);
}
WARPMARK_HOST_DEVICE __half __float2half_rz(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_ZERO);
}
WARPMARK_HOST_DEVICE __half __float2half_rd(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_DOWN);
}
WARPMARK_HOST_DEVICE __half __float2half_ru(const float x) {
  return __half::__warpmark_from_double(x, WARPMARK_UP);
}
#define WARPMARK_H_INTEGER(word, type, mode, how, whole)                \
  WARPMARK_HOST_DEVICE __half __##word##2half_##mode(const type x) {          \
    return __half::__warpmark_from_integer(x, how);                         \
  }                                                                     \
  WARPMARK_HOST_DEVICE type __half2##word##_##mode(const __half x) {          \
    return __half::__warpmark_integer<type>(whole(x.__warpmark_wide()));    \
  }
#define WARPMARK_H_INTEGERS(mode, how, whole)                           \
  WARPMARK_H_INTEGER(short, short, mode, how, whole)                    \
  WARPMARK_H_INTEGER(ushort, unsigned short, mode, how, whole)          \
  WARPMARK_H_INTEGER(int, int, mode, how, whole)                        \
  WARPMARK_H_INTEGER(uint, unsigned int, mode, how, whole)              \
  WARPMARK_H_INTEGER(ll, long long, mode, how, whole)                   \
  WARPMARK_H_INTEGER(ull, unsigned long long, mode, how, whole)
WARPMARK_H_INTEGERS(rn, WARPMARK_NEAREST, warpmark_rint)
WARPMARK_H_INTEGERS(rz, WARPMARK_ZERO, __builtin_truncf)
WARPMARK_H_INTEGERS(rd, WARPMARK_DOWN, __builtin_floorf)
WARPMARK_H_INTEGERS(ru, WARPMARK_UP, __builtin_ceilf)
#undef WARPMARK_H_INTEGER
#undef WARPMARK_H_INTEGERS
WARPMARK_HOST_DEVICE signed char __half2char_rz(const __half x) {
  return __half::__warpmark_integer<signed char>(x.__warpmark_wide());
}
WARPMARK_HOST_DEVICE unsigned char __half2uchar_rz(const __half x) {
  return __half::__warpmark_integer<unsigned char>(x.__warpmark_wide());
}
WARPMARK_HOST_DEVICE short __half_as_short(const __half x) {
  return (short)x.__warpmark_bits();
}
WARPMARK_HOST_DEVICE unsigned short __half_as_ushort(const __half x) {
  return x.__warpmark_bits();
}
WARPMARK_HOST_DEVICE __half __short_as_half(const short x) {
  return __half::__warpmark_of_bits((unsigned short)x);
}
WARPMARK_HOST_DEVICE __half __ushort_as_half(const unsigned short x) {
  return __half::__warpmark_of_bits(x);
}

// Pairs
WARPMARK_HOST_DEVICE __half2 make_half2(const __half x, const __half y) {
  return __half2(x, y);
}
WARPMARK_HOST_DEVICE __half2 __halves2half2(const __half x, const __half y) {
  return __half2(x, y);
}
WARPMARK_HOST_DEVICE __half2 __half2half2(const __half x) {
  return __half2(x, x);
}
WARPMARK_HOST_DEVICE __half2 __float2half2_rn(const float x) {
  return __half2half2(__float2half(x));
}
WARPMARK_HOST_DEVICE __half2 __floats2half2_rn(const float x, const float y) {
  return __half2(__float2half(x), __float2half(y));
}
WARPMARK_HOST_DEVICE __half2 __float22half2_rn(const float2 x) {
  return __floats2half2_rn(x.x, x.y);
}
WARPMARK_HOST_DEVICE float2 __half22float2(const __half2 x) {
  float2 result;
  result.x = x.x.__warpmark_wide();
  result.y = x.y.__warpmark_wide();
  return result;
}
WARPMARK_HOST_DEVICE float __low2float(const __half2 x) {
  return x.x.__warpmark_wide();
}
WARPMARK_HOST_DEVICE float __high2float(const __half2 x) {
  return x.y.__warpmark_wide();
}
WARPMARK_HOST_DEVICE __half __low2half(const __half2 x) {
  return x.x;
}
WARPMARK_HOST_DEVICE __half __high2half(const __half2 x) {
  return x.y;
}
WARPMARK_HOST_DEVICE __half2 __low2half2(const __half2 x) {
  return __half2(x.x, x.x);
}
WARPMARK_HOST_DEVICE __half2 __high2half2(const __half2 x) {
  return __half2(x.y, x.y);
}
WARPMARK_HOST_DEVICE __half2 __lows2half2(const __half2 x, const __half2 y) {
  return __half2(x.x, y.x);
}
WARPMARK_HOST_DEVICE __half2 __highs2half2(const __half2 x, const __half2 y) {
  return __half2(x.y, y.y);
}
WARPMARK_HOST_DEVICE __half2 __lowhigh2highlow(const __half2 x) {
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
