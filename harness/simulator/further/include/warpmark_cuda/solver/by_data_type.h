// cuSOLVER's dense functions with 64-bit sizes and data types as parameters (float, double, complex; all
// types of a call equal). Workspaces are in bytes; no host workspace is needed.
#pragma once

#include "warpmark_cuda/solver/dense.h"

namespace warpmark_solver {

template <typename Function>
cusolverStatus_t with_type(cudaDataType type, const Function& function) {
  return warpmark_blas::with_number(type, CUSOLVER_STATUS_NOT_SUPPORTED, function);
}
inline size_t bytes_of(cudaDataType type) {
  return type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
}
inline cusolverStatus_t give_sizes(cusolverDnHandle_t handle, bool right, Index elements, cudaDataType type,
                                   size_t* on_device, size_t* on_host) {
  WARPMARK_SOLVER_VALUES(on_host != nullptr);
  *on_host = 0;
  return give_size(handle, right, elements * static_cast<Index>(bytes_of(type)), on_device);
}

}  // namespace warpmark_solver

inline cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                                    cublasFillMode_t, int64_t n, cudaDataType typeA,
                                                    const void*, int64_t lda, cudaDataType,
                                                    size_t* bytesOnDevice, size_t* bytesOnHost) {
  return warpmark_solver::give_sizes(handle, warpmark_solver::fits(n, lda), 1, typeA, bytesOnDevice,
                                     bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo,
                                         int64_t n, cudaDataType typeA, void* A, int64_t lda, cudaDataType,
                                         void*, size_t, void*, size_t, int* info) {
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::potrf<T>(handle, uplo, n, warpmark_solver::one(static_cast<T*>(A), lda), info, 1);
  });
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo,
                                         int64_t n, int64_t nrhs, cudaDataType typeA, const void* A,
                                         int64_t lda, cudaDataType typeB, void* B, int64_t ldb, int* info) {
  if (typeA != typeB) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::potrs<T>(handle, uplo, n, nrhs,
                                     warpmark_solver::one(static_cast<T*>(const_cast<void*>(A)), lda),
                                     warpmark_solver::one(static_cast<T*>(B), ldb), info, 1);
  });
}
inline cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                                    int64_t n, cudaDataType typeA, const void*, int64_t lda,
                                                    cudaDataType, size_t* bytesOnDevice,
                                                    size_t* bytesOnHost) {
  return warpmark_solver::give_sizes(handle, warpmark_solver::fits(m, lda) && n >= 0, 1, typeA, bytesOnDevice,
                                     bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                         cudaDataType typeA, void* A, int64_t lda, int64_t* ipiv,
                                         cudaDataType, void*, size_t, void*, size_t, int* info) {
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::getrf<T, int64_t>(handle, m, n, static_cast<T*>(A), lda, ipiv, info);
  });
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                         cublasOperation_t trans, int64_t n, int64_t nrhs, cudaDataType typeA,
                                         const void* A, int64_t lda, const int64_t* ipiv, cudaDataType typeB,
                                         void* B, int64_t ldb, int* info) {
  if (typeA != typeB) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::getrs<T, int64_t>(handle, trans, n, nrhs, static_cast<const T*>(A), lda, ipiv,
                                              static_cast<T*>(B), ldb, info);
  });
}
inline cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                                    int64_t n, cudaDataType typeA, const void*, int64_t lda,
                                                    cudaDataType, const void*, cudaDataType,
                                                    size_t* bytesOnDevice, size_t* bytesOnHost) {
  return warpmark_solver::give_sizes(handle, warpmark_solver::fits(m, lda) && n >= 0, 1, typeA, bytesOnDevice,
                                     bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                                         cudaDataType typeA, void* A, int64_t lda, cudaDataType typeTau,
                                         void* tau, cudaDataType, void*, size_t, void*, size_t, int* info) {
  if (typeA != typeTau) return CUSOLVER_STATUS_NOT_SUPPORTED;
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::geqrf<T>(handle, m, n, static_cast<T*>(A), lda, static_cast<T*>(tau), info);
  });
}
inline cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                                    signed char, signed char, int64_t m, int64_t n,
                                                    cudaDataType typeA, const void*, int64_t lda,
                                                    cudaDataType, const void*, cudaDataType, const void*,
                                                    int64_t, cudaDataType, const void*, int64_t, cudaDataType,
                                                    size_t* bytesOnDevice, size_t* bytesOnHost) {
  return warpmark_solver::give_sizes(handle, warpmark_solver::fits(m, lda) && m >= n && n >= 0,
                                     warpmark_solver::singular_work(m, n), typeA, bytesOnDevice, bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                         signed char jobvt, int64_t m, int64_t n, cudaDataType typeA, void* A,
                                         int64_t lda, cudaDataType, void* S, cudaDataType, void* U,
                                         int64_t ldu, cudaDataType, void* VT, int64_t ldvt, cudaDataType,
                                         void* work, size_t, void*, size_t, int* info) {
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    using R = warpmark_solver::Real<T>;
    return warpmark_solver::gesvd<T>(handle, jobu, jobvt, m, n, static_cast<T*>(A), lda, static_cast<R*>(S),
                                     static_cast<T*>(U), ldu, static_cast<T*>(VT), ldvt, work, info);
  });
}
inline cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                                    cusolverEigMode_t, cublasFillMode_t, int64_t n,
                                                    cudaDataType typeA, const void*, int64_t lda,
                                                    cudaDataType, const void*, cudaDataType,
                                                    size_t* bytesOnDevice, size_t* bytesOnHost) {
  return warpmark_solver::give_sizes(handle, warpmark_solver::fits(n, lda),
                                     warpmark_solver::symmetric_work(n), typeA, bytesOnDevice, bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                         cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                         cudaDataType typeA, void* A, int64_t lda, cudaDataType, void* W,
                                         cudaDataType, void* work, size_t, void*, size_t, int* info) {
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::syevd<T>(handle, jobz, uplo, n, static_cast<T*>(A), lda,
                                     static_cast<warpmark_solver::Real<T>*>(W), work, info, nullptr, 1);
  });
}
inline cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                                          cusolverEigMode_t, cublasFillMode_t, int64_t n,
                                                          cudaDataType typeA, const void*, int64_t lda,
                                                          cudaDataType, const void*, cudaDataType,
                                                          size_t* bytesOnDevice, size_t* bytesOnHost,
                                                          int64_t batchSize) {
  return warpmark_solver::give_sizes(handle, warpmark_solver::fits(n, lda) && batchSize >= 0,
                                     batchSize * warpmark_solver::symmetric_work(n), typeA, bytesOnDevice,
                                     bytesOnHost);
}
WARPMARK_IF_CALLED
inline cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t,
                                               cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                               cudaDataType typeA, void* A, int64_t lda, cudaDataType,
                                               void* W, cudaDataType, void* work, size_t, void*, size_t,
                                               int* info, int64_t batchSize) {
  return warpmark_solver::with_type(typeA, [&](auto number) {
    using T = decltype(number);
    return warpmark_solver::syevd<T>(handle, jobz, uplo, n, static_cast<T*>(A), lda,
                                     static_cast<warpmark_solver::Real<T>*>(W), work, info, nullptr,
                                     batchSize);
  });
}
