// cuBLASLt on the simulator: NVIDIA's API, our own kernels (warpmark_cuda/blas/lt/). There is one algorithm,
// which needs no workspace.
#pragma once

#include <cstdint>
#include <cstdio>

#include "cublas_api.h"
#include "warpmark_cuda/blas/lt/algorithms.h"
#include "warpmark_cuda/blas/lt/launches.h"

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  int device = 0;
  if (::cudaGetDevice(&device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasLtContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
inline const char* cublasLtGetStatusName(cublasStatus_t status) {
  return cublasGetStatusName(status);
}
inline const char* cublasLtGetStatusString(cublasStatus_t status) {
  return cublasGetStatusString(status);
}
inline size_t cublasLtGetVersion() {
  return CUBLAS_VERSION;
}
inline size_t cublasLtGetCudartVersion() {
  return CUDART_VERSION;
}
inline cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}

// cuBLASLt's heuristics cache and log do not exist on the simulator: the cache's capacity is 0, and functions
// that set either have no effect.
inline cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
  if (capacity == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) {
  return 0;
}
typedef void (*cublasLtLoggerCallback_t)(int level, const char* function, const char* message);
inline cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtLoggerSetFile(FILE*) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtLoggerOpenFile(const char*) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtLoggerSetLevel(int level) {
  return level >= 0 && level <= 5 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasLtLoggerSetMask(int) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtLoggerForceDisable() {
  return CUBLAS_STATUS_SUCCESS;
}

#define WARPMARK_LT_LIST(...) __VA_ARGS__
// Defines the Init, Create, Destroy and attribute functions of one cuBLASLt descriptor type, `Name`.
#define WARPMARK_LT_DESTROY(Name, Type)                        \
  inline cublasStatus_t cublasLt##Name##Destroy(Type object) { \
    return warpmark_blas::lt_destroy(object);                  \
  }
#define WARPMARK_LT_ATTRIBUTES(Name, Type, Attributes, table)                                              \
  inline cublasStatus_t cublasLt##Name##SetAttribute(Type object, Attributes attribute, const void* value, \
                                                     size_t bytes) {                                       \
    return warpmark_blas::lt_set(warpmark_blas::table, object, attribute, value, bytes);                   \
  }                                                                                                        \
  inline cublasStatus_t cublasLt##Name##GetAttribute(Type object, Attributes attribute, void* value,       \
                                                     size_t bytes, size_t* written) {                      \
    return warpmark_blas::lt_get(warpmark_blas::table, object, attribute, value, bytes, written);          \
  }
#define WARPMARK_LT_MADE(Name, Type, parameters, ...)                                       \
  inline cublasStatus_t cublasLt##Name##Init_internal(Type object, size_t bytes,            \
                                                      WARPMARK_LT_LIST parameters) {        \
    return warpmark_blas::lt_init(object, bytes, __VA_ARGS__);                              \
  }                                                                                         \
  inline cublasStatus_t cublasLt##Name##Init(Type object, WARPMARK_LT_LIST parameters) {    \
    return warpmark_blas::lt_init(object, sizeof(*object), __VA_ARGS__);                    \
  }                                                                                         \
  inline cublasStatus_t cublasLt##Name##Create(Type* object, WARPMARK_LT_LIST parameters) { \
    return warpmark_blas::lt_create(object, __VA_ARGS__);                                   \
  }                                                                                         \
  WARPMARK_LT_DESTROY(Name, Type)

WARPMARK_LT_MADE(MatrixLayout, cublasLtMatrixLayout_t,
                 (cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld),
                 warpmark_blas::LtLayout{type, CUBLASLT_ORDER_COL, rows, cols, ld})
WARPMARK_LT_ATTRIBUTES(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, kLtLayout)
WARPMARK_LT_MADE(MatmulDesc, cublasLtMatmulDesc_t, (cublasComputeType_t compute, cudaDataType_t scale),
                 warpmark_blas::LtProduct{compute, scale})
WARPMARK_LT_ATTRIBUTES(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, kLtProduct)
WARPMARK_LT_MADE(MatrixTransformDesc, cublasLtMatrixTransformDesc_t, (cudaDataType scale),
                 warpmark_blas::LtTransformation{scale})
WARPMARK_LT_ATTRIBUTES(MatrixTransformDesc, cublasLtMatrixTransformDesc_t,
                       cublasLtMatrixTransformDescAttributes_t, kLtTransformation)
inline cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t object, size_t bytes) {
  return warpmark_blas::lt_init(object, bytes, warpmark_blas::LtPreference{});
}
inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t object) {
  return cublasLtMatmulPreferenceInit_internal(object, sizeof(*object));
}
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* object) {
  return warpmark_blas::lt_create(object, warpmark_blas::LtPreference{});
}
WARPMARK_LT_DESTROY(MatmulPreference, cublasLtMatmulPreference_t)
WARPMARK_LT_ATTRIBUTES(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                       kLtPreference)
#undef WARPMARK_LT_MADE
#undef WARPMARK_LT_ATTRIBUTES
#undef WARPMARK_LT_DESTROY
#undef WARPMARK_LT_LIST

WARPMARK_IF_CALLED
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, const void* alpha,
                                     const void* A, cublasLtMatrixLayout_t Adesc, const void* B,
                                     cublasLtMatrixLayout_t Bdesc, const void* beta, const void* C,
                                     cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
                                     const cublasLtMatmulAlgo_t* algo, void*, size_t, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!warpmark_blas::lt_are_there(product, Adesc, Bdesc, Cdesc, Ddesc)) return CUBLAS_STATUS_INVALID_VALUE;
  if (algo != nullptr && !warpmark_blas::lt_is_ours(algo)) return CUBLAS_STATUS_INVALID_VALUE;
  return warpmark_blas::lt_matmul(warpmark_blas::lt_operands(product, Adesc, Bdesc, Cdesc, Ddesc),
                                  {alpha, A, B, beta, C, D}, stream);
}

WARPMARK_IF_CALLED
inline cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                              cublasLtMatrixTransformDesc_t transform, const void* alpha,
                                              const void* A, cublasLtMatrixLayout_t Adesc, const void* beta,
                                              const void* B, cublasLtMatrixLayout_t Bdesc, void* C,
                                              cublasLtMatrixLayout_t Cdesc, cudaStream_t stream) {
  using warpmark_blas::lt_state;
  using warpmark_blas::LtLayout;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (transform == nullptr || Adesc == nullptr || Cdesc == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const LtLayout of_b = Bdesc == nullptr ? LtLayout{} : lt_state<LtLayout>(Bdesc);
  return warpmark_blas::lt_transform(lt_state<warpmark_blas::LtTransformation>(transform), alpha, A,
                                     lt_state<LtLayout>(Adesc), beta, B, Bdesc == nullptr ? nullptr : &of_b,
                                     C, lt_state<LtLayout>(Cdesc), stream);
}
