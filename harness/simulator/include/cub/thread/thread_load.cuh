// Loads and stores with the name of a cache policy, which the simulator has no caches for.
#pragma once

#include "cub/util_type.cuh"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier modifier = LOAD_DEFAULT, typename Input>
__device__ __forceinline__ auto ThreadLoad(Input from)
    -> std::remove_cv_t<std::remove_reference_t<decltype(*from)>> {
  return *from;
}
template <CacheStoreModifier modifier = STORE_DEFAULT, typename Output, typename T>
__device__ __forceinline__ void ThreadStore(Output to, T value) {
  *to = value;
}

}  // namespace cub
