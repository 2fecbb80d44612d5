// bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions, on the device and in host code.
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
struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

class __align__(2) __nv_bfloat16 {
 public:
  __nv_bfloat16() = default;
  WARPMARK_CLASS __nv_bfloat16(const __nv_bfloat16_raw& bits) : __x(bits.x) {}
  WARPMARK_CLASS __nv_bfloat16(float value) : __x(__warpmark_from(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(double value) : __x(__warpmark_from_double(value).__x) {}
  WARPMARK_CLASS operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  WARPMARK_CLASS operator float() const { return __warpmark_wide(); }
  WARPMARK_CLASS operator bool() const { return (__x & 0x7fff) != 0; }
  WARPMARK_CLASS __nv_bfloat16& operator=(const __nv_bfloat16_raw& bits) {
    __x = bits.x;
    return *this;
  }
  WARPMARK_CLASS __nv_bfloat16(short value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(unsigned short value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(int value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(unsigned int value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(unsigned long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(long long value) : __x(__warpmark_from_integer(value).__x) {}
  WARPMARK_CLASS __nv_bfloat16(unsigned long long value) : __x(__warpmark_from_integer(value).__x) {}
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
  WARPMARK_CLASS __nv_bfloat16& operator=(float value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(double value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(short value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(unsigned short value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(int value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(unsigned int value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(long value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(unsigned long value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(long long value) { return *this = __nv_bfloat16(value); }
  WARPMARK_CLASS __nv_bfloat16& operator=(unsigned long long value) { return *this = __nv_bfloat16(value); }

  // Warpmark's own way to the bits and the value.
  static const unsigned short __warpmark_infinity = 0x7f80;
  WARPMARK_CLASS static __nv_bfloat16 __warpmark_of_bits(unsigned short bits) {
    __nv_bfloat16 result;
    result.__x = bits;
    return result;
  }
  WARPMARK_CLASS unsigned short __warpmark_bits() const { return __x; }
  // A float's upper half.
  WARPMARK_CLASS static __nv_bfloat16 __warpmark_from(float value) {
    const unsigned int bits = __builtin_bit_cast(unsigned int, value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return __warpmark_of_bits(0x7fff);
    return __warpmark_of_bits((unsigned short)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16));
  }
  WARPMARK_CLASS static __nv_bfloat16 __warpmark_from_double(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
    return __warpmark_of_bits(warpmark_narrow<7, 127>(value, how));
  }
  WARPMARK_CLASS float __warpmark_wide() const {
    return __builtin_bit_cast(float, (unsigned int)__x << 16);
  }
  template <typename Integer>
  WARPMARK_CLASS static __nv_bfloat16 __warpmark_from_integer(Integer value, WarpmarkRounding how = WARPMARK_NEAREST) {
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

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  WARPMARK_CLASS __nv_bfloat162(const __nv_bfloat16& first, const __nv_bfloat16& second) : x(first), y(second) {}
  WARPMARK_CLASS __nv_bfloat162(const __nv_bfloat162_raw& bits)
      : x(__nv_bfloat16::__warpmark_of_bits(bits.x)), y(__nv_bfloat16::__warpmark_of_bits(bits.y)) {}
  WARPMARK_CLASS operator __nv_bfloat162_raw() const {
    return __nv_bfloat162_raw{x.__warpmark_bits(), y.__warpmark_bits()};
  }

  WARPMARK_CLASS static __nv_bfloat162 __warpmark_of_bits(unsigned int bits) {
    return __nv_bfloat162(__nv_bfloat16::__warpmark_of_bits((unsigned short)bits),
                  __nv_bfloat16::__warpmark_of_bits((unsigned short)(bits >> 16)));
  }
  WARPMARK_CLASS unsigned int __warpmark_bits() const {
    return (unsigned int)y.__warpmark_bits() << 16 | x.__warpmark_bits();
  }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Conversions by hand
WARPMARK_HOST_DEVICE __nv_bfloat16 __float2bfloat16(const float x) {
  return __nv_bfloat16::__warpmark_from(x);
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __double2bfloat16(const double x) {
  return __nv_bfloat16::__warpmark_from_double(x);
}
WARPMARK_HOST_DEVICE float __bfloat162float(const __nv_bfloat16 x) {
  return x.__warpmark_wide();
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __float2bfloat16_rn(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_NEAREST);
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __float2bfloat16_rz(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_ZERO);
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __float2bfloat16_rd(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_DOWN);
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __float2bfloat16_ru(const float x) {
  return __nv_bfloat16::__warpmark_from_double(x, WARPMARK_UP);
}
#define WARPMARK_H_INTEGER(word, type, mode, how, whole)                \
  WARPMARK_HOST_DEVICE __nv_bfloat16 __##word##2bfloat16_##mode(const type x) {          \
    return __nv_bfloat16::__warpmark_from_integer(x, how);                         \
  }                                                                     \
  WARPMARK_HOST_DEVICE type __bfloat162##word##_##mode(const __nv_bfloat16 x) {          \
    return __nv_bfloat16::__warpmark_integer<type>(whole(x.__warpmark_wide()));    \
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
WARPMARK_HOST_DEVICE signed char __bfloat162char_rz(const __nv_bfloat16 x) {
  return __nv_bfloat16::__warpmark_integer<signed char>(x.__warpmark_wide());
}
WARPMARK_HOST_DEVICE unsigned char __bfloat162uchar_rz(const __nv_bfloat16 x) {
  return __nv_bfloat16::__warpmark_integer<unsigned char>(x.__warpmark_wide());
}
WARPMARK_HOST_DEVICE short __bfloat16_as_short(const __nv_bfloat16 x) {
  return (short)x.__warpmark_bits();
}
WARPMARK_HOST_DEVICE unsigned short __bfloat16_as_ushort(const __nv_bfloat16 x) {
  return x.__warpmark_bits();
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __short_as_bfloat16(const short x) {
  return __nv_bfloat16::__warpmark_of_bits((unsigned short)x);
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __ushort_as_bfloat16(const unsigned short x) {
  return __nv_bfloat16::__warpmark_of_bits(x);
}

// Pairs
WARPMARK_HOST_DEVICE __nv_bfloat162 make_bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 x, const __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 x) {
  return __nv_bfloat162(x, x);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __float2bfloat162_rn(const float x) {
  return __bfloat162bfloat162(__float2bfloat16(x));
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __floats2bfloat162_rn(const float x, const float y) {
  return __nv_bfloat162(__float2bfloat16(x), __float2bfloat16(y));
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __float22bfloat162_rn(const float2 x) {
  return __floats2bfloat162_rn(x.x, x.y);
}
WARPMARK_HOST_DEVICE float2 __bfloat1622float2(const __nv_bfloat162 x) {
  float2 result;
  result.x = x.x.__warpmark_wide();
  result.y = x.y.__warpmark_wide();
  return result;
}
WARPMARK_HOST_DEVICE float __low2float(const __nv_bfloat162 x) {
  return x.x.__warpmark_wide();
}
WARPMARK_HOST_DEVICE float __high2float(const __nv_bfloat162 x) {
  return x.y.__warpmark_wide();
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 x) {
  return x.x;
}
WARPMARK_HOST_DEVICE __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 x) {
  return x.y;
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.x, x.x);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 x) {
  return __nv_bfloat162(x.y, x.y);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 x, const __nv_bfloat162 y) {
  return __nv_bfloat162(x.x, y.x);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 x, const __nv_bfloat162 y) {
  return __nv_bfloat162(x.y, y.y);
}
WARPMARK_HOST_DEVICE __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 x) {
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
