// cuBLAS level 3: symmetric and Hermitian rank-k updates, which compute one triangle.
#pragma once

#include "warpmark_cuda/blas/level3.h"

namespace warpmark_blas {

// One triangle of C = alpha op(A) op(B)^T + beta C. Hermitian: CUBLAS_OP_T and OP_C both mean OP_C, else
// OP_T.
template <typename T>
cublasStatus_t rank_k(cublasHandle_t handle, int fill, int operation, Index n, Index k, Scalar<T> alpha,
                      const T* a, Index lda, const T* b, Index ldb, Scalar<T> beta, T* c, Index ldc,
                      bool hermitian) {
  WARPMARK_BLAS_HANDLE(handle);
  const Index stored = operation == CUBLAS_OP_N ? n : k;
  WARPMARK_BLAS_VALUES(is_fill(fill) && is_operation(operation) && n >= 0 && k >= 0 &&
                       lda >= at_least_1(stored) && ldb >= at_least_1(stored) && ldc >= at_least_1(n));
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const int transposing = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  Dense<T> left = dense(a, operation == CUBLAS_OP_N ? CUBLAS_OP_N : transposing, lda);
  Dense<T> right = dense(b, operation == CUBLAS_OP_N ? transposing : CUBLAS_OP_N, ldb);
  return multiply_matrices(handle, n, n, k, alpha, left, right, beta, c, ldc,
                           fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper, hermitian);
}
template <typename T>
cublasStatus_t syrk(cublasHandle_t handle, int fill, int operation, Index n, Index k, const T* alpha,
                    const T* a, Index lda, const T* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr && beta != nullptr);
  return rank_k(handle, fill, operation, n, k, scalar<T>(handle, alpha), a, lda, a, lda,
                scalar<T>(handle, beta), c, ldc, false);
}
template <typename T>
cublasStatus_t syr2k(cublasHandle_t handle, int fill, int operation, Index n, Index k, const T* alpha,
                     const T* a, Index lda, const T* b, Index ldb, const T* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr && beta != nullptr);
  const auto factor = scalar<T>(handle, alpha);
  const cublasStatus_t status =
      rank_k(handle, fill, operation, n, k, factor, a, lda, b, ldb, scalar<T>(handle, beta), c, ldc, false);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const Scalar<T> one{nullptr, convert<T>(Real<T>(1))};
  return rank_k(handle, fill, operation, n, k, factor, b, ldb, a, lda, one, c, ldc, false);
}
template <typename T>
cublasStatus_t syrkx(cublasHandle_t handle, int fill, int operation, Index n, Index k, const T* alpha,
                     const T* a, Index lda, const T* b, Index ldb, const T* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr && beta != nullptr);
  return rank_k(handle, fill, operation, n, k, scalar<T>(handle, alpha), a, lda, b, ldb,
                scalar<T>(handle, beta), c, ldc, false);
}

// Hermitian update: beta is real, and alpha as well if B is A.
template <typename T>
cublasStatus_t herk(cublasHandle_t handle, int fill, int operation, Index n, Index k, const Real<T>* alpha,
                    const T* a, Index lda, const Real<T>* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr && beta != nullptr);
  return rank_k(handle, fill, operation, n, k, real_scalar<T>(handle, alpha), a, lda, a, lda,
                real_scalar<T>(handle, beta), c, ldc, true);
}
template <typename T>
cublasStatus_t herkx(cublasHandle_t handle, int fill, int operation, Index n, Index k, const T* alpha,
                     const T* a, Index lda, const T* b, Index ldb, const Real<T>* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr && beta != nullptr);
  return rank_k(handle, fill, operation, n, k, scalar<T>(handle, alpha), a, lda, b, ldb,
                real_scalar<T>(handle, beta), c, ldc, true);
}
template <typename T>
cublasStatus_t her2k(cublasHandle_t handle, int fill, int operation, Index n, Index k, const T* alpha,
                     const T* a, Index lda, const T* b, Index ldb, const Real<T>* beta, T* c, Index ldc) {
  const cublasStatus_t status = herkx(handle, fill, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  Scalar<T> factor = scalar<T>(handle, alpha);
  factor.conjugated = true;
  const Scalar<T> one{nullptr, convert<T>(Real<T>(1))};
  return rank_k(handle, fill, operation, n, k, factor, b, ldb, a, lda, one, c, ldc, true);
}

}  // namespace warpmark_blas
