// The legacy cuBLAS API (cublas.h): scalars and results by value, one global handle, errors kept until
// queried.
#pragma once

#include "cublas_v2.h"

namespace warpmark_blas {

struct Version1 {
  cublasContext context;
  cublasStatus_t error = CUBLAS_STATUS_SUCCESS;
};
inline Version1& version1() {
  static Version1 state;
  return state;
}
inline void keep(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) version1().error = status;
}
inline cublasOperation_t operation_of(char letter) {
  return letter == 'n' || letter == 'N'   ? CUBLAS_OP_N
         : letter == 't' || letter == 'T' ? CUBLAS_OP_T
                                          : CUBLAS_OP_C;
}

}  // namespace warpmark_blas

inline cublasStatus_t cublasInit() {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasShutdown() {
  return warpmark_blas::status_of(::cudaDeviceSynchronize());
}
inline cublasStatus_t cublasGetError() {
  const cublasStatus_t error = warpmark_blas::version1().error;
  warpmark_blas::version1().error = CUBLAS_STATUS_SUCCESS;
  return error;
}
inline cublasStatus_t cublasAlloc(int n, int size, void** pointer) {
  if (n <= 0 || size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(size);
  return ::cudaMalloc(pointer, bytes) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(void* pointer) {
  return warpmark_blas::status_of(::cudaFree(pointer));
}
inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  warpmark_blas::version1().context.stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

#define WARPMARK_BLAS_VERSION1(L, T)                                                                        \
  WARPMARK_IF_CALLED                                                                                        \
  inline void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                       \
    warpmark_blas::keep(cublas##L##axpy(&warpmark_blas::version1().context, n, &alpha, x, incx, y, incy));  \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline void cublas##L##scal(int n, T alpha, T* x, int incx) {                                             \
    warpmark_blas::keep(cublas##L##scal(&warpmark_blas::version1().context, n, &alpha, x, incx));           \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline void cublas##L##copy(int n, const T* x, int incx, T* y, int incy) {                                \
    warpmark_blas::keep(cublas##L##copy(&warpmark_blas::version1().context, n, x, incx, y, incy));          \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy) {                              \
    T result = 0;                                                                                           \
    warpmark_blas::keep(cublas##L##dot(&warpmark_blas::version1().context, n, x, incx, y, incy, &result));  \
    return result;                                                                                          \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline T cublas##L##nrm2(int n, const T* x, int incx) {                                                   \
    T result = 0;                                                                                           \
    warpmark_blas::keep(cublas##L##nrm2(&warpmark_blas::version1().context, n, x, incx, &result));          \
    return result;                                                                                          \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline T cublas##L##asum(int n, const T* x, int incx) {                                                   \
    T result = 0;                                                                                           \
    warpmark_blas::keep(cublas##L##asum(&warpmark_blas::version1().context, n, x, incx, &result));          \
    return result;                                                                                          \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline void cublas##L##gemv(char trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx, \
                              T beta, T* y, int incy) {                                                     \
    warpmark_blas::keep(cublas##L##gemv(&warpmark_blas::version1().context,                                 \
                                        warpmark_blas::operation_of(trans), m, n, &alpha, A, lda, x, incx,  \
                                        &beta, y, incy));                                                   \
  }                                                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* A, int lda,  \
                              const T* B, int ldb, T beta, T* C, int ldc) {                                 \
    warpmark_blas::keep(cublas##L##gemm(                                                                    \
        &warpmark_blas::version1().context, warpmark_blas::operation_of(transa),                            \
        warpmark_blas::operation_of(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc));              \
  }
WARPMARK_BLAS_VERSION1(S, float)
WARPMARK_BLAS_VERSION1(D, double)
#undef WARPMARK_BLAS_VERSION1

WARPMARK_IF_CALLED
inline int cublasIsamax(int n, const float* x, int incx) {
  int place = 0;
  warpmark_blas::keep(cublasIsamax(&warpmark_blas::version1().context, n, x, incx, &place));
  return place;
}
WARPMARK_IF_CALLED
inline int cublasIdamax(int n, const double* x, int incx) {
  int place = 0;
  warpmark_blas::keep(cublasIdamax(&warpmark_blas::version1().context, n, x, incx, &place));
  return place;
}
