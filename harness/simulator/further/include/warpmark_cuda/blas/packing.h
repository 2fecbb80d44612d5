// cuBLAS: converts a triangle between storage formats.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/stored.h"

namespace warpmark_blas {

template <typename T, typename From, typename To>
struct CopyTriangle {
  Index n;
  const T* from;
  From source;
  T* to;
  To target;
  __device__ void operator()(Index i) {
    const Index row = i % n;
    const Index column = i / n;
    if (source.lower ? row < column : row > column) return;
    to[target.at(row, column)] = from[source.at(row, column)];
  }
};
template <typename T, typename From, typename To>
cublasStatus_t copy_triangle(cublasHandle_t handle, Index n, const T* from, const From& source, T* to,
                             const To& target) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && source.right && target.right);
  return launch(handle, n * n, CopyTriangle<T, From, To>{n, from, source, to, target});
}

}  // namespace warpmark_blas

#define WARPMARK_BLAS_PACKING(L, T)                                                                \
  WARPMARK_BLAS(cublas##L##tpttr, (cublasFillMode_t uplo, int n, const T* AP, T* A, int lda),      \
                warpmark_blas::copy_triangle(handle, n, AP, warpmark_blas::packed(n, uplo), A,     \
                                             warpmark_blas::whole(n, lda, uplo)))                  \
  WARPMARK_BLAS(cublas##L##trttp, (cublasFillMode_t uplo, int n, const T* A, int lda, T* AP),      \
                warpmark_blas::copy_triangle(handle, n, A, warpmark_blas::whole(n, lda, uplo), AP, \
                                             warpmark_blas::packed(n, uplo)))
WARPMARK_BLAS_PACKING(S, float)
WARPMARK_BLAS_PACKING(D, double)
WARPMARK_BLAS_PACKING(C, cuComplex)
WARPMARK_BLAS_PACKING(Z, cuDoubleComplex)
#undef WARPMARK_BLAS_PACKING
