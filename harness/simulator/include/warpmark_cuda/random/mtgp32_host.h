// MTGP32: parameters and states made on the host.
#pragma once

#include <stdlib.h>

#include "curand.h"
#include "warpmark_cuda/random/mtgp32.h"

namespace warpmark_random {

struct Mtgp32Sets {
  mtgp32_params_fast_t sets[CURAND_NUM_MTGP32_PARAMS];
};
// Our own parameter sets: positions that keep 256 threads independent, and tables whose entry i is the XOR of
// those of four random words (from splitmix64) that are selected by the bits of i.
constexpr Mtgp32Sets own_sets() {
  Mtgp32Sets made{};
  unsigned long long state = 11213;
  const auto next = [&state] {
    state += 0x9e3779b97f4a7c15ull;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<unsigned int>((z ^ (z >> 31)) >> 32);
  };
  for (mtgp32_params_fast_t& set : made.sets) {
    set.mexp = MTGPDC_MEXP;
    set.pos = static_cast<int>(4 + next() % (MTGPDC_N - MTGPDC_FLOOR_2P - 4));
    set.sh1 = static_cast<int>(8 + next() % 8);
    set.sh2 = static_cast<int>(2 + next() % 6);
    set.mask = ~0u << (MTGPDC_N * 32 - MTGPDC_MEXP);
    unsigned int rows[4] = {}, tempered[4] = {};
    for (int bit = 0; bit < 4; ++bit) {
      rows[bit] = next();
      tempered[bit] = next();
    }
    for (int i = 0; i < TBL_SIZE; ++i) {
      for (int bit = 0; bit < 4; ++bit) {
        set.tbl[i] ^= i >> bit & 1 ? rows[bit] : 0;
        set.tmp_tbl[i] ^= i >> bit & 1 ? tempered[bit] : 0;
      }
      set.flt_tmp_tbl[i] = set.tmp_tbl[i] >> 9 | 0x3f800000u;
    }
  }
  return made;
}

}  // namespace warpmark_random

inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[],
                                                mtgp32_kernel_params_t* p) {
  auto* const tables = static_cast<mtgp32_kernel_params_t*>(calloc(1, sizeof *p));
  if (tables == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  for (int set = 0; set < CURAND_NUM_MTGP32_PARAMS; ++set) {
    const mtgp32_params_fast_t& from = params[set];
    tables->pos_tbl[set] = static_cast<unsigned int>(from.pos);
    tables->sh1_tbl[set] = static_cast<unsigned int>(from.sh1);
    tables->sh2_tbl[set] = static_cast<unsigned int>(from.sh2);
    for (int i = 0; i < TBL_SIZE; ++i) {
      tables->param_tbl[set][i] = from.tbl[i];
      tables->temper_tbl[set][i] = from.tmp_tbl[i];
      tables->single_temper_tbl[set][i] = from.flt_tmp_tbl[i];
    }
  }
  tables->mask[0] = params[0].mask;
  const cudaError_t error = ::cudaMemcpy(p, tables, sizeof *p, cudaMemcpyHostToDevice);
  free(tables);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

// State i uses parameter set i. Seeding is that of MT19937, with a different seed for each set.
inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t* s, mtgp32_params_fast_t params[],
                                                  mtgp32_kernel_params_t* k, int n, unsigned long long seed) {
  if (n < 0 || n > CURAND_NUM_MTGP32_PARAMS) return CURAND_STATUS_ALLOCATION_FAILED;
  auto* const states =
      static_cast<curandStateMtgp32_t*>(calloc(static_cast<size_t>(n) + 1, sizeof(curandStateMtgp32_t)));
  if (states == nullptr) return CURAND_STATUS_ALLOCATION_FAILED;
  for (int i = 0; i < n; ++i) {
    unsigned int word = static_cast<unsigned int>(seed ^ (seed >> 32)) ^ params[i].tbl[1];
    for (unsigned int j = 0; j < MTGPDC_N; ++j) {
      states[i].s[j] = word;
      word = 1812433253u * (word ^ (word >> 30)) + j + 1;
    }
    states[i].pIdx = i;
    states[i].k = k;
  }
  const cudaError_t error =
      ::cudaMemcpy(s, states, static_cast<size_t>(n) * sizeof *states, cudaMemcpyHostToDevice);
  free(states);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
