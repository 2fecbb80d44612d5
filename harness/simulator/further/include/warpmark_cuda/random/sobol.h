// The 32-bit Sobol sequence in Gray-code order, with the direction numbers of Joe and Kuo ("Constructing
// Sobol sequences with better two-dimensional projections", 2008) for the first 21 dimensions.
#pragma once

#include "warpmark_cuda/random/words.h"

typedef unsigned int curandDirectionVectors32_t[32];

struct curandStateSobol32 {
  unsigned int i;
  unsigned int x;
  unsigned int gap;  // for the size of cuRAND's structure
  unsigned int direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;

namespace warpmark_random {

constexpr int kSobolDimensions = 21;

struct Primitive {
  int degree;
  unsigned int coefficients;
  unsigned int start[7];
};
// Primitive polynomials and initial direction numbers (Joe and Kuo) of dimensions 2 to 21 of the Sobol
// sequence.
constexpr Primitive kPrimitives[kSobolDimensions - 1] = {{1, 0, {1}},
                                                         {2, 1, {1, 3}},
                                                         {3, 1, {1, 3, 1}},
                                                         {3, 2, {1, 1, 1}},
                                                         {4, 1, {1, 1, 3, 3}},
                                                         {4, 4, {1, 3, 5, 13}},
                                                         {5, 2, {1, 1, 5, 5, 17}},
                                                         {5, 4, {1, 1, 5, 5, 5}},
                                                         {5, 7, {1, 1, 7, 11, 19}},
                                                         {5, 11, {1, 1, 5, 1, 1}},
                                                         {5, 13, {1, 1, 1, 3, 11}},
                                                         {5, 14, {1, 3, 5, 5, 31}},
                                                         {6, 1, {1, 3, 3, 9, 7, 49}},
                                                         {6, 13, {1, 1, 1, 15, 21, 21}},
                                                         {6, 16, {1, 3, 1, 13, 27, 49}},
                                                         {6, 19, {1, 1, 1, 15, 7, 5}},
                                                         {6, 22, {1, 3, 1, 15, 13, 25}},
                                                         {6, 25, {1, 1, 5, 5, 19, 61}},
                                                         {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                         {7, 4, {1, 3, 7, 13, 13, 15, 69}}};

struct DirectionVectors {
  curandDirectionVectors32_t of[kSobolDimensions];
};
constexpr DirectionVectors direction_vectors() {
  DirectionVectors vectors{};
  for (int i = 0; i < 32; ++i) vectors.of[0][i] = 1u << (31 - i);
  for (int d = 1; d < kSobolDimensions; ++d) {
    const Primitive& p = kPrimitives[d - 1];
    unsigned int* v = vectors.of[d];
    for (int i = 0; i < 32; ++i) {
      if (i < p.degree) {
        v[i] = p.start[i] << (31 - i);
        continue;
      }
      v[i] = v[i - p.degree] ^ (v[i - p.degree] >> p.degree);
      for (int k = 1; k < p.degree; ++k) v[i] ^= (p.coefficients >> (p.degree - 1 - k) & 1) * v[i - k];
    }
  }
  return vectors;
}

// Returns number i of a dimension's Sobol sequence: the XOR of the direction numbers at the set bits of i's
// Gray code.
__host__ __device__ inline unsigned int sobol(const unsigned int* vectors, unsigned int i) {
  unsigned int x = 0;
  for (unsigned int gray = i ^ (i >> 1), bit = 0; gray != 0; gray >>= 1, ++bit) {
    if (gray & 1) x ^= vectors[bit];
  }
  return x;
}

}  // namespace warpmark_random

WARPMARK_RANDOM void curand_init(curandDirectionVectors32_t vectors, unsigned int offset,
                                 curandStateSobol32_t* state) {
  for (int i = 0; i < 32; ++i) state->direction_vectors[i] = vectors[i];
  state->i = offset;
  state->gap = 0;
  state->x = warpmark_random::sobol(vectors, offset);
}
WARPMARK_RANDOM unsigned int curand(curandStateSobol32_t* state) {
  const unsigned int number = state->x;
  ++state->i;
  state->x = warpmark_random::sobol(state->direction_vectors, state->i);
  return number;
}
WARPMARK_RANDOM void skipahead(unsigned int n, curandStateSobol32_t* state) {
  state->i += n;
  state->x = warpmark_random::sobol(state->direction_vectors, state->i);
}
WARPMARK_RANDOM float curand_uniform(curandStateSobol32_t* state) {
  return warpmark_random::unit(curand(state));
}
WARPMARK_RANDOM double curand_uniform_double(curandStateSobol32_t* state) {
  return curand(state) * warpmark_random::kDoubleTo32 + warpmark_random::kDoubleTo32;
}
WARPMARK_RANDOM float curand_normal(curandStateSobol32_t* state) {
  return warpmark_random::normal_of(curand(state));
}
WARPMARK_RANDOM double curand_normal_double(curandStateSobol32_t* state) {
  return normcdfinv(warpmark_random::inner_part_of(curand(state)));
}
