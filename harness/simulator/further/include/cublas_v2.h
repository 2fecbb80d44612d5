// cuBLAS on the simulator: NVIDIA's API; the device computes by CBLAS (warpmark_cuda/blas/).
#pragma once

#if !defined(__CUDA__)
#error 'cublas_v2.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#include "warpmark_cuda/blas/helpers.h"
#include "warpmark_cuda/blas/level1.h"
#include "warpmark_cuda/blas/level3.h"

// Defines the cuBLAS functions common to all element types. L: type letter (S, D, C, Z); T: element type; R:
// its real type; RL: prefix of functions with a real result (Sc in cublasScasum); IL: letter of functions
// that return an index (c in cublasIcamax).
#define WARPMARK_BLAS_OF_ANY(L, T, R, RL, IL)                                                                \
  WARPMARK_BLAS(cublas##L##axpy, (int n, const T* alpha, const T* x, int incx, T* y, int incy),              \
                warpmark_blas::axpy(handle, n, alpha, x, incx, y, incy))                                     \
  WARPMARK_BLAS(cublas##L##scal, (int n, const T* alpha, T* x, int incx),                                    \
                warpmark_blas::scal(handle, n, alpha, x, incx))                                              \
  WARPMARK_BLAS(cublas##L##copy, (int n, const T* x, int incx, T* y, int incy),                              \
                warpmark_blas::copy(handle, n, x, incx, y, incy))                                            \
  WARPMARK_BLAS(cublas##L##swap, (int n, T* x, int incx, T* y, int incy),                                    \
                warpmark_blas::swap(handle, n, x, incx, y, incy))                                            \
  WARPMARK_BLAS(cublas##RL##asum, (int n, const T* x, int incx, R* result),                                  \
                warpmark_blas::measure("asum", handle, n, x, incx, result))                                  \
  WARPMARK_BLAS(cublas##RL##nrm2, (int n, const T* x, int incx, R* result),                                  \
                warpmark_blas::measure("nrm2", handle, n, x, incx, result))                                  \
  WARPMARK_BLAS(cublasI##IL##amax, (int n, const T* x, int incx, int* result),                               \
                warpmark_blas::measure("amax", handle, n, x, incx, result))                                  \
  WARPMARK_BLAS(cublasI##IL##amin, (int n, const T* x, int incx, int* result),                               \
                warpmark_blas::measure("amin", handle, n, x, incx, result))                                  \
  WARPMARK_BLAS(cublas##L##gemv,                                                                             \
                (cublasOperation_t trans, int m, int n, const T* alpha, const T* A, int lda, const T* x,     \
                 int incx, const T* beta, T* y, int incy),                                                   \
                warpmark_blas::gemv(handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy))             \
  WARPMARK_BLAS(cublas##L##gbmv,                                                                             \
                (cublasOperation_t trans, int m, int n, int kl, int ku, const T* alpha, const T* A, int lda, \
                 const T* x, int incx, const T* beta, T* y, int incy),                                       \
                warpmark_blas::gbmv(handle, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy))     \
  WARPMARK_BLAS(cublas##L##symv,                                                                             \
                (cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda, const T* x, int incx,    \
                 const T* beta, T* y, int incy),                                                             \
                warpmark_blas::symmetric_vector("symv", handle, 'S', n, alpha, A,                            \
                                                warpmark_blas::whole(n, lda, uplo), x, incx, beta, y, incy)) \
  WARPMARK_BLAS(cublas##L##syr,                                                                              \
                (cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, T* A, int lda),         \
                warpmark_blas::rank("syr", handle, 'S', false, n, alpha, x, incx, x, incx, A,                \
                                    warpmark_blas::whole(n, lda, uplo)))                                     \
  WARPMARK_BLAS(cublas##L##syr2,                                                                             \
                (cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, const T* y, int incy,   \
                 T* A, int lda),                                                                             \
                warpmark_blas::rank("syr2", handle, 'S', true, n, alpha, x, incx, y, incy, A,                \
                                    warpmark_blas::whole(n, lda, uplo)))                                     \
  WARPMARK_BLAS(cublas##L##trmv,                                                                             \
                (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const T* A,   \
                 int lda, T* x, int incx),                                                                   \
                warpmark_blas::triangular_vector("trmv", false, handle, trans, diag, n, A,                   \
                                                 warpmark_blas::whole(n, lda, uplo), x, incx))               \
  WARPMARK_BLAS(cublas##L##trsv,                                                                             \
                (cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const T* A,   \
                 int lda, T* x, int incx),                                                                   \
                warpmark_blas::triangular_vector("trsv", true, handle, trans, diag, n, A,                    \
                                                 warpmark_blas::whole(n, lda, uplo), x, incx))               \
  WARPMARK_BLAS(                                                                                             \
      cublas##L##gemm,                                                                                       \
      (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha, const T* A,  \
       int lda, const T* B, int ldb, const T* beta, T* C, int ldc),                                          \
      (warpmark_blas::gemm<T>(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, A, B, beta, C)))      \
  WARPMARK_BLAS(cublas##L##gemmStridedBatched,                                                               \
                (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha,    \
                 const T* A, int lda, long long strideA, const T* B, int ldb, long long strideB,             \
                 const T* beta, T* C, int ldc, long long strideC, int count),                                \
                (warpmark_blas::gemm_batch<T, T, T>(handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, \
                                                    warpmark_blas::strided<const T>(A, strideA),             \
                                                    warpmark_blas::strided<const T>(B, strideB), beta,       \
                                                    warpmark_blas::strided<T>(C, strideC), count)))          \
  WARPMARK_BLAS(                                                                                             \
      cublas##L##gemmBatched,                                                                                \
      (cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha,              \
       const T* const A[], int lda, const T* const B[], int ldb, const T* beta, T* const C[], int ldc,       \
       int count),                                                                                           \
      (warpmark_blas::gemm_batch<T, T, T>(                                                                   \
          handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, warpmark_blas::by_pointers<const T>(A),   \
          warpmark_blas::by_pointers<const T>(B), beta, warpmark_blas::by_pointers<T>(C), count)))           \
  WARPMARK_BLAS(                                                                                             \
      cublas##L##symm,                                                                                       \
      (cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const T* alpha, const T* A, int lda,      \
       const T* B, int ldb, const T* beta, T* C, int ldc),                                                   \
      warpmark_blas::symm("symm", handle, 'S', side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc))       \
  WARPMARK_BLAS(cublas##L##syrk,                                                                             \
                (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha, const T* A,   \
                 int lda, const T* beta, T* C, int ldc),                                                     \
                warpmark_blas::rank_k("syrk", handle, 'S', false, uplo, trans, n, k, alpha, A, lda, A, lda,  \
                                      beta, C, ldc))                                                         \
  WARPMARK_BLAS(cublas##L##syr2k,                                                                            \
                (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha, const T* A,   \
                 int lda, const T* B, int ldb, const T* beta, T* C, int ldc),                                \
                warpmark_blas::rank_k("syr2k", handle, 'S', true, uplo, trans, n, k, alpha, A, lda, B, ldb,  \
                                      beta, C, ldc))                                                         \
  WARPMARK_BLAS(cublas##L##syrkx,                                                                            \
                (cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const T* alpha, const T* A,   \
                 int lda, const T* B, int ldb, const T* beta, T* C, int ldc),                                \
                warpmark_blas::rank_k("syrkx", handle, 'S', false, uplo, trans, n, k, alpha, A, lda, B, ldb, \
                                      beta, C, ldc))                                                         \
  WARPMARK_BLAS(                                                                                             \
      cublas##L##trmm,                                                                                       \
      (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m,  \
       int n, const T* alpha, const T* A, int lda, const T* B, int ldb, T* C, int ldc),                      \
      warpmark_blas::trmm(handle, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc))             \
  WARPMARK_BLAS(cublas##L##trsm,                                                                             \
                (cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                      \
                 cublasDiagType_t diag, int m, int n, const T* alpha, const T* A, int lda, T* B, int ldb),   \
                warpmark_blas::trsm(handle, side, uplo, trans, diag, m, n, alpha,                            \
                                    warpmark_blas::one(A, lda), lda, warpmark_blas::one(B, ldb), ldb, 1))    \
  WARPMARK_BLAS(cublas##L##geam,                                                                             \
                (cublasOperation_t transa, cublasOperation_t transb, int m, int n, const T* alpha,           \
                 const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc),                    \
                warpmark_blas::geam(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc))      \
  WARPMARK_BLAS(                                                                                             \
      cublas##L##dgmm,                                                                                       \
      (cublasSideMode_t mode, int m, int n, const T* A, int lda, const T* x, int incx, T* C, int ldc),       \
      warpmark_blas::dgmm(handle, mode, m, n, A, lda, x, incx, C, ldc))

#define WARPMARK_BLAS_OF_REAL(L, T)                                                                        \
  WARPMARK_BLAS(cublas##L##dot, (int n, const T* x, int incx, const T* y, int incy, T* result),            \
                warpmark_blas::dot(handle, n, x, incx, y, incy, result))                                   \
  WARPMARK_BLAS(cublas##L##rot, (int n, T* x, int incx, T* y, int incy, const T* c, const T* s),           \
                warpmark_blas::rot(handle, n, x, incx, y, incy, c, s))                                     \
  WARPMARK_BLAS(cublas##L##rotg, (T * a, T * b, T * c, T * s), warpmark_blas::rotg(handle, a, b, c, s))    \
  WARPMARK_BLAS(cublas##L##ger,                                                                            \
                (int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* A, int lda), \
                warpmark_blas::ger("ger", handle, m, n, alpha, x, incx, y, incy, A, lda))

#define WARPMARK_BLAS_OF_COMPLEX(L, RL, T, R)                                                                \
  WARPMARK_BLAS(cublas##L##dotu, (int n, const T* x, int incx, const T* y, int incy, T* result),             \
                warpmark_blas::dot(handle, n, x, incx, y, incy, result))                                     \
  WARPMARK_BLAS(cublas##L##dotc, (int n, const T* x, int incx, const T* y, int incy, T* result),             \
                warpmark_blas::dot(handle, n, x, incx, y, incy, result, true))                               \
  WARPMARK_BLAS(cublas##L##RL##scal, (int n, const R* alpha, T* x, int incx),                                \
                warpmark_blas::scal(handle, n, alpha, x, incx))                                              \
  WARPMARK_BLAS(cublas##L##geru,                                                                             \
                (int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* A, int lda),   \
                warpmark_blas::ger("geru", handle, m, n, alpha, x, incx, y, incy, A, lda))                   \
  WARPMARK_BLAS(cublas##L##gerc,                                                                             \
                (int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* A, int lda),   \
                warpmark_blas::ger("gerc", handle, m, n, alpha, x, incx, y, incy, A, lda, true))             \
  WARPMARK_BLAS(cublas##L##hemv,                                                                             \
                (cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda, const T* x, int incx,    \
                 const T* beta, T* y, int incy),                                                             \
                warpmark_blas::symmetric_vector("hemv", handle, 'H', n, alpha, A,                            \
                                                warpmark_blas::whole(n, lda, uplo), x, incx, beta, y, incy)) \
  WARPMARK_BLAS(                                                                                             \
      cublas##L##hemm,                                                                                       \
      (cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const T* alpha, const T* A, int lda,      \
       const T* B, int ldb, const T* beta, T* C, int ldc),                                                   \
      warpmark_blas::symm("hemm", handle, 'H', side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc))

WARPMARK_BLAS_OF_ANY(S, float, float, S, s)
WARPMARK_BLAS_OF_ANY(D, double, double, D, d)
WARPMARK_BLAS_OF_ANY(C, cuComplex, float, Sc, c)
WARPMARK_BLAS_OF_ANY(Z, cuDoubleComplex, double, Dz, z)
WARPMARK_BLAS_OF_REAL(S, float)
WARPMARK_BLAS_OF_REAL(D, double)
WARPMARK_BLAS_OF_COMPLEX(C, s, cuComplex, float)
WARPMARK_BLAS_OF_COMPLEX(Z, d, cuDoubleComplex, double)

#include "warpmark_cuda/blas/batches.h"
#include "warpmark_cuda/blas/complex_by_type.h"
#include "warpmark_cuda/blas/extensions.h"
#include "warpmark_cuda/blas/further.h"
#include "warpmark_cuda/blas/packing.h"
#include "warpmark_cuda/blas/vectors_by_type.h"

#undef WARPMARK_BLAS_OF_ANY
#undef WARPMARK_BLAS_OF_REAL
#undef WARPMARK_BLAS_OF_COMPLEX
#undef WARPMARK_BLAS
#undef WARPMARK_BLAS_LIST
