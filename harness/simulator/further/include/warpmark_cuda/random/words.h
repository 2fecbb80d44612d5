// Conversions of 32-bit random words, equal to a GPU's: uniform numbers lie in (0, 1].
#pragma once

#include "warpmark_cuda/random/engines.h"

namespace warpmark_random {

constexpr float kTo32 = 2.3283064365386963e-10f;  // 2^-32
constexpr double kDoubleTo32 = 2.3283064365386963e-10;

WARPMARK_RANDOM float unit(unsigned int x) {
  return x * kTo32 + kTo32 / 2;
}
// Maps a random word to the open interval (0, 1).
WARPMARK_RANDOM double inner_part_of(unsigned int x) {
  return x * kDoubleTo32 + kDoubleTo32 / 2;
}
// Inverse normal distribution, computed from the nearer tail, so that no word gives an infinity.
WARPMARK_RANDOM float normal_of(unsigned int x) {
  const bool upper = x > 0x80000000u;
  const float distance = normcdfinvf(unit(upper ? ~x : x));
  return upper ? -distance : distance;
}

}  // namespace warpmark_random
