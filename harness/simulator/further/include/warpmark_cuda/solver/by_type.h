// cuSOLVER's dense functions with the type in their name. Workspace sizes are in elements.
#pragma once

#include "warpmark_cuda/solver/dense.h"

// Defines cuSOLVER's dense functions for one type. Parameters: the type's letter, the type, its real type,
// and the name prefixes for orthogonal or unitary (OR, UN) and symmetric or Hermitian (SY, HE) matrices.
#define WARPMARK_SOLVER_OF_TYPE(L, T, R, OR, SY)                                                             \
  inline cusolverStatus_t cusolverDn##L##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t,       \
                                                          int n, T*, int lda, int* lwork) {                  \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, lda), 1, lwork);                      \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,      \
                                               T* A, int lda, T*, int, int* devInfo) {                       \
    return warpmark_solver::potrf<T>(handle, uplo, n, warpmark_solver::one(A, lda), devInfo, 1);             \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,      \
                                               int nrhs, const T* A, int lda, T* B, int ldb, int* devInfo) { \
    return warpmark_solver::potrs<T>(handle, uplo, n, nrhs, warpmark_solver::one(const_cast<T*>(A), lda),    \
                                     warpmark_solver::one(B, ldb), devInfo, 1);                              \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##potrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo,      \
                                                      int n, T* A[], int lda, int* info, int batchSize) {    \
    return warpmark_solver::potrf<T>(handle, uplo, n, {nullptr, A, lda, 0}, info, batchSize);                \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##potrsBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo,      \
                                                      int n, int nrhs, T* A[], int lda, T* B[], int ldb,     \
                                                      int* info, int batchSize) {                            \
    return warpmark_solver::potrs<T>(handle, uplo, n, nrhs, {nullptr, A, lda, 0}, {nullptr, B, ldb, 0},      \
                                     info, batchSize);                                                       \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##potri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t,       \
                                                          int n, T*, int lda, int* lwork) {                  \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, lda), warpmark_solver::Index{n} * n,  \
                                      lwork);                                                                \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,      \
                                               T* A, int lda, T* work, int, int* devInfo) {                  \
    return warpmark_solver::potri<T>(handle, uplo, n, A, lda, work, devInfo);                                \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*,       \
                                                          int lda, int* lwork) {                             \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(m, lda) && n >= 0, 1, lwork);            \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##getrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda, T*,   \
                                               int* devIpiv, int* devInfo) {                                 \
    return warpmark_solver::getrf<T, int>(handle, m, n, A, lda, devIpiv, devInfo);                           \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,    \
                                               int nrhs, const T* A, int lda, const int* devIpiv, T* B,      \
                                               int ldb, int* devInfo) {                                      \
    return warpmark_solver::getrs<T, int>(handle, trans, n, nrhs, A, lda, devIpiv, B, ldb, devInfo);         \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*,       \
                                                          int lda, int* lwork) {                             \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(m, lda) && n >= 0, 1, lwork);            \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##geqrf(cusolverDnHandle_t handle, int m, int n, T* A, int lda,       \
                                               T* tau, T*, int, int* devInfo) {                              \
    return warpmark_solver::geqrf<T>(handle, m, n, A, lda, tau, devInfo);                                    \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##OR##gqr_bufferSize(cusolverDnHandle_t handle, int m, int n, int k,  \
                                                            const T*, int lda, const T*, int* lwork) {       \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(m, lda) && n >= k && k >= 0, 1, lwork);  \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##OR##gqr(cusolverDnHandle_t handle, int m, int n, int k, T* A,       \
                                                 int lda, const T* tau, T*, int, int* info) {                \
    return warpmark_solver::orgqr<T>(handle, m, n, k, A, lda, tau, info);                                    \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##OR##mqr_bufferSize(                                                 \
      cusolverDnHandle_t handle, cublasSideMode_t, cublasOperation_t, int m, int n, int k, const T*, int,    \
      const T*, const T*, int ldc, int* lwork) {                                                             \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(m, ldc) && n >= 0 && k >= 0, 1, lwork);  \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##OR##mqr(                                                            \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,        \
      const T* A, int lda, const T* tau, T* C, int ldc, T*, int, int* devInfo) {                             \
    return warpmark_solver::ormqr<T>(handle, side, trans, m, n, k, A, lda, tau, C, ldc, devInfo);            \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,           \
                                                          int* lwork) {                                      \
    return warpmark_solver::give_size(handle, m >= n && n >= 0, warpmark_solver::singular_work(m, n),        \
                                      lwork);                                                                \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##gesvd(cusolverDnHandle_t handle, signed char jobu,                  \
                                               signed char jobvt, int m, int n, T* A, int lda, R* S, T* U,   \
                                               int ldu, T* VT, int ldvt, T* work, int, R*, int* info) {      \
    return warpmark_solver::gesvd<T>(handle, jobu, jobvt, m, n, A, lda, S, U, ldu, VT, ldvt, work, info);    \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##gesvdj_bufferSize(                                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n, const T*, int, const R*, const T*,    \
      int, const T*, int, int* lwork, gesvdjInfo_t) {                                                        \
    return warpmark_solver::give_size(handle, m >= 0 && n >= 0, warpmark_solver::singular_work(m, n),        \
                                      lwork);                                                                \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, \
                                                int m, int n, T* A, int lda, R* S, T* U, int ldu, T* V,      \
                                                int ldv, T* work, int, int* info, gesvdjInfo_t params) {     \
    return warpmark_solver::gesvdj<T>(handle, jobz, econ != 0, m, n, A, lda, S, U, ldu, V, ldv, work, info,  \
                                      params, 1);                                                            \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##gesvdjBatched_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolverEigMode_t, int m, int n, const T*, int, const R*, const T*, int,    \
      const T*, int, int* lwork, gesvdjInfo_t, int batchSize) {                                              \
    return warpmark_solver::give_size(handle, m >= 0 && n >= 0 && batchSize >= 0,                            \
                                      batchSize * warpmark_solver::singular_work(m, n), lwork);              \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##gesvdjBatched(                                                      \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, int lda, R* S, T* U, int ldu,   \
      T* V, int ldv, T* work, int, int* info, gesvdjInfo_t params, int batchSize) {                          \
    return warpmark_solver::gesvdj<T>(handle, jobz, false, m, n, A, lda, S, U, ldu, V, ldv, work, info,      \
                                      params, batchSize);                                                    \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##SY##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,    \
                                                            cublasFillMode_t, int n, const T*, int lda,      \
                                                            const R*, int* lwork) {                          \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, lda),                                 \
                                      warpmark_solver::symmetric_work(n), lwork);                            \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##SY##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,          \
                                                 cublasFillMode_t uplo, int n, T* A, int lda, R* W, T* work, \
                                                 int, int* info) {                                           \
    return warpmark_solver::syevd<T>(handle, jobz, uplo, n, A, lda, W, work, info, nullptr, 1);              \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##SY##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t,    \
                                                            cublasFillMode_t, int n, const T*, int lda,      \
                                                            const R*, int* lwork, syevjInfo_t) {             \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, lda),                                 \
                                      warpmark_solver::symmetric_work(n), lwork);                            \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##SY##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,          \
                                                 cublasFillMode_t uplo, int n, T* A, int lda, R* W, T* work, \
                                                 int, int* info, syevjInfo_t params) {                       \
    return warpmark_solver::syevd<T>(handle, jobz, uplo, n, A, lda, W, work, info, params, 1);               \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##SY##evjBatched_bufferSize(                                          \
      cusolverDnHandle_t handle, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int lda, const R*,    \
      int* lwork, syevjInfo_t, int batchSize) {                                                              \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, lda) && batchSize >= 0,               \
                                      batchSize * warpmark_solver::symmetric_work(n), lwork);                \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##SY##evjBatched(                                                     \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, int lda, R* W,  \
      T* work, int, int* info, syevjInfo_t params, int batchSize) {                                          \
    return warpmark_solver::syevd<T>(handle, jobz, uplo, n, A, lda, W, work, info, params, batchSize);       \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##L##gesv_bufferSize(                                                 \
      cusolverDnHandle_t handle, int n, int, T*, int ldda, int*, T*, int, T*, int, void*, size_t* bytes) {   \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, ldda), sizeof(T), bytes);             \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##L##gesv(cusolverDnHandle_t handle, int n, int nrhs, T* dA,          \
                                                 int ldda, int* dipiv, T* dB, int lddb, T* dX, int lddx,     \
                                                 void*, size_t, int* iter, int* d_info) {                    \
    return warpmark_solver::gesv<T>(handle, n, nrhs, dA, ldda, dipiv, dB, lddb, dX, lddx, iter, d_info);     \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##L##gels_bufferSize(cusolverDnHandle_t handle, int m, int n,         \
                                                            int nrhs, T*, int ldda, T*, int, T*, int, void*, \
                                                            size_t* bytes) {                                 \
    using warpmark_solver::Index;                                                                            \
    const bool right = m >= n && n >= 0 && nrhs >= 0 && warpmark_solver::fits(m, ldda);                      \
    return warpmark_solver::give_size(handle, right, (n + Index{m} * nrhs) * Index{sizeof(T)}, bytes);       \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##L##gels(cusolverDnHandle_t handle, int m, int n, int nrhs, T* dA,   \
                                                 int ldda, T* dB, int lddb, T* dX, int lddx, void* work,     \
                                                 size_t, int* iter, int* d_info) {                           \
    return warpmark_solver::gels<T>(handle, m, n, nrhs, dA, ldda, dB, lddb, dX, lddx, static_cast<T*>(work), \
                                    iter, d_info);                                                           \
  }
WARPMARK_SOLVER_OF_TYPE(S, float, float, or, sy)
WARPMARK_SOLVER_OF_TYPE(D, double, double, or, sy)
WARPMARK_SOLVER_OF_TYPE(C, cuComplex, float, un, he)
WARPMARK_SOLVER_OF_TYPE(Z, cuDoubleComplex, double, un, he)
#undef WARPMARK_SOLVER_OF_TYPE
