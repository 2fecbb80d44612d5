// cuSOLVER: type-generic implementation of the dense functions. Matrices are column-major.
#pragma once

#include "warpmark_cuda/solver/factor.h"
#include "warpmark_cuda/solver/householder.h"
#include "warpmark_cuda/solver/jacobi.h"

namespace warpmark_solver {

constexpr Index kPanel = 32;  // columns that a block factors before the trailing matrix is updated

inline bool fits(Index rows, Index leading) {
  return rows >= 0 && leading >= (rows > 1 ? rows : 1);
}
template <typename Size>
cusolverStatus_t give_size(cusolverDnHandle_t handle, bool right, Index size, Size* bytes) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(right && bytes != nullptr);
  *bytes = static_cast<Size>(size > 1 ? size : 1);
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, const Matrices<T>& a,
                       int* info, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, a.leading) && info != nullptr && count >= 0);
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  const Index panel = count == 1 && a.pointers == nullptr && n > kPanel ? kPanel : n;
  cudaError_t error = for_each_block(count, handle->stream, Cholesky<T>{a, n, upper, info, 0, panel});
  for (Index end = panel; end < n && error == cudaSuccess; end += panel) {
    const Index rest = n - end;
    error = for_each_index(rest * rest, handle->stream,
                           CholeskyRest<T>{{a.data, a.leading, upper}, n, info, end - panel, end});
    if (error == cudaSuccess)
      error = for_each_block(1, handle->stream,
                             Cholesky<T>{a, n, upper, info, end, end + panel < n ? end + panel : n});
  }
  return status_of(error);
}
template <typename T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Index columns,
                       const Matrices<T>& a, const Matrices<T>& b, int* info, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, a.leading) && fits(n, b.leading) && columns >= 0 && info != nullptr &&
                         count >= 0);
  const cudaError_t error = for_each_index(1, handle->stream, SetNumber{info, 0});
  if (error != cudaSuccess) return status_of(error);
  return status_of(for_each_index(columns * count, handle->stream,
                                  SolveByCholesky<T>{a, n, uplo == CUBLAS_FILL_MODE_UPPER, b, columns}));
}
// work: n * n elements.
template <typename T>
cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, T* a, Index lda, T* work,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && work != nullptr && info != nullptr);
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  cudaError_t error = for_each_index(1, handle->stream, SetNumber{info, 0});
  if (error == cudaSuccess)
    error = for_each_index(n, handle->stream, InvertByCholesky<T>{a, lda, n, upper, work});
  if (error == cudaSuccess)
    error = for_each_index(n * n, handle->stream, StoreTriangle<T>{work, a, lda, n, upper});
  return status_of(error);
}

template <typename T, typename Pivot>
cusolverStatus_t getrf(cusolverDnHandle_t handle, Index m, Index n, T* a, Index lda, Pivot* pivots,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && info != nullptr);
  const Index steps = m < n ? m : n;
  cudaError_t error = cudaSuccess;
  for (Index begin = 0; (begin < steps || begin == 0) && error == cudaSuccess; begin += kPanel) {
    const Index end = begin + kPanel < steps ? begin + kPanel : steps;
    error = for_each_block(1, handle->stream, Gauss<T, Pivot>{a, m, n, lda, pivots, info, begin, end});
    if (error == cudaSuccess)
      error = for_each_index(n - end, handle->stream, GaussRows<T>{a, lda, begin, end});
    if (error == cudaSuccess)
      error = for_each_index((m - end) * (n - end), handle->stream, GaussRest<T>{a, m, lda, begin, end});
  }
  return status_of(error);
}
template <typename T, typename Pivot>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t operation, Index n, Index columns,
                       const T* a, Index lda, const Pivot* pivots, T* b, Index ldb, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(warpmark_blas::is_operation(operation) && fits(n, lda) && fits(n, ldb) &&
                         columns >= 0 && info != nullptr);
  const cudaError_t error = for_each_index(1, handle->stream, SetNumber{info, 0});
  if (error != cudaSuccess) return status_of(error);
  return status_of(for_each_index(
      columns, handle->stream,
      SolveByGauss<T, Pivot>{a, n, lda, pivots, b, ldb, operation != CUBLAS_OP_N, operation == CUBLAS_OP_C}));
}

template <typename T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, Index m, Index n, T* a, Index lda, T* tau, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && tau != nullptr && info != nullptr);
  return status_of(for_each_block(1, handle->stream, FactorQr<T>{a, m, n, lda, tau, info}));
}
template <typename T>
cusolverStatus_t orgqr(cusolverDnHandle_t handle, Index m, Index n, Index k, T* a, Index lda, const T* tau,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && n <= m && k >= 0 && k <= n && info != nullptr);
  return status_of(for_each_block(1, handle->stream, MakeQ<T>{a, m, n, k, lda, tau, info}));
}
template <typename T>
cusolverStatus_t ormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t operation, Index m,
                       Index n, Index k, const T* a, Index lda, const T* tau, T* c, Index ldc, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Index length = left ? m : n;
  WARPMARK_SOLVER_VALUES(warpmark_blas::is_operation(operation) && fits(length, lda) && fits(m, ldc) &&
                         n >= 0 && k >= 0 && k <= length && info != nullptr);
  WARPMARK_SOLVER_VALUES(!kIsComplex<T> || operation != CUBLAS_OP_T);
  const cudaError_t error = for_each_index(1, handle->stream, SetNumber{info, 0});
  if (error != cudaSuccess) return status_of(error);
  return status_of(for_each_index(left ? n : m, handle->stream,
                                  TimesQ<T>{a, lda, k, tau, c, m, n, ldc, left, operation != CUBLAS_OP_N}));
}

// Solves A X = B by LU (n x n), or min |A X - B| by QR (m x n, m >= n); A is overwritten by its factors.
// iterations: in host memory; set to 0, because there is no iterative refinement.
template <typename T>
cusolverStatus_t gesv(cusolverDnHandle_t handle, Index n, Index columns, T* a, Index lda, int* pivots,
                      const T* b, Index ldb, T* x, Index ldx, int* iterations, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, ldb) && fits(n, ldx) && columns >= 0 && iterations != nullptr &&
                         pivots != nullptr);
  *iterations = 0;
  const cusolverStatus_t factored = getrf(handle, n, n, a, lda, pivots, info);
  if (factored != CUSOLVER_STATUS_SUCCESS) return factored;
  cudaError_t error = for_each_index(n * columns, handle->stream, CopyMatrix<T>{b, ldb, x, ldx, n});
  if (error == cudaSuccess)
    error = for_each_index(columns, handle->stream,
                           SolveByGauss<T, int>{a, n, lda, pivots, x, ldx, false, false});
  return status_of(error);
}
// work: n + m * columns elements.
template <typename T>
cusolverStatus_t gels(cusolverDnHandle_t handle, Index m, Index n, Index columns, T* a, Index lda, const T* b,
                      Index ldb, T* x, Index ldx, void* work, int* iterations, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(m >= n && fits(m, ldb) && fits(n, ldx) && columns >= 0 && iterations != nullptr &&
                         work != nullptr);
  *iterations = 0;
  T* const tau = static_cast<T*>(work);
  T* const turned = tau + n;
  const cusolverStatus_t factored = geqrf(handle, m, n, a, lda, tau, info);
  if (factored != CUSOLVER_STATUS_SUCCESS) return factored;
  cudaError_t error = for_each_index(m * columns, handle->stream, CopyMatrix<T>{b, ldb, turned, m, m});
  if (error == cudaSuccess)
    error =
        for_each_index(columns, handle->stream, TimesQ<T>{a, lda, n, tau, turned, m, columns, m, true, true});
  if (error == cudaSuccess)
    error = for_each_index(columns, handle->stream, SolveUpper<T>{a, n, lda, turned, m});
  if (error == cudaSuccess)
    error = for_each_index(n * columns, handle->stream, CopyMatrix<T>{turned, m, x, ldx, n});
  return status_of(error);
}

template <typename T>
Real<T> tolerance_of(const warpmark_jacobi* params) {
  const auto wanted = static_cast<Real<T>>(params == nullptr ? 0 : params->tolerance);
  return wanted > 4 * kPrecision<T> ? wanted : 4 * kPrecision<T>;
}
inline double* seen_by(const warpmark_jacobi* params) {
  return params == nullptr ? nullptr : params->seen;
}
inline int sweeps_of(const warpmark_jacobi* params) {
  return params == nullptr ? warpmark_jacobi().sweeps : params->sweeps;
}

// Values of job: 'A' all vectors, 'S' as many as singular values, 'O' those, overwriting A, 'N' none.
inline bool is_job(signed char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}
template <typename T>
Vectors<T> vectors_for(signed char job, Index rows, Index values, T* a, Index lda, T* own, Index leading,
                       bool adjoint) {
  if (job == 'O') return {one(a, lda), values, adjoint};
  return {one(own, leading), job == 'A' ? rows : job == 'S' ? values : 0, adjoint};
}
template <typename T>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, Index m, Index n, T* a,
                       Index lda, Real<T>* s, T* u, Index ldu, T* vt, Index ldvt, void* work, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_job(jobu) && is_job(jobvt) && (jobu != 'O' || jobvt != 'O') && m >= n &&
                         fits(m, lda) && n >= 0 && s != nullptr && work != nullptr && info != nullptr);
  WARPMARK_SOLVER_VALUES((jobu != 'A' && jobu != 'S') || fits(m, ldu));
  WARPMARK_SOLVER_VALUES((jobvt != 'A' && jobvt != 'S') || fits(n, ldvt));
  const Vectors<T> left = vectors_for(jobu, m, n, a, lda, u, ldu, false);
  const Vectors<T> right = vectors_for(jobvt, n, n, a, lda, vt, ldvt, true);
  return status_of(
      for_each_block(1, handle->stream,
                     SingularValues<T>{one(a, lda), m, n, s, 0, left, right, static_cast<T*>(work), 0, info,
                                       sweeps_of(nullptr), tolerance_of<T>(nullptr), nullptr}));
}
// Returns V, not V^H. Batches are contiguous: A has lda * n elements, S min(m, n), U ldu * m, V ldv * n.
template <typename T>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, bool economy, Index m, Index n,
                        T* a, Index lda, Real<T>* s, T* u, Index ldu, T* v, Index ldv, void* work, int* info,
                        const warpmark_jacobi* params, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && (!vectors || (fits(m, ldu) && fits(n, ldv))) &&
                         s != nullptr && work != nullptr && info != nullptr && count >= 0);
  const Index values = m < n ? m : n;
  const Vectors<T> left{{u, nullptr, ldu, ldu * m}, !vectors ? 0 : economy ? values : m, false};
  const Vectors<T> right{{v, nullptr, ldv, ldv * n}, !vectors ? 0 : economy ? values : n, false};
  return status_of(for_each_block(count, handle->stream,
                                  SingularValues<T>{{a, nullptr, lda, lda * n},
                                                    m,
                                                    n,
                                                    s,
                                                    values,
                                                    left,
                                                    right,
                                                    static_cast<T*>(work),
                                                    singular_work(m, n),
                                                    info,
                                                    sweeps_of(params),
                                                    tolerance_of<T>(params),
                                                    seen_by(params)}));
}
// Contiguous batches: A has lda * n elements, W has n.
template <typename T>
cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, Index n,
                       T* a, Index lda, Real<T>* w, void* work, int* info, const warpmark_jacobi* params,
                       Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && w != nullptr && work != nullptr && info != nullptr && count >= 0);
  return status_of(for_each_block(count, handle->stream,
                                  Eigenvalues<T>{{a, nullptr, lda, lda * n},
                                                 n,
                                                 uplo == CUBLAS_FILL_MODE_UPPER,
                                                 jobz == CUSOLVER_EIG_MODE_VECTOR,
                                                 w,
                                                 n,
                                                 static_cast<T*>(work),
                                                 symmetric_work(n),
                                                 info,
                                                 sweeps_of(params),
                                                 tolerance_of<T>(params),
                                                 seen_by(params)}));
}

}  // namespace warpmark_solver
