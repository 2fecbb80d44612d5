// The bits of numbers of 8 bits.
#pragma once

#include "narrow_bits.h"

// To a number with `Fraction` bits behind the point and `Bias` in its exponent, to the nearest, ties to even.
// Largest: the bits of the largest number; Beyond: of what is larger. What is no number is 0x7f.
template <int Fraction, int Bias, unsigned int Largest, unsigned int Beyond>
WARPMARK_BITS unsigned char warpmark_fp8(double value, bool saturate) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned int sign = bits >> 63 != 0 ? 0x80u : 0;
  const int exponent = (int)(bits >> 52 & 0x7ff) - 1023 + Bias;
  const unsigned long long fraction = bits & 0xfffffffffffffull;
  if (value != value) return 0x7f;
  unsigned long long result = Largest + 1;
  if (exponent > 0) {
    if (exponent <= 1 << (7 - Fraction))
      result = warpmark_round_bits((unsigned long long)exponent << 52 | fraction, 52 - Fraction, false,
                                   WARPMARK_NEAREST);
  } else if (bits << 1 == 0) {
    result = 0;
  } else {
    result = warpmark_round_bits(1ull << 52 | fraction, 53 - Fraction - exponent, false, WARPMARK_NEAREST);
  }
  if (result > Largest) result = saturate ? Largest : Beyond;
  return (unsigned char)(sign | result);
}

// Beyond: the bits of the first that is no finite number, which is infinity unless it is the last one.
template <int Fraction, int Bias, unsigned int Beyond>
WARPMARK_BITS float warpmark_wide_fp8(unsigned char bits) {
  const unsigned int sign = (unsigned int)(bits & 0x80) << 24;
  const unsigned int rest = bits & 0x7f;
  if (rest > Beyond || (rest == Beyond && Beyond == 0x7f)) return __builtin_bit_cast(float, 0x7fffffffu);
  if (rest == Beyond) return __builtin_bit_cast(float, sign | 0x7f800000u);
  if (rest >> Fraction == 0) {
    const float unit = __builtin_bit_cast(float, (unsigned int)(128 - Bias - Fraction) << 23);
    const float value = (float)rest * unit;
    return sign != 0 ? -value : value;
  }
  return __builtin_bit_cast(float, sign | ((rest << (23 - Fraction)) + ((unsigned int)(127 - Bias) << 23)));
}
