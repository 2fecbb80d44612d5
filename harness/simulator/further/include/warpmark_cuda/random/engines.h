// The generators of cuRAND's device API by their published algorithms: XORWOW (Marsaglia 2003), Philox
// 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) and MRG32k3a (L'Ecuyer 1999).
// Seeding and the distances of subsequences follow cuRAND, so that the numbers equal those of a GPU.
#pragma once

#include "cuda_runtime.h"

extern "C" {
__device__ unsigned long long __warpmark_xorwow_jump(int pair, unsigned long long words_0_1,
                                                     unsigned long long words_2_3, unsigned int word_4,
                                                     unsigned long long steps, int exponent);
__device__ unsigned long long __warpmark_mrg32k3a_jump(int component, int pair,
                                                       unsigned long long numbers_0_1, unsigned int number_2,
                                                       unsigned long long steps, int exponent);
}

namespace warpmark_random {

// Second number of a normal pair, kept in a cuRAND state for the next call. A normal and a log-normal number
// share their place, as in cuRAND: asking for one discards a kept number of the other kind.
struct Kept {
  double double_number;
  float number;
  unsigned int has;  // bit mask of KeptKind: which kept numbers are valid
};
enum KeptKind : unsigned int { kNormal = 1, kLogNormal = 2, kNormalDouble = 4, kLogNormalDouble = 8 };

}  // namespace warpmark_random

// The states have the sizes of cuRAND's. They have no padding and curand_init() sets all members, so that a
// copy of a state reads no uninitialised memory.
struct curandStateXORWOW {
  unsigned int d;
  unsigned int v[5];
  warpmark_random::Kept kept;
  unsigned long long gap;
};
struct curandStatePhilox4_32_10 {
  uint4 counter;
  uint4 output;
  uint2 key;
  // Philox: index in `output`, the current block of four words, of the next word to return
  unsigned int next;
  unsigned int gap;
  warpmark_random::Kept kept;
};
struct curandStateMRG32k3a {
  unsigned int s1[3];
  unsigned int s2[3];
  warpmark_random::Kept kept;
  unsigned long long gap;
};
static_assert(sizeof(curandStateXORWOW) == 48 && sizeof(curandStateMRG32k3a) == 48 &&
              sizeof(curandStatePhilox4_32_10) == 64);
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#define WARPMARK_RANDOM WARPMARK_DEVICE

WARPMARK_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
  unsigned int* v = state->v;
  const unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return v[4] + state->d;
}

namespace warpmark_random {

WARPMARK_RANDOM void jump(curandStateXORWOW_t* state, unsigned long long steps, int exponent) {
  if (steps == 0) return;
  unsigned int* v = state->v;
  const unsigned long long low = v[0] | static_cast<unsigned long long>(v[1]) << 32;
  const unsigned long long high = v[2] | static_cast<unsigned long long>(v[3]) << 32;
  const unsigned int last = v[4];
  for (int pair = 0; pair < 3; ++pair) {
    const unsigned long long words = __warpmark_xorwow_jump(pair, low, high, last, steps, exponent);
    v[2 * pair] = static_cast<unsigned int>(words);
    if (pair < 2) v[2 * pair + 1] = static_cast<unsigned int>(words >> 32);
  }
  if (exponent == 0) state->d += 362437u * static_cast<unsigned int>(steps);
}
// XORWOW: binary logarithm of the distance between subsequences, 2^67 numbers
constexpr int kXorwowSequence = 67;

}  // namespace warpmark_random

WARPMARK_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  warpmark_random::jump(state, n, 0);
}
WARPMARK_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  warpmark_random::jump(state, n, warpmark_random::kXorwowSequence);
}
WARPMARK_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  state->kept = warpmark_random::Kept{};
  state->gap = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

namespace warpmark_random {

WARPMARK_RANDOM uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.x;
    const unsigned long long b = 0xCD9E8D57ull * counter.z;
    counter = uint4{static_cast<unsigned int>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(b),
                    static_cast<unsigned int>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(a)};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}
// Advances Philox's 128-bit counter: by `blocks` in the low half, with a carry into the high half, and by
// `sequences` in the high half.
WARPMARK_RANDOM void advance(curandStatePhilox4_32_10_t* state, unsigned long long blocks,
                             unsigned long long sequences) {
  uint4& c = state->counter;
  const unsigned long long low = c.x | static_cast<unsigned long long>(c.y) << 32;
  const unsigned long long high = c.z | static_cast<unsigned long long>(c.w) << 32;
  const unsigned long long new_low = low + blocks;
  const unsigned long long new_high = high + sequences + (new_low < low ? 1 : 0);
  c = uint4{static_cast<unsigned int>(new_low), static_cast<unsigned int>(new_low >> 32),
            static_cast<unsigned int>(new_high), static_cast<unsigned int>(new_high >> 32)};
  state->output = philox(c, state->key);
}

}  // namespace warpmark_random

WARPMARK_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long place = state->next + (n & 3);
  state->next = static_cast<unsigned int>(place & 3);
  warpmark_random::advance(state, n / 4 + place / 4, 0);
}
WARPMARK_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  warpmark_random::advance(state, 0, n);
}
WARPMARK_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->counter = uint4{0, 0, 0, 0};
  state->gap = 0;
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  state->next = 0;
  state->kept = warpmark_random::Kept{};
  warpmark_random::advance(state, offset / 4, subsequence);
  state->next = static_cast<unsigned int>(offset & 3);
}
WARPMARK_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const uint4 output = state->output;
  const unsigned int next = state->next;
  const unsigned int number = next == 0 ? output.x : next == 1 ? output.y : next == 2 ? output.z : output.w;
  state->next = (next + 1) & 3;
  if (state->next == 0) warpmark_random::advance(state, 1, 0);
  return number;
}
WARPMARK_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 numbers;
  numbers.x = curand(state);
  numbers.y = curand(state);
  numbers.z = curand(state);
  numbers.w = curand(state);
  return numbers;
}

namespace warpmark_random {

constexpr unsigned long long kMrgModulus1 = 4294967087ull;
constexpr unsigned long long kMrgModulus2 = 4294944443ull;
constexpr int kMrgSubsequence = 76;
constexpr int kMrgSequence = 127;

// Advances an MRG32k3a generator (L'Ecuyer 1999) and returns its next output, in [1, first modulus].
WARPMARK_RANDOM unsigned int mrg_number(curandStateMRG32k3a_t* state) {
  unsigned int* a = state->s1;
  unsigned int* b = state->s2;
  const unsigned long long next_a = (1403580ull * a[1] + (kMrgModulus1 - 810728ull) * a[0]) % kMrgModulus1;
  const unsigned long long next_b =
      (527612ull * b[2] + (kMrgModulus2 - 1370589ull) * b[0] % kMrgModulus2) % kMrgModulus2;
  a[0] = a[1];
  a[1] = a[2];
  a[2] = static_cast<unsigned int>(next_a);
  b[0] = b[1];
  b[1] = b[2];
  b[2] = static_cast<unsigned int>(next_b);
  return static_cast<unsigned int>(next_a > next_b ? next_a - next_b : next_a + kMrgModulus1 - next_b);
}
WARPMARK_RANDOM void jump(curandStateMRG32k3a_t* state, unsigned long long steps, int exponent) {
  if (steps == 0) return;
  for (int half = 0; half < 2; ++half) {
    unsigned int* s = half == 0 ? state->s1 : state->s2;
    const unsigned long long low = s[0] | static_cast<unsigned long long>(s[1]) << 32;
    const unsigned int last = s[2];
    const unsigned long long words = __warpmark_mrg32k3a_jump(half, 0, low, last, steps, exponent);
    s[0] = static_cast<unsigned int>(words);
    s[1] = static_cast<unsigned int>(words >> 32);
    s[2] = static_cast<unsigned int>(__warpmark_mrg32k3a_jump(half, 1, low, last, steps, exponent));
  }
}

}  // namespace warpmark_random

WARPMARK_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpmark_random::jump(state, n, 0);
}
WARPMARK_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpmark_random::jump(state, n, warpmark_random::kMrgSubsequence);
}
WARPMARK_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  warpmark_random::jump(state, n, warpmark_random::kMrgSequence);
}
WARPMARK_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, curandStateMRG32k3a_t* state) {
  using warpmark_random::kMrgModulus1;
  using warpmark_random::kMrgModulus2;
  unsigned long long x = 1;
  unsigned long long y = 1;
  if (seed != 0) {
    x = static_cast<unsigned int>(seed) ^ 0x55555555u;
    y = static_cast<unsigned int>(seed >> 32) ^ 0xAAAAAAAAu;
  }
  state->s1[0] = static_cast<unsigned int>(x * 12345 % kMrgModulus1);
  state->s1[1] = static_cast<unsigned int>(y * 12345 % kMrgModulus1);
  state->s1[2] = static_cast<unsigned int>(x * 12345 % kMrgModulus1);
  state->s2[0] = static_cast<unsigned int>(y * 12345 % kMrgModulus2);
  state->s2[1] = static_cast<unsigned int>(x * 12345 % kMrgModulus2);
  state->s2[2] = static_cast<unsigned int>(y * 12345 % kMrgModulus2);
  state->kept = warpmark_random::Kept{};
  state->gap = 0;
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
WARPMARK_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(warpmark_random::mrg_number(state) * 1.000000048662);
}
