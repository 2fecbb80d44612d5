// cuSOLVER: the generalised problem A x = w B x, and eigenvalues in a range.
#pragma once

#include "warpmark_cuda/solver/dense.h"

namespace warpmark_solver {

inline Index pair_work(Index n) {
  return symmetric_work(n) + 1;
}
// cuSOLVER sygvd: eigenvalues of A x = w B x, the only problem type supported. B is overwritten by its
// Cholesky factor. info: if B is not positive definite, n plus the order of its first non-positive leading
// minor.
template <typename T>
cusolverStatus_t sygvd(cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, Index n, T* a, Index lda, T* b, Index ldb, Real<T>* w, T* work,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && fits(n, ldb) && w != nullptr && work != nullptr && info != nullptr);
  if (type != CUSOLVER_EIG_TYPE_1) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  return Routine<T>("sygvd", 1, {n, part_of(uplo), type})
      .matrix(Access::read, one(a, lda), n, n, part_of(uplo))
      .matrix(Access::write, one(vectors ? a : nullptr, lda), n, n)
      .array(Access::write, w, n)
      .matrix(Access::read_and_write, one(b, ldb), n, n, part_of(uplo))
      .array(Access::work, work, pair_work(n))
      .run(handle, info);
}

// cuSOLVER syevdx: eigenvalues in a range of indices (il to iu, 1-based) or of values (low, high]. Moves them
// and their vectors to the front. found, their number, is in host memory, so the stream is synchronised.
template <typename T>
cusolverStatus_t syevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,
                        cublasFillMode_t uplo, Index n, T* a, Index lda, Real<T> low, Real<T> high, Index il,
                        Index iu, int* found, Real<T>* w, T* work, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && w != nullptr && work != nullptr && info != nullptr &&
                         found != nullptr);
  const bool by_value = range == CUSOLVER_EIG_RANGE_V;
  const bool by_index = range == CUSOLVER_EIG_RANGE_I;
  WARPMARK_SOLVER_VALUES((!by_value || low < high) && (!by_index || (il >= 1 && il <= iu && iu <= n)));
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  int* const kept = reinterpret_cast<int*>(work);
  const cusolverStatus_t status = Routine<T>("syevd", 1,
                                             {n, part_of(uplo),
                                              by_index   ? 'I'
                                              : by_value ? 'V'
                                                         : 'A',
                                              by_index ? il : 0, iu})
                                      .within(low, high)
                                      .matrix(Access::read, one(a, lda), n, n, part_of(uplo))
                                      .matrix(Access::write, one(vectors ? a : nullptr, lda), n, n)
                                      .array(Access::write, w, n)
                                      .array(Access::write, static_cast<double*>(nullptr), 2)
                                      .array(Access::write, kept, 1)
                                      .array(Access::work, work, symmetric_work(n))
                                      .run(handle, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  const cudaError_t error =
      ::cudaMemcpyAsync(found, kept, sizeof(int), cudaMemcpyDeviceToHost, handle->stream);
  return status_of(error == cudaSuccess ? ::cudaStreamSynchronize(handle->stream) : error);
}

}  // namespace warpmark_solver

// Defines cuSOLVER's functions for the generalised eigenproblem for one type. Parameters: the type's letter,
// the type, its real type, and the name prefix (sy or he).
#define WARPMARK_SOLVER_OF_PAIR(L, T, R, SY)                                                                 \
  inline cusolverStatus_t cusolverDn##L##SY##gvd_bufferSize(                                                 \
      cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int n, const T*,    \
      int lda, const T*, int ldb, const R*, int* lwork) {                                                    \
    const bool right = warpmark_solver::fits(n, lda) && warpmark_solver::fits(n, ldb);                       \
    return warpmark_solver::give_size(handle, right, warpmark_solver::pair_work(n), lwork);                  \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##SY##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype,         \
                                                 cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A, \
                                                 int lda, T* B, int ldb, R* W, T* work, int, int* info) {    \
    return warpmark_solver::sygvd<T>(handle, itype, jobz, uplo, n, A, lda, B, ldb, W, work, info);           \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##SY##gvj_bufferSize(                                                 \
      cusolverDnHandle_t handle, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int n, const T*,    \
      int lda, const T*, int ldb, const R*, int* lwork, syevjInfo_t) {                                       \
    const bool right = warpmark_solver::fits(n, lda) && warpmark_solver::fits(n, ldb);                       \
    return warpmark_solver::give_size(handle, right, warpmark_solver::pair_work(n), lwork);                  \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##SY##gvj(                                                            \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo,     \
      int n, T* A, int lda, T* B, int ldb, R* W, T* work, int, int* info, syevjInfo_t) {                     \
    return warpmark_solver::sygvd<T>(handle, itype, jobz, uplo, n, A, lda, B, ldb, W, work, info);           \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##L##SY##evdx_bufferSize(                                                \
      cusolverDnHandle_t handle, cusolverEigMode_t, cusolverEigRange_t, cublasFillMode_t, int n, const T*,   \
      int lda, R, R, int, int, int*, const R*, int* lwork) {                                                 \
    return warpmark_solver::give_size(handle, warpmark_solver::fits(n, lda),                                 \
                                      warpmark_solver::symmetric_work(n), lwork);                            \
  }                                                                                                          \
  WARPMARK_IF_CALLED                                                                                         \
  inline cusolverStatus_t cusolverDn##L##SY##evdx(                                                           \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo,    \
      int n, T* A, int lda, R vl, R vu, int il, int iu, int* meig, R* W, T* work, int, int* info) {          \
    return warpmark_solver::syevdx<T>(handle, jobz, range, uplo, n, A, lda, vl, vu, il, iu, meig, W, work,   \
                                      info);                                                                 \
  }
WARPMARK_SOLVER_OF_PAIR(S, float, float, sy)
WARPMARK_SOLVER_OF_PAIR(D, double, double, sy)
WARPMARK_SOLVER_OF_PAIR(C, cuComplex, float, he)
WARPMARK_SOLVER_OF_PAIR(Z, cuDoubleComplex, double, he)
#undef WARPMARK_SOLVER_OF_PAIR
