// The bits of numbers of 8 bits.
#pragma once

#include "narrow_bits.h"

// To a number with `Fraction` bits behind the point and `Bias` in its exponent, to the nearest, ties to even.
// Largest: the bits of the largest number; Beyond: of what is larger. What is no number is 0x7f.
template <int Fraction, int Bias, unsigned int Largest, unsigned int Beyond>
WARPMARK_BITS unsigned char warpmark_fp8(double value, bool saturate) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned int sign = bits >> 63 != 0 ? 0x80u : 0;
  if (value != value) return 0x7f;
  unsigned long long result = warpmark_magnitude(bits, Fraction, Bias, WARPMARK_NEAREST);
  if (result > Largest) result = saturate ? Largest : Beyond;
  return (unsigned char)(sign | result);
}
