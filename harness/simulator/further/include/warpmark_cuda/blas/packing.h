// cuBLAS: converts a triangle between storage formats.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/level2.h"

#define WARPMARK_BLAS_PACKING(L, T)                                                                         \
  WARPMARK_BLAS(cublas##L##tpttr, (cublasFillMode_t uplo, int n, const T* AP, T* A, int lda),               \
                warpmark_blas::copy_triangle("tpttr", handle, n, AP, warpmark_blas::packed(n, uplo), A,     \
                                             warpmark_blas::whole(n, lda, uplo)))                           \
  WARPMARK_BLAS(cublas##L##trttp, (cublasFillMode_t uplo, int n, const T* A, int lda, T* AP),               \
                warpmark_blas::copy_triangle("trttp", handle, n, A, warpmark_blas::whole(n, lda, uplo), AP, \
                                             warpmark_blas::packed(n, uplo)))
WARPMARK_BLAS_PACKING(S, float)
WARPMARK_BLAS_PACKING(D, double)
WARPMARK_BLAS_PACKING(C, cuComplex)
WARPMARK_BLAS_PACKING(Z, cuDoubleComplex)
#undef WARPMARK_BLAS_PACKING
