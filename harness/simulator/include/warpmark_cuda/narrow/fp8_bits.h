// Conversion of floating-point numbers to 8-bit formats.
#pragma once

#include "narrow_bits.h"

// Returns the 8-bit pattern of the value, rounded to nearest even. Fraction: number of fraction bits; Bias:
// exponent bias; Largest: pattern of the largest finite number; Beyond: pattern of the result on overflow
// unless saturating. NaN becomes 0x7f.
template <int Fraction, int Bias, unsigned int Largest, unsigned int Beyond>
WARPMARK_BITS unsigned char warpmark_fp8(double value, bool saturate) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned int sign = bits >> 63 != 0 ? 0x80u : 0;
  if (value != value) return 0x7f;
  unsigned long long result = warpmark_magnitude(bits, Fraction, Bias, WARPMARK_NEAREST);
  if (result > Largest) result = saturate ? Largest : Beyond;
  return (unsigned char)(sign | result);
}
