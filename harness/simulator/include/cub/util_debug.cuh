// CUB's error-checking macros, and its macros for compiler attributes.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "cuda_runtime.h"

#define CUB_VERSION 300000
#define CUB_MAJOR_VERSION 3
#define CUB_MINOR_VERSION 0
#define CUB_SUBMINOR_VERSION 0
#define CUB_PTX_ARCH 800
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_RUNTIME_FUNCTION __host__
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_ROUND_UP_NEAREST(x, y) ((((x) + (y)-1) / (y)) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_LOG_WARP_THREADS(unused) (5)
#define CUB_WARP_THREADS(unused) (32)
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_PTX_WARP_THREADS 32

namespace cub {

// Implements cub::Debug: returns the CUDA error that it is given. Prints the error in debug builds
// (CUB_STDERR) only, as CUB does.
__host__ __device__ __forceinline__ cudaError_t Debug(cudaError_t error, const char* file, int line) {
#if defined(CUB_STDERR) && !defined(__CUDA_ARCH__)
  if (error != cudaSuccess)
    fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line, cudaGetErrorString(error));
#endif
  (void)file;
  (void)line;
  return error;
}

}  // namespace cub

#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                                            \
  if (const cudaError_t cub_error = (cudaError_t)(e)) {                            \
    fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", cub_error, __FILE__, __LINE__, \
            cudaGetErrorString(cub_error));                                        \
    exit(1);                                                                       \
  }
