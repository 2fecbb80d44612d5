// Conversion to 8-bit floating point.
#pragma once

#include "narrow_bits.h"

// Converts to `Fraction` fraction bits and exponent bias `Bias`, round to nearest even. Largest: bits of the
// largest finite number; Beyond: bits of the result on overflow. NaN is 0x7f.
template <int Fraction, int Bias, unsigned int Largest, unsigned int Beyond>
WARPMARK_BITS unsigned char warpmark_fp8(double value, bool saturate) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned int sign = bits >> 63 != 0 ? 0x80u : 0;
  if (value != value) return 0x7f;
  unsigned long long result = warpmark_magnitude(bits, Fraction, Bias, WARPMARK_NEAREST);
  if (result > Largest) result = saturate ? Largest : Beyond;
  return (unsigned char)(sign | result);
}
