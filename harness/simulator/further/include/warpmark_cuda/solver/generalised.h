// cuSOLVER: the generalised problem A x = w B x, and eigenvalues in a range.
#pragma once

#include "warpmark_cuda/solver/dense.h"

namespace warpmark_solver {

// Replaces A by L^-1 A L^-H, both triangles. work: 2 n * n elements.
template <typename T>
struct ReduceToOne {
  T* a;
  Index leading;
  Index n;
  bool upper;
  const T* b;
  Index leading_of_b;
  T* work;
  __device__ void operator()(Index) {
    const Lower<T> lower{a, leading, upper};
    const Lower<T> factor{const_cast<T*>(b), leading_of_b, upper};
    T* halves = work;
    T* turned = work + n * n;
    for (Index at = threadIdx.x; at < n * n; at += blockDim.x) {
      const Index i = at % n;
      const Index j = at / n;
      halves[at] = i >= j ? lower.get(i, j) : conjugate(lower.get(j, i));
    }
    __syncthreads();
    for (Index j = threadIdx.x; j < n; j += blockDim.x) solve_lower(factor, n, halves + j * n);
    __syncthreads();
    for (Index at = threadIdx.x; at < n * n; at += blockDim.x)
      turned[at] = conjugate(halves[at / n + at % n * n]);
    __syncthreads();
    for (Index j = threadIdx.x; j < n; j += blockDim.x) solve_lower(factor, n, turned + j * n);
    __syncthreads();
    for (Index at = threadIdx.x; at < n * n; at += blockDim.x) a[at % n + at / n * leading] = turned[at];
  }
};
// Transforms eigenvectors y of the reduced problem to x = L^-H y.
template <typename T>
struct VectorsOfPair {
  T* a;
  Index leading;
  Index n;
  bool upper;
  const T* b;
  Index leading_of_b;
  __device__ void operator()(Index column) {
    solve_adjoint(Lower<T>{const_cast<T*>(b), leading_of_b, upper}, n, a + column * leading);
  }
};
// info: if B is not positive definite, n plus the column of its first non-positive minor.
struct InfoOfPair {
  const int* of_factor;
  int* info;
  int n;
  __device__ void operator()(Index) {
    if (*of_factor != 0) *info = n + *of_factor;
  }
};

inline Index pair_work(Index n) {
  return symmetric_work(n) + 1;
}
// B is overwritten by its factor. Only the problem type A x = w B x is supported.
template <typename T>
cusolverStatus_t sygvd(cusolverDnHandle_t handle, cusolverEigType_t type, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, Index n, T* a, Index lda, T* b, Index ldb, Real<T>* w, T* work,
                       int* info, const warpmark_jacobi* params) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && fits(n, ldb) && w != nullptr && work != nullptr && info != nullptr);
  if (type != CUSOLVER_EIG_TYPE_1) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  int* const of_factor = reinterpret_cast<int*>(work + symmetric_work(n));
  cusolverStatus_t status = potrf(handle, uplo, n, one(b, ldb), of_factor, 1);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  cudaError_t error = for_each_block(1, handle->stream, ReduceToOne<T>{a, lda, n, upper, b, ldb, work});
  if (error != cudaSuccess) return status_of(error);
  status = syevd(handle, jobz, uplo, n, a, lda, w, work, info, params, 1);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  if (jobz == CUSOLVER_EIG_MODE_VECTOR)
    error = for_each_index(n, handle->stream, VectorsOfPair<T>{a, lda, n, upper, b, ldb});
  if (error == cudaSuccess)
    error = for_each_index(1, handle->stream, InfoOfPair{of_factor, info, static_cast<int>(n)});
  return status_of(error);
}

// Moves the selected eigenvalues (and vectors) to the front: from index `first` on, or those in (low, high].
template <typename T>
struct KeepRange {
  T* a;
  Index leading;
  Index n;
  bool vectors;
  Real<T>* values;
  bool by_value;
  Real<T> low;
  Real<T> high;
  Index first;  // 0-based
  Index last;
  int* kept;
  __device__ void operator()(Index) {
    __shared__ Index from;
    __shared__ Index count;
    if (threadIdx.x == 0) {
      from = first;
      count = last - first + 1;
      if (by_value) {
        from = 0;
        while (from < n && values[from] <= low) ++from;
        count = 0;
        while (from + count < n && values[from + count] <= high) ++count;
      }
      *kept = static_cast<int>(count);
      for (Index i = 0; i < count; ++i) values[i] = values[from + i];
    }
    __syncthreads();
    for (Index i = threadIdx.x; vectors && i < n; i += blockDim.x) {
      for (Index j = 0; j < count; ++j) a[i + j * leading] = a[i + (from + j) * leading];
    }
  }
};
// found: in host memory, so the stream is synchronised. il, iu: 1-based.
template <typename T>
cusolverStatus_t syevdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,
                        cublasFillMode_t uplo, Index n, T* a, Index lda, Real<T> low, Real<T> high, Index il,
                        Index iu, int* found, Real<T>* w, T* work, int* info) {
  WARPMARK_SOLVER_VALUES(found != nullptr);
  const cusolverStatus_t status = syevd(handle, jobz, uplo, n, a, lda, w, work, info, nullptr, 1);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  *found = static_cast<int>(n);
  if (range == CUSOLVER_EIG_RANGE_ALL) return status;
  const bool by_value = range == CUSOLVER_EIG_RANGE_V;
  WARPMARK_SOLVER_VALUES(by_value ? low < high : il >= 1 && il <= iu && iu <= n);
  int* const kept = reinterpret_cast<int*>(work);
  cudaError_t error = for_each_block(1, handle->stream,
                                     KeepRange<T>{a, lda, n, jobz == CUSOLVER_EIG_MODE_VECTOR, w, by_value,
                                                  low, high, il - 1, iu - 1, kept});
  if (error == cudaSuccess)
    error = ::cudaMemcpyAsync(found, kept, sizeof(int), cudaMemcpyDeviceToHost, handle->stream);
  return status_of(error == cudaSuccess ? ::cudaStreamSynchronize(handle->stream) : error);
}

}  // namespace warpmark_solver

// Parameters: the type's letter, the type, its real type, and the name prefix.
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
    return warpmark_solver::sygvd<T>(handle, itype, jobz, uplo, n, A, lda, B, ldb, W, work, info, nullptr);  \
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
      int n, T* A, int lda, T* B, int ldb, R* W, T* work, int, int* info, syevjInfo_t params) {              \
    return warpmark_solver::sygvd<T>(handle, itype, jobz, uplo, n, A, lda, B, ldb, W, work, info, params);   \
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
