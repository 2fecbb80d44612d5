// CUDA features that the simulator does not support. Their use is a compile error that names the feature.
#pragma once

#include "warpmark_cuda/types/types.h"

#define WARPMARK_NOT_SIMULATED __attribute__((unavailable("not simulated by Warpmark")))
#define WARPMARK_MISSING(name) WARPMARK_NOT_SIMULATED cudaError_t name(...)
#define WARPMARK_MISSING_TYPE(name) \
  struct WARPMARK_NOT_SIMULATED name {}

WARPMARK_MISSING(cudaMemRangeGetAttribute);
WARPMARK_MISSING(cudaBindTexture);
WARPMARK_MISSING(cudaBindTexture2D);
WARPMARK_MISSING(cudaUnbindTexture);
WARPMARK_MISSING(cudaIpcGetMemHandle);
WARPMARK_MISSING(cudaIpcOpenMemHandle);
WARPMARK_MISSING(cudaIpcCloseMemHandle);
WARPMARK_MISSING(cudaGetDriverEntryPointByVersion);

// CUDA functions that CUDA 13 or an earlier version removed: their use is a compile error that names the
// replacement. For programs written for older CUDA, removed.h declares overloads that match better than
// these.
#define WARPMARK_REMOVED(instead) __attribute__((unavailable("removed in CUDA 13, write " instead)))
#define WARPMARK_REMOVED_FUNCTION(name, instead) \
  template <typename... Arguments>               \
  WARPMARK_REMOVED(instead)                      \
  cudaError_t name(Arguments&&...)
WARPMARK_REMOVED_FUNCTION(cudaThreadSynchronize, "cudaDeviceSynchronize");
WARPMARK_REMOVED_FUNCTION(cudaThreadExit, "cudaDeviceReset");
WARPMARK_REMOVED_FUNCTION(cudaThreadSetLimit, "cudaDeviceSetLimit");
WARPMARK_REMOVED_FUNCTION(cudaThreadGetLimit, "cudaDeviceGetLimit");
WARPMARK_REMOVED_FUNCTION(cudaThreadSetCacheConfig, "cudaDeviceSetCacheConfig");
WARPMARK_REMOVED_FUNCTION(cudaThreadGetCacheConfig, "cudaDeviceGetCacheConfig");
#undef WARPMARK_REMOVED_FUNCTION
#if defined(__CUDA__)
struct WarpmarkAnything {
  template <typename T>
  __device__ WarpmarkAnything(const T&);
};
#define WARPMARK_REMOVED_SHUFFLE(name)             \
  WARPMARK_REMOVED(#name "_sync(0xffffffff, ...)") \
  __device__ int name(WarpmarkAnything, WarpmarkAnything, WarpmarkAnything = 0)
WARPMARK_REMOVED_SHUFFLE(__shfl);
WARPMARK_REMOVED_SHUFFLE(__shfl_up);
WARPMARK_REMOVED_SHUFFLE(__shfl_down);
WARPMARK_REMOVED_SHUFFLE(__shfl_xor);
#undef WARPMARK_REMOVED_SHUFFLE
WARPMARK_REMOVED("__any_sync(0xffffffff, ...)") __device__ int __any(WarpmarkAnything);
WARPMARK_REMOVED("__all_sync(0xffffffff, ...)") __device__ int __all(WarpmarkAnything);
WARPMARK_REMOVED("__ballot_sync(0xffffffff, ...)") __device__ int __ballot(WarpmarkAnything);
#endif
#undef WARPMARK_REMOVED

WARPMARK_MISSING_TYPE(cudaIpcMemHandle_t);

#undef WARPMARK_MISSING
#undef WARPMARK_MISSING_TYPE
