// Address-space queries and conversions of generic addresses (__isShared, __cvta_...), and debugger marks,
// which are no-ops.
#pragma once

#include "warpmark_cuda/types/vector_types.h"

#define WARPMARK_CVTA(space)                                              \
  WARPMARK_DEVICE size_t __cvta_generic_to_##space(const void* address) { \
    size_t result;                                                        \
    asm("cvta.to." #space ".u64 %0, %1;" : "=l"(result) : "l"(address));  \
    return result;                                                        \
  }                                                                       \
  WARPMARK_DEVICE void* __cvta_##space##_to_generic(size_t address) {     \
    size_t result;                                                        \
    asm("cvta." #space ".u64 %0, %1;" : "=l"(result) : "l"(address));     \
    return (void*)result;                                                 \
  }
WARPMARK_CVTA(shared)
WARPMARK_CVTA(global)
WARPMARK_CVTA(local)
#undef WARPMARK_CVTA

// In the simulator, shared and local memory each occupy a 16 MiB window of the generic address space; all
// other addresses are global.
static const size_t warpmark_window_bytes = (size_t)16 << 20;
WARPMARK_DEVICE unsigned int __isShared(const void* address) {
  return __cvta_generic_to_shared(address) < warpmark_window_bytes ? 1 : 0;
}
WARPMARK_DEVICE unsigned int __isLocal(const void* address) {
  return __cvta_generic_to_local(address) < warpmark_window_bytes ? 1 : 0;
}
WARPMARK_DEVICE unsigned int __isGlobal(const void* address) {
  return __isShared(address) == 0 && __isLocal(address) == 0 ? 1 : 0;
}

WARPMARK_DEVICE void __brkpt() {}
WARPMARK_DEVICE void __prof_trigger(int) {}
WARPMARK_DEVICE void __pm0() {}
WARPMARK_DEVICE void __pm1() {}
WARPMARK_DEVICE void __pm2() {}
WARPMARK_DEVICE void __pm3() {}
