// Declares a cuBLAS function under its name and, for older sources, with the suffix _v2. It is a template
// with a dummy parameter, so that only functions that a program calls are compiled.
#pragma once

#define WARPMARK_BLAS_LIST(...) __VA_ARGS__
#define WARPMARK_BLAS(name, parameters, call)                                             \
  WARPMARK_IF_CALLED                                                                      \
  inline cublasStatus_t name(cublasHandle_t handle, WARPMARK_BLAS_LIST parameters) {      \
    return call;                                                                          \
  }                                                                                       \
  WARPMARK_IF_CALLED                                                                      \
  inline cublasStatus_t name##_v2(cublasHandle_t handle, WARPMARK_BLAS_LIST parameters) { \
    return call;                                                                          \
  }
