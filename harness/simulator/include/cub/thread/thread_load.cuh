// CUB's loads and stores with a cache modifier, which is ignored: the simulator has no caches.
#pragma once

#include "cub/util_type.cuh"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier modifier = LOAD_DEFAULT, typename Input>
WARPMARK_LOOK_THROUGH auto ThreadLoad(Input from)
    -> std::remove_cv_t<std::remove_reference_t<decltype(*from)>> {
  return *from;
}
template <CacheStoreModifier modifier = STORE_DEFAULT, typename Output, typename T>
WARPMARK_LOOK_THROUGH void ThreadStore(Output to, T value) {
  *to = value;
}

}  // namespace cub
