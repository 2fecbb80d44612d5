// MTGP32 (Saito and Matsumoto, "Variants of Mersenne Twister suitable for graphic processors", 2013), for
// whole blocks of up to 256 threads. The recursion is the published one; the parameters are our own, without
// a proven period, so the numbers differ from a GPU's.
#pragma once

#include "warpmark_cuda/random/distributions.h"

#define MTGPDC_MEXP 11213
#define MTGPDC_N 351
#define MTGPDC_FLOOR_2P 256
#define MTGPDC_CEIL_2P 512
#define MTGPDC_PARAM_TABLE mtgp32dc_params_fast_11213
#define MTGP32_STATE_SIZE 1024
#define MTGP32_STATE_MASK 1023
#define CURAND_NUM_MTGP32_PARAMS 200
#define MEXP 11213
#define THREAD_NUM MTGPDC_FLOOR_2P
#define LARGE_SIZE (THREAD_NUM * 3)
#define TBL_SIZE 16

struct mtgp32_params_fast {
  int mexp, pos, sh1, sh2;
  unsigned int tbl[TBL_SIZE], tmp_tbl[TBL_SIZE], flt_tmp_tbl[TBL_SIZE];
  unsigned int mask;
  unsigned char poly_sha1[21];
};
typedef struct mtgp32_params_fast mtgp32_params_fast_t;
struct mtgp32_kernel_params {
  unsigned int pos_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int param_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int single_temper_tbl[CURAND_NUM_MTGP32_PARAMS][TBL_SIZE];
  unsigned int sh1_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int sh2_tbl[CURAND_NUM_MTGP32_PARAMS];
  unsigned int mask[1];
};
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateMtgp32 {
  unsigned int s[MTGP32_STATE_SIZE];
  int offset;
  int pIdx;
  mtgp32_kernel_params_t* k;
};
typedef struct curandStateMtgp32 curandStateMtgp32_t;

namespace warpmark_random {

// Returns the next word for one of `count` threads with distinct indices. All threads of the block must call
// it.
WARPMARK_RANDOM unsigned int mtgp32_word(curandStateMtgp32_t* state, unsigned int index, unsigned int count) {
  const mtgp32_kernel_params_t& k = *state->k;
  const int set = state->pIdx;
  const unsigned int at = state->offset + index;
  const auto word = [&](unsigned int behind) { return state->s[(at + behind) & MTGP32_STATE_MASK]; };
  const unsigned int pos = k.pos_tbl[set];
  unsigned int x = (word(0) & k.mask[0]) ^ word(1);
  x ^= x << k.sh1_tbl[set];
  const unsigned int y = x ^ (word(pos) >> k.sh2_tbl[set]);
  const unsigned int made = y ^ k.param_tbl[set][y & 15];
  state->s[(at + MTGPDC_N) & MTGP32_STATE_MASK] = made;
  unsigned int t = word(pos - 1);
  t ^= t >> 16;
  t ^= t >> 8;
  const unsigned int number = made ^ k.temper_tbl[set][t & 15];
  __syncthreads();
  if (index == 0) state->offset = (state->offset + count) & MTGP32_STATE_MASK;
  __syncthreads();
  return number;
}

// Inversion: uses exactly one word per number, because all threads of a block advance together.
WARPMARK_RANDOM unsigned int poisson_of(double part, double mean) {
  if (mean < kLargeMean) {
    double term = exp(-mean);
    double sum = term;
    unsigned int count = 0;
    while (part > sum && count < 1000) {
      ++count;
      term *= mean / count;
      sum += term;
    }
    return count;
  }
  // The Cornish-Fisher expansion of the quantile function.
  const double z = normcdfinv(part);
  const double root = sqrt(mean);
  const double count = floor(mean + root * z + (z * z - 1) / 6 - (z * z * z - z) / (36 * root) + 0.5);
  return count > 0 ? static_cast<unsigned int>(count) : 0;
}

}  // namespace warpmark_random

WARPMARK_RANDOM unsigned int curand(curandStateMtgp32_t* state) {
  const unsigned int index = (blockDim.y * threadIdx.z + threadIdx.y) * blockDim.x + threadIdx.x;
  return warpmark_random::mtgp32_word(state, index, blockDim.x * blockDim.y * blockDim.z);
}
WARPMARK_RANDOM unsigned int curand_mtgp32_specific(curandStateMtgp32_t* state, unsigned char index,
                                                    unsigned char n) {
  return warpmark_random::mtgp32_word(state, index, n);
}
WARPMARK_RANDOM float curand_uniform(curandStateMtgp32_t* state) {
  return warpmark_random::unit(curand(state));
}
WARPMARK_RANDOM float curand_mtgp32_single(curandStateMtgp32_t* state) {
  return curand_uniform(state);
}
WARPMARK_RANDOM float curand_mtgp32_single_specific(curandStateMtgp32_t* state, unsigned char index,
                                                    unsigned char n) {
  return warpmark_random::unit(curand_mtgp32_specific(state, index, n));
}
WARPMARK_RANDOM double curand_uniform_double(curandStateMtgp32_t* state) {
  return curand(state) * warpmark_random::kDoubleTo32 + warpmark_random::kDoubleTo32;
}
WARPMARK_RANDOM float curand_normal(curandStateMtgp32_t* state) {
  return warpmark_random::normal_of(curand(state));
}
WARPMARK_RANDOM double curand_normal_double(curandStateMtgp32_t* state) {
  return normcdfinv(warpmark_random::inner_part_of(curand(state)));
}
WARPMARK_RANDOM float curand_log_normal(curandStateMtgp32_t* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
WARPMARK_RANDOM double curand_log_normal_double(curandStateMtgp32_t* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
WARPMARK_RANDOM unsigned int curand_poisson(curandStateMtgp32_t* state, double lambda) {
  return warpmark_random::poisson_of(warpmark_random::inner_part_of(curand(state)), lambda);
}
