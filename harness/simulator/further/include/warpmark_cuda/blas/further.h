// cuBLAS functions on packed, banded and Hermitian matrices, and batched LU factorisation, inversion and
// solution.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/factor.h"
#include "warpmark_cuda/blas/level1.h"
#include "warpmark_cuda/blas/level3.h"

#define WARPMARK_BLAS_TRIANGLES(L, T, work, solves)                                                         \
  WARPMARK_BLAS(cublas##L##tp##work,                                                                        \
                (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const T* AP, \
                 T* x, int incx),                                                                           \
                warpmark_blas::triangular_vector("tp" #work, solves, handle, trans, diag, n, AP,            \
                                                 warpmark_blas::packed(n, uplo), x, incx))                  \
  WARPMARK_BLAS(cublas##L##tb##work,                                                                        \
                (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, int k,       \
                 const T* A, int lda, T* x, int incx),                                                      \
                warpmark_blas::triangular_vector("tb" #work, solves, handle, trans, diag, n, A,             \
                                                 warpmark_blas::triangle_band(k, lda, uplo), x, incx))
#define WARPMARK_BLAS_FURTHER(L, T)                                                                    \
  WARPMARK_BLAS_TRIANGLES(L, T, mv, false)                                                             \
  WARPMARK_BLAS_TRIANGLES(L, T, sv, true)                                                              \
  WARPMARK_BLAS(cublas##L##getrfBatched, (int n, T* const A[], int lda, int* P, int* info, int count), \
                warpmark_blas::getrf(handle, n, A, lda, P, info, count))                               \
  WARPMARK_BLAS(                                                                                       \
      cublas##L##getriBatched,                                                                         \
      (int n, const T* const A[], int lda, const int* P, T* const C[], int ldc, int* info, int count), \
      warpmark_blas::getri(handle, n, A, lda, P, C, ldc, info, count))                                 \
  WARPMARK_BLAS(cublas##L##getrsBatched,                                                               \
                (cublasOperation_t trans, int n, int nrhs, const T* const A[], int lda, const int* P,  \
                 T* const B[], int ldb, int* info, int count),                                         \
                warpmark_blas::getrs(handle, trans, n, nrhs, A, lda, P, B, ldb, info, count))          \
  WARPMARK_BLAS(cublas##L##matinvBatched,                                                              \
                (int n, const T* const A[], int lda, T* const C[], int ldc, int* info, int count),     \
                warpmark_blas::matinv(handle, n, A, lda, C, ldc, info, count))
#define WARPMARK_BLAS_FURTHER_OF_REAL(L, T)                                               \
  WARPMARK_BLAS(cublas##L##rotm, (int n, T* x, int incx, T* y, int incy, const T* param), \
                warpmark_blas::rotm(handle, n, x, incx, y, incy, param))
// Defines cuBLAS's functions on packed and banded matrices that are symmetric (name with s) for real types or
// Hermitian (h) for complex ones.
#define WARPMARK_BLAS_STORED(L, kind, form, T, R)                                                          \
  WARPMARK_BLAS(cublas##L##kind##pmv,                                                                      \
                (cublasFillMode_t uplo, int n, const T* alpha, const T* AP, const T* x, int incx,          \
                 const T* beta, T* y, int incy),                                                           \
                warpmark_blas::symmetric_vector(#kind "pmv", handle, form, n, alpha, AP,                   \
                                                warpmark_blas::packed(n, uplo), x, incx, beta, y, incy))   \
  WARPMARK_BLAS(                                                                                           \
      cublas##L##kind##bmv,                                                                                \
      (cublasFillMode_t uplo, int n, int k, const T* alpha, const T* A, int lda, const T* x, int incx,     \
       const T* beta, T* y, int incy),                                                                     \
      warpmark_blas::symmetric_vector(#kind "bmv", handle, form, n, alpha, A,                              \
                                      warpmark_blas::triangle_band(k, lda, uplo), x, incx, beta, y, incy)) \
  WARPMARK_BLAS(cublas##L##kind##pr,                                                                       \
                (cublasFillMode_t uplo, int n, const R* alpha, const T* x, int incx, T* AP),               \
                warpmark_blas::rank(#kind "pr", handle, form, false, n, alpha, x, incx, x, incx, AP,       \
                                    warpmark_blas::packed(n, uplo)))                                       \
  WARPMARK_BLAS(                                                                                           \
      cublas##L##kind##pr2,                                                                                \
      (cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* AP),   \
      warpmark_blas::rank(#kind "pr2", handle, form, true, n, alpha, x, incx, y, incy, AP,                 \
                          warpmark_blas::packed(n, uplo)))
#define WARPMARK_BLAS_HERMITIAN(L, T, R)                                                                     \
  WARPMARK_BLAS(cublas##L##her,                                                                              \
                (cublasFillMode_t uplo, int n, const R* alpha, const T* x, int incx, T* A, int lda),         \
                warpmark_blas::rank("her", handle, 'H', false, n, alpha, x, incx, x, incx, A,                \
                                    warpmark_blas::whole(n, lda, uplo)))                                     \
  WARPMARK_BLAS(cublas##L##her2,                                                                             \
                (cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy,   \
                 T* A, int lda),                                                                             \
                warpmark_blas::rank("her2", handle, 'H', true, n, alpha, x, incx, y, incy, A,                \
                                    warpmark_blas::whole(n, lda, uplo)))                                     \
  WARPMARK_BLAS(cublas##L##herk,                                                                             \
                (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const R* alpha, const T* A,   \
                 int lda, const R* beta, T* C, int ldc),                                                     \
                warpmark_blas::rank_k("herk", handle, 'H', false, uplo, trans, n, k, alpha, A, lda, A, lda,  \
                                      beta, C, ldc))                                                         \
  WARPMARK_BLAS(cublas##L##herkx,                                                                            \
                (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha, const T* A,   \
                 int lda, const T* B, int ldb, const R* beta, T* C, int ldc),                                \
                warpmark_blas::rank_k("herkx", handle, 'H', false, uplo, trans, n, k, alpha, A, lda, B, ldb, \
                                      beta, C, ldc))                                                         \
  WARPMARK_BLAS(cublas##L##her2k,                                                                            \
                (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha, const T* A,   \
                 int lda, const T* B, int ldb, const R* beta, T* C, int ldc),                                \
                warpmark_blas::rank_k("her2k", handle, 'H', true, uplo, trans, n, k, alpha, A, lda, B, ldb,  \
                                      beta, C, ldc))

WARPMARK_BLAS_FURTHER(S, float)
WARPMARK_BLAS_FURTHER(D, double)
WARPMARK_BLAS_FURTHER(C, cuComplex)
WARPMARK_BLAS_FURTHER(Z, cuDoubleComplex)
WARPMARK_BLAS_FURTHER_OF_REAL(S, float)
WARPMARK_BLAS_FURTHER_OF_REAL(D, double)
WARPMARK_BLAS_STORED(S, s, 'S', float, float)
WARPMARK_BLAS_STORED(D, s, 'S', double, double)
WARPMARK_BLAS_STORED(C, h, 'H', cuComplex, float)
WARPMARK_BLAS_STORED(Z, h, 'H', cuDoubleComplex, double)
WARPMARK_BLAS_HERMITIAN(C, cuComplex, float)
WARPMARK_BLAS_HERMITIAN(Z, cuDoubleComplex, double)

#undef WARPMARK_BLAS_HERMITIAN
#undef WARPMARK_BLAS_STORED
#undef WARPMARK_BLAS_FURTHER_OF_REAL
#undef WARPMARK_BLAS_FURTHER
#undef WARPMARK_BLAS_TRIANGLES
