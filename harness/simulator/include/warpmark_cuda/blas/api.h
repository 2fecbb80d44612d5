// How a function of cuBLAS is written down: under its name, and under the one with _v2, which older sources
// use. A template of no parameters that matter: only what a program calls is compiled.
#pragma once

#define WARPMARK_BLAS_LIST(...) __VA_ARGS__
#define WARPMARK_BLAS(name, parameters, call)                                             \
  template <int = 0>                                                                      \
  inline cublasStatus_t name(cublasHandle_t handle, WARPMARK_BLAS_LIST parameters) {      \
    return call;                                                                          \
  }                                                                                       \
  template <int = 0>                                                                      \
  inline cublasStatus_t name##_v2(cublasHandle_t handle, WARPMARK_BLAS_LIST parameters) { \
    return call;                                                                          \
  }
