// cuBLAS-XT on the simulator: NVIDIA's API; cuBLAS runs on staged copies of host memory
// (warpmark_cuda/blas/staged.h).
#pragma once

#include "cublas_v2.h"
#include "warpmark_cuda/blas/staged_products.h"

#define CUBLAS_XT_H_

inline cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasXtContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetNumBoards(int count, int*, int* boards) {
  if (count <= 0 || boards == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *boards = count;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtMaxBoards(int* boards) {
  if (boards == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *boards = 1024;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int* devices) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  int there = 0;
  if (count <= 0 || devices == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (::cudaGetDeviceCount(&there) != cudaSuccess) return CUBLAS_STATUS_INTERNAL_ERROR;
  for (int i = 0; i < count; ++i) {
    if (devices[i] < 0 || devices[i] >= there) return CUBLAS_STATUS_INTERNAL_ERROR;
  }
  handle->has_device = true;
  handle->device = devices[0];
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  handle->block_dim = size;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* size) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (size == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *size = handle->block_dim;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode != CUBLASXT_PINNING_DISABLED && mode != CUBLASXT_PINNING_ENABLED)
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->pinning;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                                            cublasXtOpType_t type, void*) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool known = operation >= CUBLASXT_GEMM && operation < CUBLASXT_ROUTINE_MAX &&
                     type >= CUBLASXT_FLOAT && type <= CUBLASXT_DOUBLECOMPLEX;
  return known ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t operation,
                                          cublasXtOpType_t type, float) {
  return cublasXtSetCpuRoutine(handle, operation, type, nullptr);
}

#define WARPMARK_XT_LIST(...) __VA_ARGS__
#define WARPMARK_XT(name, parameters, call)                                          \
  template <int = 0>                                                                 \
  inline cublasStatus_t name(cublasXtHandle_t handle, WARPMARK_XT_LIST parameters) { \
    return call;                                                                     \
  }
#define WARPMARK_XT_SIDED(name, work, T)                                                                     \
  WARPMARK_XT(name,                                                                                          \
              (cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n, const T* alpha, const T* A, \
               size_t lda, const T* B, size_t ldb, const T* beta, T* C, size_t ldc),                         \
              warpmark_blas::work(handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc))
// Defines rank-k updates of one triangle of C by the level-3 function `work`, from A, with scalars of types P
// and Q,
#define WARPMARK_XT_RANK(name, work, T, P, Q)                                                                \
  WARPMARK_XT(name,                                                                                          \
              (cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const P* alpha,           \
               const T* A, size_t lda, const Q* beta, T* C, size_t ldc),                                     \
              warpmark_blas::staged_rank(handle, trans, n, k, A, lda, warpmark_blas::no_matrix<T>(), C, ldc, \
                                         [&](auto blas, auto a, auto of_a, auto, auto, auto c, auto of_c) {  \
                                           return warpmark_blas::work<T>(                                    \
                                               blas, uplo, trans, static_cast<long long>(n),                 \
                                               static_cast<long long>(k), alpha, a, of_a, beta, c, of_c);    \
                                         }))
// and rank-2k updates, from A and B.
#define WARPMARK_XT_RANKS(name, work, T, P, Q)                                                              \
  WARPMARK_XT(name,                                                                                         \
              (cublasFillMode_t uplo, cublasOperation_t trans, size_t n, size_t k, const P* alpha,          \
               const T* A, size_t lda, const T* B, size_t ldb, const Q* beta, T* C, size_t ldc),            \
              warpmark_blas::staged_rank(                                                                   \
                  handle, trans, n, k, A, lda, warpmark_blas::before(trans, B, n, k, ldb), C, ldc,          \
                  [&](auto blas, auto a, auto of_a, auto b, auto of_b, auto c, auto of_c) {                 \
                    return warpmark_blas::work<T>(blas, uplo, trans, static_cast<long long>(n),             \
                                                  static_cast<long long>(k), alpha, a, of_a, b, of_b, beta, \
                                                  c, of_c);                                                 \
                  }))
#define WARPMARK_XT_OF_ANY(L, T)                                                                             \
  WARPMARK_XT(                                                                                               \
      cublasXt##L##gemm,                                                                                     \
      (cublasOperation_t transa, cublasOperation_t transb, size_t m, size_t n, size_t k, const T* alpha,     \
       const T* A, size_t lda, const T* B, size_t ldb, const T* beta, T* C, size_t ldc),                     \
      warpmark_blas::staged_gemm(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc))      \
  WARPMARK_XT_SIDED(cublasXt##L##symm, staged_symm<false>, T)                                                \
  WARPMARK_XT(cublasXt##L##spmm,                                                                             \
              (cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n, const T* alpha,             \
               const T* AP, const T* B, size_t ldb, const T* beta, T* C, size_t ldc),                        \
              warpmark_blas::staged_spmm(handle, side, uplo, m, n, alpha, AP, B, ldb, beta, C, ldc))         \
  WARPMARK_XT_RANK(cublasXt##L##syrk, syrk, T, T, T)                                                         \
  WARPMARK_XT_RANKS(cublasXt##L##syr2k, syr2k, T, T, T)                                                      \
  WARPMARK_XT_RANKS(cublasXt##L##syrkx, syrkx, T, T, T)                                                      \
  WARPMARK_XT(cublasXt##L##trsm,                                                                             \
              (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
               size_t m, size_t n, const T* alpha, const T* A, size_t lda, T* B, size_t ldb),                \
              warpmark_blas::staged_trsm(handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb))      \
  WARPMARK_XT(                                                                                               \
      cublasXt##L##trmm,                                                                                     \
      (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,         \
       size_t m, size_t n, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb, T* C,             \
       size_t ldc),                                                                                          \
      warpmark_blas::staged_trmm(handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc))
#define WARPMARK_XT_OF_COMPLEX(L, T, R)                      \
  WARPMARK_XT_SIDED(cublasXt##L##hemm, staged_symm<true>, T) \
  WARPMARK_XT_RANK(cublasXt##L##herk, herk, T, R, R)         \
  WARPMARK_XT_RANKS(cublasXt##L##her2k, her2k, T, T, R)      \
  WARPMARK_XT_RANKS(cublasXt##L##herkx, herkx, T, T, R)

WARPMARK_XT_OF_ANY(S, float)
WARPMARK_XT_OF_ANY(D, double)
WARPMARK_XT_OF_ANY(C, cuComplex)
WARPMARK_XT_OF_ANY(Z, cuDoubleComplex)
WARPMARK_XT_OF_COMPLEX(C, cuComplex, float)
WARPMARK_XT_OF_COMPLEX(Z, cuDoubleComplex, double)

#undef WARPMARK_XT_OF_COMPLEX
#undef WARPMARK_XT_OF_ANY
#undef WARPMARK_XT_RANKS
#undef WARPMARK_XT_RANK
#undef WARPMARK_XT_SIDED
#undef WARPMARK_XT
#undef WARPMARK_XT_LIST
