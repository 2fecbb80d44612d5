// cuBLAS batched factorisation, inversion and solution of small matrices, by LAPACK.
#pragma once

#include "warpmark_cuda/blas/matrices.h"

namespace warpmark_blas {

// cuBLAS getrfBatched: LU factorisation of `count` n x n matrices in place. pivots[k]: 1-based row that row k
// was exchanged with; null: no pivoting. info: 1-based column of the first zero pivot, or 0.
template <typename T>
cublasStatus_t getrf(cublasHandle_t handle, Index n, T* const* a, Index lda, int* pivots, int* info,
                     Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && count >= 0 && lda >= at_least_1(n));
  return status_of_call(Routine<T>('L', "getrf", count, {n, n})
                            .matrix(Access::read_and_write, by_pointers(a, lda), n, n)
                            .array(Access::write, pivots, n)
                            .array(Access::write, info, 1)
                            .run(handle->stream));
}
template <typename T>
cublasStatus_t getri(cublasHandle_t handle, Index n, const T* const* a, Index lda, const int* pivots,
                     T* const* inverse, Index ldc, int* info, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && count >= 0 && lda >= at_least_1(n) && ldc >= at_least_1(n));
  return status_of_call(Routine<T>('L', "getri", count, {n})
                            .matrix(Access::read, by_pointers(a, lda), n, n)
                            .array(Access::read, pivots, n)
                            .matrix(Access::write, by_pointers(inverse, ldc), n, n)
                            .array(Access::write, info, 1)
                            .run(handle->stream));
}
// cuBLAS getrsBatched: solves systems from LU factors. info, in host memory, reports invalid arguments only.
template <typename T>
cublasStatus_t getrs(cublasHandle_t handle, int operation, Index n, Index columns, const T* const* a,
                     Index lda, const int* pivots, T* const* b, Index ldb, int* info, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(info != nullptr && is_operation(operation) && n >= 0 && columns >= 0 && count >= 0 &&
                       lda >= at_least_1(n) && ldb >= at_least_1(n));
  *info = 0;
  return status_of_call(Routine<T>('L', "getrs", count, {n, columns, letter_of(operation)})
                            .matrix(Access::read, by_pointers(a, lda), n, n)
                            .array(Access::read, pivots, n)
                            .matrix(Access::read_and_write, by_pointers(b, ldb), n, columns)
                            .array(Access::write, static_cast<int*>(nullptr), 1)
                            .run(handle->stream));
}
// cuBLAS matinvBatched: inverts a batch of matrices of at most 32 rows each into other memory; the input
// stays unchanged.
template <typename T>
cublasStatus_t matinv(cublasHandle_t handle, Index n, const T* const* a, Index lda, T* const* inverse,
                      Index lda_inv, int* info, Index count) {
  constexpr Index kMost = 32;
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && n <= kMost && count >= 0 && lda >= at_least_1(n) &&
                       lda_inv >= at_least_1(n));
  return status_of_call(Routine<T>('L', "matinv", count, {n})
                            .matrix(Access::read, by_pointers(a, lda), n, n)
                            .matrix(Access::write, by_pointers(inverse, lda_inv), n, n)
                            .array(Access::write, info, 1)
                            .run(handle->stream));
}

}  // namespace warpmark_blas
