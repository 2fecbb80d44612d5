// Parameter sets of our own, not NVIDIA's (warpmark_cuda/random/mtgp32_host.h).
#pragma once

#include "warpmark_cuda/random/mtgp32_host.h"

static const int mtgpdc_params_11213_num = CURAND_NUM_MTGP32_PARAMS;
inline warpmark_random::Mtgp32Sets warpmark_mtgp32_sets = warpmark_random::own_sets();
inline mtgp32_params_fast_t (&mtgp32dc_params_fast_11213)[CURAND_NUM_MTGP32_PARAMS] =
    warpmark_mtgp32_sets.sets;
