// Conversions between 16-bit formats and float or double, by bit manipulation.
#pragma once

#include "../qualifiers.h"

// Rounding modes, in this order: to nearest even, towards zero, down, up.
enum WarpmarkRounding { WARPMARK_NEAREST, WARPMARK_ZERO, WARPMARK_DOWN, WARPMARK_UP };

#if defined(__clang__)
#define WARPMARK_BITS static __inline__ __host__ __device__ __attribute__((always_inline, nodebug, unused))
#else
#define WARPMARK_BITS static __inline__ __host__ __device__ __attribute__((always_inline, unused))
#endif

// WARPMARK_CLASS: function qualifiers (__host__ __device__, ...) of the member functions of the 8- and 16-bit
// floating-point classes.
#if defined(__CUDA__)
#define WARPMARK_CLASS __host__ __device__ __attribute__((always_inline, nodebug))
#else
#define WARPMARK_CLASS __inline__
#endif

// Shifts out the lower `dropped` bits of a double's bit pattern and rounds the rest. A carry out of the
// fraction increments the exponent, which yields the correct result, the next power of two.
WARPMARK_BITS unsigned long long warpmark_round_bits(unsigned long long bits, int dropped, bool negative,
                                                     WarpmarkRounding how) {
  if (dropped > 62) dropped = 62;
  const unsigned long long kept = bits >> dropped;
  const unsigned long long rest = bits & ((1ull << dropped) - 1);
  const unsigned long long half = 1ull << (dropped - 1);
  bool up = false;
  if (how == WARPMARK_NEAREST) up = rest > half || (rest == half && (kept & 1) != 0);
  if (how == WARPMARK_DOWN) up = rest != 0 && negative;
  if (how == WARPMARK_UP) up = rest != 0 && !negative;
  return kept + (up ? 1 : 0);
}

// Encodes the absolute value of a finite double in a format with `fraction_bits` fraction bits and exponent
// bias `bias`. On overflow the result has more bits than the format.
WARPMARK_BITS unsigned long long warpmark_magnitude(unsigned long long bits, int fraction_bits, int bias,
                                                    WarpmarkRounding how) {
  const bool negative = bits >> 63 != 0;
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023 + bias;
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  if (exponent > 0)
    return warpmark_round_bits((unsigned long long)exponent << 52 | fraction, 52 - fraction_bits, negative,
                               how);
  if (bits << 1 == 0) return 0;
  return warpmark_round_bits(1ull << 52 | fraction, 53 - fraction_bits - exponent, negative, how);
}

// Converts a double to a 16-bit format with `Fraction` fraction bits and exponent bias `Bias`.
template <int Fraction, int Bias>
WARPMARK_BITS unsigned short warpmark_narrow(double value, WarpmarkRounding how = WARPMARK_NEAREST) {
  const unsigned int infinity = ((1u << (15 - Fraction)) - 1) << Fraction;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const bool negative = bits >> 63 != 0;
  const unsigned int sign = negative ? 0x8000u : 0;
  if (value != value) return (unsigned short)0x7fff;
  if (bits << 1 == 0x7ffull << 53) return (unsigned short)(sign | infinity);
  unsigned long long result = warpmark_magnitude(bits, Fraction, Bias, how);
  const bool outward =
      how == WARPMARK_NEAREST || (how == WARPMARK_DOWN && negative) || (how == WARPMARK_UP && !negative);
  if (result >= infinity) result = outward ? infinity : infinity - 1;
  return (unsigned short)(sign | result);
}

template <int Fraction, int Bias>
WARPMARK_BITS float warpmark_widen(unsigned short bits) {
  const unsigned int sign = (unsigned int)(bits & 0x8000) << 16;
  const unsigned int rest = bits & 0x7fff;
  const unsigned int infinity = ((1u << (15 - Fraction)) - 1) << Fraction;
  if (rest >= infinity) {
    const unsigned int fraction = rest > infinity ? 0x7fffffu : 0;
    return __builtin_bit_cast(float, (rest > infinity ? 0 : sign) | 0x7f800000u | fraction);
  }
  if (rest >> Fraction == 0) {
    const float unit = __builtin_bit_cast(float, (unsigned int)(128 - Bias - Fraction) << 23);
    const float value = (float)rest * unit;
    return sign != 0 ? -value : value;
  }
  return __builtin_bit_cast(float, sign | ((rest << (23 - Fraction)) + ((unsigned int)(127 - Bias) << 23)));
}

// Rounds a float to the nearest integer, ties to even, whatever the host's rounding mode is.
WARPMARK_BITS float warpmark_rint(float x) {
  const float magnitude = x < 0.0f ? -x : x;
  if (!(magnitude < 8388608.0f)) return x;
  const float whole = (magnitude + 8388608.0f) - 8388608.0f;
  return x < 0.0f ? -whole : whole;
}

// Converts a 64-bit integer to double for a later conversion to 16 bits. Bits that double cannot hold are
// combined into a sticky bit, so that the second rounding is correct.
template <typename Integer>
WARPMARK_BITS double warpmark_double_of(Integer value) {
  const double wide = (double)value;
  if (sizeof(value) < 8 || (wide < 9007199254740992.0 && wide > -9007199254740992.0)) return wide;
  const Integer low = value % 2048;
  const double kept = (double)(value - low);
  return low == 0 ? kept : __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, kept) | 1);
}

// Converts a float to an integer, rounding towards zero and saturating. NaN becomes 0, or the minimum for
// 64-bit types.
template <typename Integer>
WARPMARK_BITS Integer warpmark_integer_of(float value) {
  const bool is_signed = (Integer)-1 < (Integer)1;
  const double limit = (double)(1ull << (8 * sizeof(Integer) - (is_signed ? 1 : 0) - 1)) * 2;
#if defined(__CUDA_ARCH__)
  // the cast from double to integer saturates in device code, because it compiles to cvt.rzi
  if (sizeof(Integer) >= 4) return (Integer)value;
#endif
  if (value != value) return sizeof(Integer) == 8 ? (Integer)(1ull << 63) : (Integer)0;
  if ((double)value >= limit) return (Integer)(is_signed ? (1ull << (8 * sizeof(Integer) - 1)) - 1 : ~0ull);
  if ((double)value < (is_signed ? -limit : 0.0))
    return is_signed ? (Integer)(1ull << (8 * sizeof(Integer) - 1)) : 0;
  return (Integer)value;
}
