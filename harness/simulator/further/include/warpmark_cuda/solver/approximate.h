// cuSOLVER gesvda: the largest singular values of a batch of tall matrices.
#pragma once

#include "warpmark_cuda/solver/dense.h"

namespace warpmark_solver {

// A strided batch of matrices.
template <typename T>
struct Strided {
  T* data;
  Index leading;
  Index stride;
};

// Difference of the Frobenius norms of A and of its singular values, one thread per matrix. cuSOLVER 13.0 on
// an H200 (2026-11-23) returns this for every rank: only rounding errors.
template <typename T>
struct NormsApart {
  Strided<const T> a;
  Index m;
  Index n;
  const T* work;  // workspace of SingularValues, `stride` elements per matrix
  Index stride;
  double* apart;
  __device__ void operator()(Index block) {
    const Index values = m < n ? m : n;
    const T* left = work + block * stride;
    const Real<T>* norms = reinterpret_cast<const Real<T>*>(left + m * n + values * values);
    double of_a = 0;
    double of_values = 0;
    for (Index at = 0; at < m * n; ++at)
      of_a += square(a.data[block * a.stride + at % m + at / m * a.leading]);
    for (Index j = 0; j < values; ++j) of_values += static_cast<double>(norms[j]) * norms[j];
    apart[block] = fabs(sqrt(of_a) - sqrt(of_values));
  }
};

inline bool is_approximation(Index rank, Index m, Index n, Index lda, Index count) {
  return fits(m, lda) && n >= 0 && rank >= 0 && rank <= (m < n ? m : n) && count >= 0;
}

// norms: in host memory, or null.
template <typename T>
cusolverStatus_t gesvda(cusolverDnHandle_t handle, cusolverEigMode_t jobz, Index rank, Index m, Index n,
                        const Strided<const T>& a, const Strided<Real<T>>& s, const Strided<T>& u,
                        const Strided<T>& v, void* work, int* info, double* norms, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  WARPMARK_SOLVER_VALUES(
      (vectors || jobz == CUSOLVER_EIG_MODE_NOVECTOR) && is_approximation(rank, m, n, a.leading, count) &&
      (!vectors || (fits(m, u.leading) && fits(n, v.leading))) && work != nullptr && info != nullptr);
  const Vectors<T> left{{u.data, nullptr, u.leading, u.stride}, vectors ? rank : 0, false};
  const Vectors<T> right{{v.data, nullptr, v.leading, v.stride}, vectors ? rank : 0, false};
  cudaError_t error = for_each_block(count, handle->stream,
                                     SingularValues<T>{{const_cast<T*>(a.data), nullptr, a.leading, a.stride},
                                                       m,
                                                       n,
                                                       s.data,
                                                       s.stride,
                                                       left,
                                                       right,
                                                       static_cast<T*>(work),
                                                       singular_work(m, n),
                                                       info,
                                                       sweeps_of(nullptr),
                                                       tolerance_of<T>(nullptr),
                                                       nullptr,
                                                       rank});
  if (error != cudaSuccess || norms == nullptr || !vectors || count == 0) return status_of(error);
  error = warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
    double* made = scratch.take<double>(count);
    if (scratch.measures()) return cudaSuccess;
    const cudaError_t failed =
        for_each_index(count, handle->stream,
                       NormsApart<T>{a, m, n, static_cast<const T*>(work), singular_work(m, n), made});
    if (failed != cudaSuccess) return failed;
    return ::cudaMemcpyAsync(norms, made, static_cast<size_t>(count) * sizeof(double), cudaMemcpyDeviceToHost,
                             handle->stream);
  });
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
