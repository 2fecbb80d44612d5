// MT19937 (Matsumoto and Nishimura, "Mersenne twister", 1998), for cuRAND's host API.
#pragma once

#include "warpmark_cuda/random/distributions.h"

struct curandStateMt19937 {
  unsigned int words[624];
  int next;
  warpmark_random::Kept kept;
};

WARPMARK_RANDOM unsigned int curand(curandStateMt19937* state) {
  constexpr int kWords = 624;
  if (state->next == kWords) {
    for (int i = 0; i < kWords; ++i) {
      const unsigned int y = (state->words[i] & 0x80000000u) | (state->words[(i + 1) % kWords] & 0x7fffffffu);
      state->words[i] = state->words[(i + 397) % kWords] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0u);
    }
    state->next = 0;
  }
  unsigned int y = state->words[state->next++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

namespace warpmark_random {

template <>
inline constexpr bool kIsPseudo<curandStateMt19937> = true;

}  // namespace warpmark_random
