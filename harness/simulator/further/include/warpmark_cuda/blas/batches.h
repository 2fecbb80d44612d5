// cuBLAS batched operations: matrix-vector products, triangular solves, and grouped products.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/extensions.h"
#include "warpmark_cuda/blas/level3.h"

namespace warpmark_blas {

// cuBLAS batched matrix-vector product y = alpha op(A) x + beta y, summed in the type of the scalars. Like
// cuBLAS 13.0 on an H200 (2026-11-23), treats sizes below 0 as empty and accepts increments of 0.
template <typename S, typename T, typename Y>
cublasStatus_t gemv_batch(cublasHandle_t handle, int operation, Index m, Index n, const S* alpha,
                          const Matrices<const T>& a, Index lda, const Matrices<const T>& x, Index incx,
                          const S* beta, const Matrices<Y>& y, Index incy, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation) && lda >= at_least_1(m) && count >= 0 && alpha != nullptr &&
                       beta != nullptr);
  if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
  const bool straight = operation == CUBLAS_OP_N;
  return multiply<S>(handle, "gemv", count, factor_of(handle, alpha), general(a, lda, m, n, operation),
                     vector(x, straight ? n : m, incx), factor_of(handle, beta),
                     vector(y, straight ? m : n, incy));
}

// Arguments of cuBLAS's grouped matrix products: one size, operation and scalar per group, in host memory;
// the arrays of matrix pointers are in device memory.
struct Groups {
  const cublasOperation_t* operations_a;
  const cublasOperation_t* operations_b;
  const int* m;
  const int* n;
  const int* k;
  const int* lda;
  const int* ldb;
  const int* ldc;
  Index count;
  const int* sizes;
  GemmShape shape(Index group) const {
    return {operations_a[group], operations_b[group], m[group],  n[group], k[group],
            lda[group],          ldb[group],          ldc[group]};
  }
  bool are_right() const {
    if (count < 0) return false;
    if (count == 0) return true;
    for (const void* each :
         {static_cast<const void*>(operations_a), static_cast<const void*>(operations_b),
          static_cast<const void*>(m), static_cast<const void*>(n), static_cast<const void*>(k),
          static_cast<const void*>(lda), static_cast<const void*>(ldb), static_cast<const void*>(ldc),
          static_cast<const void*>(sizes)}) {
      if (each == nullptr) return false;
    }
    for (Index i = 0; i < count; ++i) {
      if (sizes[i] < 0 || !shape(i).is_right()) return false;
    }
    return true;
  }
};
template <typename S, typename T, typename C>
cublasStatus_t gemm_groups(cublasHandle_t handle, const Groups& groups, const S* alpha, const T* const* a,
                           const T* const* b, const S* beta, C* const* c) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(groups.are_right() && (groups.count == 0 || (alpha != nullptr && beta != nullptr)));
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_NOT_SUPPORTED;
  Index first = 0;
  for (Index i = 0; i < groups.count; ++i) {
    const cublasStatus_t status = gemm_batch<S, T, C>(
        handle, groups.shape(i), alpha + i, by_pointers<const T>(a + first), by_pointers<const T>(b + first),
        beta + i, by_pointers<C>(c + first), groups.sizes[i]);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    first += groups.sizes[i];
  }
  return CUBLAS_STATUS_SUCCESS;
}
WARPMARK_IF_CALLED
cublasStatus_t gemm_groups_ex(cublasHandle_t handle, const Groups& groups, const void* alpha,
                              const void* const* a, cudaDataType type_a, const void* const* b,
                              cudaDataType type_b, const void* beta, void* const* c, cudaDataType type_c,
                              cublasComputeType_t compute) {
  WARPMARK_BLAS_HANDLE(handle);
  return with_types(type_a, type_b, type_c, compute, [&](auto scalar, auto factor, auto result) {
    using S = decltype(scalar);
    using T = decltype(factor);
    using C = decltype(result);
    return gemm_groups<S, T, C>(handle, groups, static_cast<const S*>(alpha),
                                reinterpret_cast<const T* const*>(a), reinterpret_cast<const T* const*>(b),
                                static_cast<const S*>(beta), reinterpret_cast<C* const*>(c));
  });
}

}  // namespace warpmark_blas

// Defines cuBLAS's batched matrix-vector products (gemvBatched, gemvStridedBatched) for scalar type S, matrix
// and vector type T, and result type Y.
#define WARPMARK_BLAS_GEMV_BATCH(L, S, T, Y)                                                                 \
  WARPMARK_BLAS(cublas##L##gemvBatched,                                                                      \
                (cublasOperation_t trans, int m, int n, const S* alpha, const T* const A[], int lda,         \
                 const T* const x[], int incx, const S* beta, Y* const y[], int incy, int count),            \
                (warpmark_blas::gemv_batch<S, T, Y>(handle, trans, m, n, alpha,                              \
                                                    warpmark_blas::by_pointers<const T>(A), lda,             \
                                                    warpmark_blas::by_pointers<const T>(x), incx, beta,      \
                                                    warpmark_blas::by_pointers<Y>(y), incy, count)))         \
  WARPMARK_BLAS(cublas##L##gemvStridedBatched,                                                               \
                (cublasOperation_t trans, int m, int n, const S* alpha, const T* A, int lda,                 \
                 long long strideA, const T* x, int incx, long long stridex, const S* beta, Y* y, int incy,  \
                 long long stridey, int count),                                                              \
                (warpmark_blas::gemv_batch<S, T, Y>(handle, trans, m, n, alpha,                              \
                                                    warpmark_blas::strided<const T>(A, strideA), lda,        \
                                                    warpmark_blas::strided<const T>(x, stridex), incx, beta, \
                                                    warpmark_blas::strided<Y>(y, stridey), incy, count)))
#define WARPMARK_BLAS_BATCHES(L, T)                                                                         \
  WARPMARK_BLAS_GEMV_BATCH(L, T, T, T)                                                                      \
  WARPMARK_BLAS(                                                                                            \
      cublas##L##trsmBatched,                                                                               \
      (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, \
       int n, const T* alpha, const T* const A[], int lda, T* const B[], int ldb, int count),               \
      warpmark_blas::trsm(handle, side, uplo, trans, diag, m, n, alpha,                                     \
                          warpmark_blas::by_pointers<const T>(A), lda, warpmark_blas::by_pointers<T>(B),    \
                          ldb, count))
#define WARPMARK_BLAS_GROUPS(L, T)                                                                          \
  WARPMARK_BLAS(                                                                                            \
      cublas##L##gemmGroupedBatched,                                                                        \
      (const cublasOperation_t transa[], const cublasOperation_t transb[], const int m[], const int n[],    \
       const int k[], const T alpha[], const T* const A[], const int lda[], const T* const B[],             \
       const int ldb[], const T beta[], T* const C[], const int ldc[], int groups, const int sizes[]),      \
      (warpmark_blas::gemm_groups<T, T, T>(handle, {transa, transb, m, n, k, lda, ldb, ldc, groups, sizes}, \
                                           alpha, A, B, beta, C)))

WARPMARK_BLAS_BATCHES(S, float)
WARPMARK_BLAS_BATCHES(D, double)
WARPMARK_BLAS_BATCHES(C, cuComplex)
WARPMARK_BLAS_BATCHES(Z, cuDoubleComplex)
WARPMARK_BLAS_GEMV_BATCH(HSH, float, __half, __half)
WARPMARK_BLAS_GEMV_BATCH(HSS, float, __half, float)
WARPMARK_BLAS_GEMV_BATCH(TST, float, __nv_bfloat16, __nv_bfloat16)
WARPMARK_BLAS_GEMV_BATCH(TSS, float, __nv_bfloat16, float)
WARPMARK_BLAS_GROUPS(S, float)
WARPMARK_BLAS_GROUPS(D, double)
WARPMARK_BLAS(cublasGemmGroupedBatchedEx,
              (const cublasOperation_t transa[], const cublasOperation_t transb[], const int m[],
               const int n[], const int k[], const void* alpha, const void* const A[], cudaDataType Atype,
               const int lda[], const void* const B[], cudaDataType Btype, const int ldb[], const void* beta,
               void* const C[], cudaDataType Ctype, const int ldc[], int groups, const int sizes[],
               cublasComputeType_t compute),
              warpmark_blas::gemm_groups_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc, groups, sizes},
                                            alpha, A, Atype, B, Btype, beta, C, Ctype, compute))

WARPMARK_BLAS(cublasHgemmBatched,
              (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const __half* alpha,
               const __half* const A[], int lda, const __half* const B[], int ldb, const __half* beta,
               __half* const C[], int ldc, int count),
              (warpmark_blas::gemm_batch<__half, __half, __half>(
                  handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha,
                  warpmark_blas::by_pointers<const __half>(A), warpmark_blas::by_pointers<const __half>(B),
                  beta, warpmark_blas::by_pointers<__half>(C), count)))
WARPMARK_BLAS(cublasHgemmStridedBatched,
              (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const __half* alpha,
               const __half* A, int lda, long long strideA, const __half* B, int ldb, long long strideB,
               const __half* beta, __half* C, int ldc, long long strideC, int count),
              (warpmark_blas::gemm_batch<__half, __half, __half>(
                  handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha,
                  warpmark_blas::strided<const __half>(A, strideA),
                  warpmark_blas::strided<const __half>(B, strideB), beta,
                  warpmark_blas::strided<__half>(C, strideC), count)))

#undef WARPMARK_BLAS_GROUPS
#undef WARPMARK_BLAS_BATCHES
#undef WARPMARK_BLAS_GEMV_BATCH
