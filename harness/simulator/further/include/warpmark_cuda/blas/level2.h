// cuBLAS level 2: matrix-vector operations.
#pragma once

#include "warpmark_cuda/blas/matrices.h"

namespace warpmark_blas {

template <typename T>
cublasStatus_t gemv(cublasHandle_t handle, int operation, Index m, Index n, const T* alpha, const T* a,
                    Index lda, const T* x, Index incx, const T* beta, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation) && m >= 0 && n >= 0 && lda >= at_least_1(m) && incx != 0 &&
                       incy != 0 && alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool straight = operation == CUBLAS_OP_N;
  return multiply<T>(handle, "gemv", 1, factor_of(handle, alpha), general(one(a, lda), lda, m, n, operation),
                     vector(x, straight ? n : m, incx), factor_of(handle, beta),
                     vector(y, straight ? m : n, incy));
}

// cuBLAS gbmv: product of a band matrix and a vector. The matrix has kl subdiagonals and ku superdiagonals;
// its main diagonal is stored in row ku of the band storage.
template <typename T>
cublasStatus_t gbmv(cublasHandle_t handle, int operation, Index m, Index n, Index kl, Index ku,
                    const T* alpha, const T* a, Index lda, const T* x, Index incx, const T* beta, T* y,
                    Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation) && m >= 0 && n >= 0 && kl >= 0 && ku >= 0 &&
                       lda >= kl + ku + 1 && incx != 0 && incy != 0 && alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool straight = operation == CUBLAS_OP_N;
  Stored<const T> band = general(one(a, lda), lda, m, n, operation);
  band.form.storage = 'B';
  band.form.below = kl;
  band.form.above = ku;
  return multiply<T>(handle, "gbmv", 1, factor_of(handle, alpha), band, vector(x, straight ? n : m, incx),
                     factor_of(handle, beta), vector(y, straight ? m : n, incy));
}

// cuBLAS matrix-vector product with a symmetric (form 'S') or Hermitian (form 'H') matrix.
template <typename T>
cublasStatus_t symmetric_vector(const char* name, cublasHandle_t handle, char form, Index n, const T* alpha,
                                const T* a, const Triangle& of, const T* x, Index incx, const T* beta, T* y,
                                Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(of.right && n >= 0 && incx != 0 && incy != 0 && alpha != nullptr && beta != nullptr);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply<T>(handle, name, 1, factor_of(handle, alpha), triangle(one(a, 1), n, of, form),
                     vector(x, n, incx), factor_of(handle, beta), vector(y, n, incy));
}

template <typename T>
cublasStatus_t triangular_vector(const char* name, bool solves, cublasHandle_t handle, int operation,
                                 int diagonal, Index n, const T* a, const Triangle& of, T* x, Index incx) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(of.right && is_operation(operation) && is_diagonal(diagonal) && n >= 0 && incx != 0);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto matrix = triangle(one(a, 1), n, of, form_of(diagonal), operation);
  const auto to = vector(x, n, incx);
  return solves ? solve<T>(handle, name, 1, true, constant(1), matrix, to)
                : multiply<T>(handle, name, 1, constant(1), matrix, vector<const T>(x, n, incx), constant(0),
                              to);
}

template <typename T>
cublasStatus_t ger(const char* name, cublasHandle_t handle, Index m, Index n, const T* alpha, const T* x,
                   Index incx, const T* y, Index incy, T* a, Index lda, bool conjugated = false) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(m >= 0 && n >= 0 && lda >= at_least_1(m) && incx != 0 && incy != 0 &&
                       alpha != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply<T>(handle, name, 1, factor_of(handle, alpha), vector(x, m, incx),
                     vector(y, n, incy, conjugated ? 'C' : 'T'), constant(1),
                     general(one(a, lda), lda, m, n));
}
// Rank-1 update of one triangle: A += alpha x y^H. twofold: rank-2 update, which also adds
// conj(alpha) y x^H. form: 'H' (Hermitian) or 'S' (symmetric, with transposes instead of conjugate
// transposes).
template <typename T, typename Alpha>
cublasStatus_t rank(const char* name, cublasHandle_t handle, char form, bool twofold, Index n,
                    const Alpha* alpha, const T* x, Index incx, const T* y, Index incy, T* a,
                    const Triangle& of) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(of.right && n >= 0 && incx != 0 && incy != 0 && alpha != nullptr);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply<T>(handle, name, 1, factor_of(handle, alpha), vector(x, n, incx),
                     vector(y, n, incy, form == 'H' ? 'C' : 'T'), constant(1),
                     triangle(one(a, 1), n, of, form), twofold);
}

// Converts a triangular matrix to another storage format (full or packed).
template <typename T>
cublasStatus_t copy_triangle(const char* name, cublasHandle_t handle, Index n, const T* from,
                             const Triangle& source, T* to, const Triangle& target) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && source.right && target.right);
  const auto read = triangle(one(from, 1), n, source, 'G');
  return add<T>(handle, name, constant(1), read, constant(0), read, triangle(one(to, 1), n, target, 'G'));
}

}  // namespace warpmark_blas
