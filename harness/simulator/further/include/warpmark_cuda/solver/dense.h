// cuSOLVER: type-generic implementation of the dense functions.
#pragma once

#include "warpmark_cuda/solver/routine.h"

namespace warpmark_solver {

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
inline char part_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}

template <typename T>
cusolverStatus_t potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, const Matrices<T>& a,
                       int* info, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, a.leading) && info != nullptr && count >= 0);
  return Routine<T>("potrf", count, {n, part_of(uplo)})
      .matrix(Access::read_and_write, a, n, n, part_of(uplo))
      .run(handle, info);
}
// Solves A X = B for a batch, given Cholesky factors. info: a single number for the whole batch.
template <typename T>
cusolverStatus_t potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Index columns,
                       const Matrices<T>& a, const Matrices<T>& b, int* info, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, a.leading) && fits(n, b.leading) && columns >= 0 && info != nullptr &&
                         count >= 0);
  return Routine<T>("potrs", count, {n, part_of(uplo), columns})
      .matrix(Access::read, a, n, n, part_of(uplo))
      .matrix(Access::read_and_write, b, n, columns)
      .matrix(Access::write, one(info, 1), 1, 1)
      .run(handle);
}
// cuSOLVER potri: inverts a matrix from its Cholesky factor. work: n * n elements.
template <typename T>
cusolverStatus_t potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, T* a, Index lda, T* work,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && work != nullptr && info != nullptr);
  return Routine<T>("potri", 1, {n, part_of(uplo)})
      .matrix(Access::read_and_write, one(a, lda), n, n, part_of(uplo))
      .array(Access::work, work, n * n)
      .run(handle, info);
}

template <typename T, typename Pivot>
cusolverStatus_t getrf(cusolverDnHandle_t handle, Index m, Index n, T* a, Index lda, Pivot* pivots,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && info != nullptr);
  return Routine<T>("getrf", 1, {m, n})
      .matrix(Access::read_and_write, one(a, lda), m, n)
      .array(Access::write, pivots, m < n ? m : n)
      .run(handle, info);
}
template <typename T, typename Pivot>
cusolverStatus_t getrs(cusolverDnHandle_t handle, cublasOperation_t operation, Index n, Index columns,
                       const T* a, Index lda, const Pivot* pivots, T* b, Index ldb, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(warpmark_blas::is_operation(operation) && fits(n, lda) && fits(n, ldb) &&
                         columns >= 0 && info != nullptr);
  return Routine<T>("getrs", 1, {n, columns, letter_of(operation)})
      .matrix(Access::read, one(a, lda), n, n)
      .array(Access::read, pivots, n)
      .matrix(Access::read_and_write, one(b, ldb), n, columns)
      .run(handle, info);
}

template <typename T>
cusolverStatus_t geqrf(cusolverDnHandle_t handle, Index m, Index n, T* a, Index lda, T* tau, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && tau != nullptr && info != nullptr);
  return Routine<T>("geqrf", 1, {m, n})
      .matrix(Access::read_and_write, one(a, lda), m, n)
      .array(Access::write, tau, m < n ? m : n)
      .run(handle, info);
}
template <typename T>
cusolverStatus_t orgqr(cusolverDnHandle_t handle, Index m, Index n, Index k, T* a, Index lda, const T* tau,
                       int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && n <= m && k >= 0 && k <= n && info != nullptr);
  return Routine<T>("orgqr", 1, {m, n, k})
      .matrix(Access::read, one(a, lda), m, k)
      .matrix(Access::write, one(a, lda), m, n)
      .array(Access::read, tau, k)
      .run(handle, info);
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
  const char transposed = kIsComplex<T> ? 'C' : 'T';
  return Routine<T>("ormqr", 1, {m, n, k, left ? 'L' : 'R', operation == CUBLAS_OP_N ? 'N' : transposed})
      .matrix(Access::read, one(a, lda), length, k)
      .array(Access::read, tau, k)
      .matrix(Access::read_and_write, one(c, ldc), m, n)
      .run(handle, info);
}

// Solves A X = B by LU (n x n), or min |A X - B| by QR (m x n, m >= n); A is overwritten by its factors.
// iterations: in host memory; set to 0, because there is no iterative refinement.
template <typename T>
cusolverStatus_t gesv(cusolverDnHandle_t handle, Index n, Index columns, T* a, Index lda, int* pivots,
                      const T* b, Index ldb, T* x, Index ldx, int* iterations, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && fits(n, ldb) && fits(n, ldx) && columns >= 0 &&
                         iterations != nullptr && pivots != nullptr && info != nullptr);
  *iterations = 0;
  return Routine<T>("gesv", 1, {n, columns})
      .matrix(Access::read_and_write, one(a, lda), n, n)
      .array(Access::write, pivots, n)
      .matrix(Access::read, one(b, ldb), n, columns)
      .matrix(Access::write, one(x, ldx), n, columns)
      .run(handle, info);
}
// cuSOLVER gels: least squares by QR. work: n + m * columns elements.
template <typename T>
cusolverStatus_t gels(cusolverDnHandle_t handle, Index m, Index n, Index columns, T* a, Index lda, const T* b,
                      Index ldb, T* x, Index ldx, T* work, int* iterations, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(m >= n && n >= 0 && fits(m, lda) && fits(m, ldb) && fits(n, ldx) && columns >= 0 &&
                         iterations != nullptr && work != nullptr && info != nullptr);
  *iterations = 0;
  return Routine<T>("gels", 1, {m, n, columns})
      .matrix(Access::read_and_write, one(a, lda), m, n)
      .matrix(Access::read, one(b, ldb), m, columns)
      .matrix(Access::write, one(x, ldx), n, columns)
      .array(Access::work, work, n + m * columns)
      .run(handle, info);
}

// Returns the workspace size, in elements of T, of a singular value decomposition.
inline Index singular_work(Index m, Index n) {
  const Index rows = m > n ? m : n;
  const Index columns = m > n ? n : m;
  return rows * columns + columns * columns + 2 * columns + 3 * rows;
}
inline Index symmetric_work(Index n) {
  return 2 * n * n + 2 * n;
}
inline double* seen_by(const warpmark_jacobi* params) {
  return params == nullptr ? nullptr : params->seen;
}

// True for a valid job of the singular value decomposition. 'A': all singular vectors, 'S': the first min(m,
// n), 'O': the same, overwriting A, 'N': none.
inline bool is_job(signed char job) {
  return job == 'A' || job == 'S' || job == 'O' || job == 'N';
}
template <typename T>
cusolverStatus_t gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, Index m, Index n, T* a,
                       Index lda, Real<T>* s, T* u, Index ldu, T* vt, Index ldvt, void* work, int* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_job(jobu) && is_job(jobvt) && (jobu != 'O' || jobvt != 'O') && m >= n &&
                         fits(m, lda) && n >= 0 && s != nullptr && work != nullptr && info != nullptr);
  const bool left = jobu == 'A' || jobu == 'S';
  const bool right = jobvt == 'A' || jobvt == 'S';
  WARPMARK_SOLVER_VALUES(!left || fits(m, ldu));
  WARPMARK_SOLVER_VALUES(!right || fits(n, ldvt));
  return Routine<T>("gesvd", 1, {m, n, jobu, jobvt})
      .matrix(jobu == 'O' || jobvt == 'O' ? Access::read_and_write : Access::read, one(a, lda), m, n)
      .array(Access::write, s, n)
      .matrix(Access::write, left ? one(u, ldu) : one<T>(nullptr, 1), left ? m : 0, jobu == 'A' ? m : n)
      .matrix(Access::write, right ? one(vt, ldvt) : one<T>(nullptr, 1), right ? n : 0, n)
      .array(Access::work, static_cast<T*>(work), singular_work(m, n))
      .run(handle, info);
}

// Singular value decomposition by the Jacobi method; returns V, not V^H. kept: number of largest singular
// values (and vectors) that are returned.
template <typename T>
cusolverStatus_t jacobi(cusolverDnHandle_t handle, bool vectors, bool economy, Index m, Index n, Index kept,
                        const Matrices<const T>& a, const Matrices<Real<T>>& s, const Matrices<T>& u,
                        const Matrices<T>& v, double* seen, double* apart, void* work, int* info,
                        Index count) {
  const Matrices<T> none = one<T>(nullptr, 1);
  return Routine<T>("gesvdj", count, {m, n, kept, economy ? 'S' : 'A'})
      .matrix(Access::read, a, m, n)
      .matrix(Access::write, s, kept, 1)
      .matrix(Access::write, vectors ? u : none, vectors ? m : 0, economy ? kept : m)
      .matrix(Access::write, vectors ? v : none, vectors ? n : 0, economy ? kept : n)
      .matrix(Access::write, Matrices<double>{seen, nullptr, 2, 0}, 2, 1)
      .array(Access::write, apart, 1)
      .array(Access::work, static_cast<T*>(work), singular_work(m, n))
      .run(handle, info);
}
// cuSOLVER gesvdj, also batched: the matrices of a batch follow each other without gaps; A has lda * n
// elements, S min(m, n), U ldu * m, V ldv * n.
template <typename T>
cusolverStatus_t gesvdj(cusolverDnHandle_t handle, cusolverEigMode_t jobz, bool economy, Index m, Index n,
                        T* a, Index lda, Real<T>* s, T* u, Index ldu, T* v, Index ldv, void* work, int* info,
                        const warpmark_jacobi* params, Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  WARPMARK_SOLVER_VALUES(fits(m, lda) && n >= 0 && (!vectors || (fits(m, ldu) && fits(n, ldv))) &&
                         s != nullptr && work != nullptr && info != nullptr && count >= 0);
  const Index values = m < n ? m : n;
  return jacobi<T>(handle, vectors, economy, m, n, values, {a, nullptr, lda, lda * n},
                   {s, nullptr, values > 1 ? values : 1, values}, {u, nullptr, ldu, ldu * m},
                   {v, nullptr, ldv, ldv * n}, seen_by(params), nullptr, work, info, count);
}
// Eigenvalues W and, optionally, eigenvectors of contiguous symmetric or Hermitian matrices: lda * n
// elements of A and n of W per matrix. Only one triangle of A is read; eigenvectors overwrite all of A.
template <typename T>
cusolverStatus_t syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, Index n,
                       T* a, Index lda, Real<T>* w, void* work, int* info, const warpmark_jacobi* params,
                       Index count) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(fits(n, lda) && w != nullptr && work != nullptr && info != nullptr && count >= 0);
  const bool vectors = jobz == CUSOLVER_EIG_MODE_VECTOR;
  const Matrices<T> all{a, nullptr, lda, lda * n};
  return Routine<T>("syevd", count, {n, part_of(uplo)})
      .matrix(Access::read, all, n, n, part_of(uplo))
      .matrix(Access::write, vectors ? all : one<T>(nullptr, lda), n, n)
      .array(Access::write, w, n)
      .matrix(Access::write, Matrices<double>{seen_by(params), nullptr, 2, 0}, 2, 1)
      .array(Access::write, static_cast<int*>(nullptr), 1)
      .array(Access::work, static_cast<T*>(work), symmetric_work(n))
      .run(handle, info);
}

}  // namespace warpmark_solver
