// cuSOLVER gesvda: the largest singular values of a batch of tall matrices.
#pragma once

#include "warpmark_cuda/solver/dense.h"

namespace warpmark_solver {

template <typename T>
struct Strided {
  T* data;
  Index leading;
  Index stride;
};

inline bool is_approximation(Index rank, Index m, Index n, Index lda, Index count) {
  return fits(m, lda) && n >= 0 && rank >= 0 && rank <= (m < n ? m : n) && count >= 0;
}

// cuSOLVER gesvda. norms: in host memory, or null; receives, per matrix, ||A||_F minus the norm of all of its
// singular values, whatever the requested rank, which is rounding error only. So does cuSOLVER 13.0 on an
// H200 (2026-11-23).
template <typename T>
cusolverStatus_t gesvda(cusolverDnHandle_t handle, cusolverEigMode_t jobz, Index rank, Index m, Index n,
                        const Strided<const T>& a, const Strided<Real<T>>& s, const Strided<T>& u,
                        const Strided<T>& v, void* work, int* info, double* norms, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  WARPMARK_SOLVER_VALUES(
      (vectors || jobz == CUSOLVER_EIG_MODE_NOVECTOR) && is_approximation(rank, m, n, a.leading, count) &&
      (!vectors || (fits(m, u.leading) && fits(n, v.leading))) && work != nullptr && info != nullptr);
  cusolverStatus_t status = CUSOLVER_STATUS_SUCCESS;
  const auto compute = [&](double* apart) {
    status =
        jacobi<T>(handle, vectors, true, m, n, rank, {a.data, nullptr, a.leading, a.stride},
                  {s.data, nullptr, rank > 1 ? rank : 1, s.stride}, {u.data, nullptr, u.leading, u.stride},
                  {v.data, nullptr, v.leading, v.stride}, nullptr, apart, work, info, count);
  };
  if (norms == nullptr || !vectors || count == 0) {
    compute(nullptr);
    return status;
  }
  const cudaError_t error =
      warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
        double* apart = scratch.take<double>(count);
        if (scratch.measures()) return cudaSuccess;
        compute(apart);
        return ::cudaMemcpyAsync(norms, apart, static_cast<size_t>(count) * sizeof(double),
                                 cudaMemcpyDeviceToHost, handle->stream);
      });
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return status_of(error == cudaSuccess ? ::cudaStreamSynchronize(handle->stream) : error);
}

}  // namespace warpmark_solver

#define WARPMARK_SOLVER_GESVDA(L, T, R)                                                                    \
  inline cusolverStatus_t cusolverDn##L##gesvdaStridedBatched_bufferSize(                                  \
      cusolverDnHandle_t handle, cusolverEigMode_t, int, int m, int n, const T*, int, long long, const R*, \
      long long, const T*, int, long long, const T*, int, long long, int* lwork, int count) {              \
    return warpmark_solver::give_size(handle, m >= 0 && n >= 0 && count >= 0,                              \
                                      count * warpmark_solver::singular_work(m, n), lwork);                \
  }                                                                                                        \
  WARPMARK_IF_CALLED                                                                                       \
  inline cusolverStatus_t cusolverDn##L##gesvdaStridedBatched(                                             \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* A, int lda,      \
      long long strideA, R* S, long long strideS, T* U, int ldu, long long strideU, T* V, int ldv,         \
      long long strideV, T* work, int, int* info, double* h_R_nrmF, int count) {                           \
    return warpmark_solver::gesvda<T>(handle, jobz, rank, m, n, {A, lda, strideA}, {S, 1, strideS},        \
                                      {U, ldu, strideU}, {V, ldv, strideV}, work, info, h_R_nrmF, count);  \
  }
WARPMARK_SOLVER_GESVDA(S, float, float)
WARPMARK_SOLVER_GESVDA(D, double, double)
WARPMARK_SOLVER_GESVDA(C, cuComplex, float)
WARPMARK_SOLVER_GESVDA(Z, cuDoubleComplex, double)
#undef WARPMARK_SOLVER_GESVDA
