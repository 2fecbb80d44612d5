// Features that CUDA 13 removed but older courses use; each causes a warning that names the replacement. Only
// programs that never compile with nvcc include this header, not submissions, which must.
#pragma once

#include "cuda_runtime.h"

#define WARPMARK_OLD(instead) __attribute__((deprecated("removed in CUDA 13, write " instead)))

#define WARPMARK_OLD_FUNCTION(name, parameters, new_name, arguments) \
  WARPMARK_OLD(#new_name) inline cudaError_t name parameters {       \
    return new_name arguments;                                       \
  }
WARPMARK_OLD_FUNCTION(cudaThreadSynchronize, (), cudaDeviceSynchronize, ())
WARPMARK_OLD_FUNCTION(cudaThreadExit, (), cudaDeviceReset, ())
WARPMARK_OLD_FUNCTION(cudaThreadSetLimit, (enum cudaLimit limit, size_t value), cudaDeviceSetLimit,
                      (limit, value))
WARPMARK_OLD_FUNCTION(cudaThreadGetLimit, (size_t * value, enum cudaLimit limit), cudaDeviceGetLimit,
                      (value, limit))
WARPMARK_OLD_FUNCTION(cudaThreadSetCacheConfig, (enum cudaFuncCache config), cudaDeviceSetCacheConfig,
                      (config))
WARPMARK_OLD_FUNCTION(cudaThreadGetCacheConfig, (enum cudaFuncCache * config), cudaDeviceGetCacheConfig,
                      (config))
#undef WARPMARK_OLD_FUNCTION

// cudaDeviceProp with the members that CUDA 13 removed appended.
struct WarpmarkOlderDeviceProp : cudaDeviceProp {
  WARPMARK_OLD("cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, device)") int clockRate;
  WARPMARK_OLD("cudaDeviceGetAttribute(&rate, cudaDevAttrMemoryClockRate, device)") int memoryClockRate;
  WARPMARK_OLD("asyncEngineCount") int deviceOverlap;
  WARPMARK_OLD("cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device)") int computeMode;
  WARPMARK_OLD("cudaDeviceGetAttribute(&enabled, cudaDevAttrKernelExecTimeout, device)")
  int kernelExecTimeoutEnabled;
  WARPMARK_OLD("cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device)")
  int singleToDoublePrecisionPerfRatio;
  WARPMARK_OLD("cooperativeLaunch") int cooperativeMultiDeviceLaunch;
  WARPMARK_OLD("cudaDeviceGetTexture1DLinearMaxWidth") int maxTexture1DLinear;
};
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
inline cudaError_t cudaGetDeviceProperties(WarpmarkOlderDeviceProp* all, int device) {
  const cudaError_t error = cudaGetDeviceProperties((struct cudaDeviceProp*)all, device);
  if (error != cudaSuccess) return error;
  cudaDeviceGetAttribute(&all->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&all->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&all->deviceOverlap, cudaDevAttrGpuOverlap, device);
  cudaDeviceGetAttribute(&all->computeMode, cudaDevAttrComputeMode, device);
  cudaDeviceGetAttribute(&all->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
  cudaDeviceGetAttribute(&all->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio,
                         device);
  all->cooperativeMultiDeviceLaunch = all->cooperativeLaunch;
  return cudaDeviceGetAttribute(&all->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth, device);
}
#pragma clang diagnostic pop
#define cudaDeviceProp WarpmarkOlderDeviceProp

#if defined(__CUDA__)
// Shuffles and votes of the time before Volta, which take no lane mask: all active lanes take part.
#define WARPMARK_OLD_SHUFFLE(name, type, lane_type)                       \
  WARPMARK_OLD(#name "_sync(0xffffffff, ...)")                            \
  WARPMARK_DEVICE type name(type value, lane_type lane, int width = 32) { \
    return name##_sync(__activemask(), value, lane, width);               \
  }
#define WARPMARK_OLD_SHUFFLES(type)                     \
  WARPMARK_OLD_SHUFFLE(__shfl, type, int)               \
  WARPMARK_OLD_SHUFFLE(__shfl_up, type, unsigned int)   \
  WARPMARK_OLD_SHUFFLE(__shfl_down, type, unsigned int) \
  WARPMARK_OLD_SHUFFLE(__shfl_xor, type, int)
WARPMARK_OLD_SHUFFLES(int)
WARPMARK_OLD_SHUFFLES(unsigned int)
WARPMARK_OLD_SHUFFLES(long)
WARPMARK_OLD_SHUFFLES(unsigned long)
WARPMARK_OLD_SHUFFLES(long long)
WARPMARK_OLD_SHUFFLES(unsigned long long)
WARPMARK_OLD_SHUFFLES(float)
WARPMARK_OLD_SHUFFLES(double)
#undef WARPMARK_OLD_SHUFFLES
#undef WARPMARK_OLD_SHUFFLE

WARPMARK_OLD("__any_sync(0xffffffff, ...)") WARPMARK_DEVICE int __any(int predicate) {
  return __any_sync(__activemask(), predicate);
}
WARPMARK_OLD("__all_sync(0xffffffff, ...)") WARPMARK_DEVICE int __all(int predicate) {
  return __all_sync(__activemask(), predicate);
}
WARPMARK_OLD("__ballot_sync(0xffffffff, ...)") WARPMARK_DEVICE unsigned int __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
#endif
#undef WARPMARK_OLD
