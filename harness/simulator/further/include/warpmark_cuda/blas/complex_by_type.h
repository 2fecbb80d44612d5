// cuBLAS functions that exist for complex matrices only: products named 3m (three real multiplications per
// complex one), computed here as ordinary products, and products whose types are given by enumerators.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/extensions.h"

namespace warpmark_blas {

inline bool are_complex(cudaDataType type_a, cudaDataType type_c) {
  return type_a == CUDA_C_32F && type_c == CUDA_C_32F;
}

}  // namespace warpmark_blas

#define WARPMARK_BLAS_3M(name, T)                                                                           \
  WARPMARK_BLAS(                                                                                            \
      name,                                                                                                 \
      (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha, const T* A, \
       int lda, const T* B, int ldb, const T* beta, T* C, int ldc),                                         \
      (warpmark_blas::gemm<T>(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C)))
#define WARPMARK_BLAS_COMPLEX_EX(name)                                                                      \
  WARPMARK_BLAS(name,                                                                                       \
                (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,                   \
                 const cuComplex* alpha, const void* A, cudaDataType Atype, int lda, const void* B,         \
                 cudaDataType Btype, int ldb, const cuComplex* beta, void* C, cudaDataType Ctype, int ldc), \
                warpmark_blas::are_complex(Atype, Ctype)                                                    \
                    ? warpmark_blas::gemm_ex(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A,    \
                                             Atype, B, Btype, beta, C, Ctype, CUBLAS_COMPUTE_32F, {})       \
                    : CUBLAS_STATUS_NOT_SUPPORTED)
#define WARPMARK_BLAS_RANK_EX(name, work, form, S)                                                         \
  WARPMARK_BLAS(                                                                                           \
      name,                                                                                                \
      (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const S* alpha, const void* A,        \
       cudaDataType Atype, int lda, const S* beta, void* C, cudaDataType Ctype, int ldc),                  \
      warpmark_blas::are_complex(Atype, Ctype)                                                             \
          ? warpmark_blas::rank_k(#work, handle, form, false, uplo, trans, n, k, alpha,                    \
                                  static_cast<const cuComplex*>(A), lda, static_cast<const cuComplex*>(A), \
                                  lda, beta, static_cast<cuComplex*>(C), ldc)                              \
          : CUBLAS_STATUS_NOT_SUPPORTED)

WARPMARK_BLAS_3M(cublasCgemm3m, cuComplex)
WARPMARK_BLAS_3M(cublasZgemm3m, cuDoubleComplex)
WARPMARK_BLAS_COMPLEX_EX(cublasCgemm3mEx)
WARPMARK_BLAS_COMPLEX_EX(cublasCgemmEx)
WARPMARK_BLAS_RANK_EX(cublasCherkEx, herk, 'H', float)
WARPMARK_BLAS_RANK_EX(cublasCherk3mEx, herk, 'H', float)
WARPMARK_BLAS_RANK_EX(cublasCsyrkEx, syrk, 'S', cuComplex)
WARPMARK_BLAS_RANK_EX(cublasCsyrk3mEx, syrk, 'S', cuComplex)
WARPMARK_BLAS(cublasCgemm3mBatched,
              (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
               const cuComplex* alpha, const cuComplex* const A[], int lda, const cuComplex* const B[],
               int ldb, const cuComplex* beta, cuComplex* const C[], int ldc, int count),
              cublasCgemmBatched(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, count))
WARPMARK_BLAS(cublasCgemm3mStridedBatched,
              (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
               const cuComplex* alpha, const cuComplex* A, int lda, long long strideA, const cuComplex* B,
               int ldb, long long strideB, const cuComplex* beta, cuComplex* C, int ldc, long long strideC,
               int count),
              cublasCgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb,
                                        strideB, beta, C, ldc, strideC, count))

#undef WARPMARK_BLAS_RANK_EX
#undef WARPMARK_BLAS_COMPLEX_EX
#undef WARPMARK_BLAS_3M
