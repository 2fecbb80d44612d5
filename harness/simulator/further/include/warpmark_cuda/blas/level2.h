// cuBLAS level 2: matrix-vector operations. A thread computes one element of the result.
#pragma once

#include "warpmark_cuda/blas/matrices.h"

namespace warpmark_blas {

// y = alpha A x + beta y; y is not read if beta is 0.
template <typename T, typename Matrix>
struct TimesVector {
  Matrix a;
  Index columns;
  Scalar<T> alpha;
  Vector<const T> x;
  Scalar<T> beta;
  Vector<T> y;
  __device__ void operator()(Index row) {
    T sum{};
    for (Index k = 0; k < columns; ++k) sum = multiply_add(a(row, k), x[k], sum);
    sum = multiply(alpha.get(), sum);
    const T factor = beta.get();
    y[row] = is_zero(factor) ? sum : multiply_add(factor, y[row], sum);
  }
};

template <typename T>
cublasStatus_t gemv(cublasHandle_t handle, int operation, Index m, Index n, const T* alpha, const T* a,
                    Index lda, const T* x, Index incx, const T* beta, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation) && m >= 0 && n >= 0 && lda >= at_least_1(m) && incx != 0 &&
                       incy != 0 && alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Index rows = operation == CUBLAS_OP_N ? m : n;
  const Index columns = operation == CUBLAS_OP_N ? n : m;
  return launch(
      handle, rows,
      TimesVector<T, Dense<T>>{dense(a, operation, lda), columns, scalar<T>(handle, alpha),
                               vector(x, columns, incx), scalar<T>(handle, beta), vector(y, rows, incy)});
}

template <bool hermitian, typename T>
cublasStatus_t symv(cublasHandle_t handle, int fill, Index n, const T* alpha, const T* a, Index lda,
                    const T* x, Index incx, const T* beta, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_fill(fill) && n >= 0 && lda >= at_least_1(n) && incx != 0 && incy != 0 &&
                       alpha != nullptr && beta != nullptr);
  using Matrix = Symmetric<T, hermitian>;
  return launch(
      handle, n,
      TimesVector<T, Matrix>{Matrix{a, lda, fill == CUBLAS_FILL_MODE_LOWER}, n, scalar<T>(handle, alpha),
                             vector(x, n, incx), scalar<T>(handle, beta), vector(y, n, incy)});
}

// op(A) of a band matrix with kl subdiagonals and ku superdiagonals; row ku of the storage is the diagonal.
template <typename T>
struct Band {
  const T* data;
  Index leading;
  Index below;
  Index above;
  bool transposed;
  bool conjugated;
  __device__ T operator()(Index row, Index column) const {
    const Index i = transposed ? column : row;
    const Index j = transposed ? row : column;
    if (i - j > below || j - i > above) return T{};
    return conjugate(data[above + i - j + j * leading], conjugated);
  }
};
template <typename T>
cublasStatus_t gbmv(cublasHandle_t handle, int operation, Index m, Index n, Index kl, Index ku,
                    const T* alpha, const T* a, Index lda, const T* x, Index incx, const T* beta, T* y,
                    Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation) && m >= 0 && n >= 0 && kl >= 0 && ku >= 0 &&
                       lda >= kl + ku + 1 && incx != 0 && incy != 0 && alpha != nullptr && beta != nullptr);
  const bool transposed = operation != CUBLAS_OP_N;
  const Index rows = transposed ? n : m;
  const Index columns = transposed ? m : n;
  return launch(handle, rows,
                TimesVector<T, Band<T>>{Band<T>{a, lda, kl, ku, transposed, operation == CUBLAS_OP_C},
                                        columns, scalar<T>(handle, alpha), vector(x, columns, incx),
                                        scalar<T>(handle, beta), vector(y, rows, incy)});
}

// A += alpha x y^T, y optionally conjugated; optionally only one triangle.
enum class Part { all, lower, upper };
template <typename T>
struct RankOne {
  Index rows;
  Scalar<T> alpha;
  Vector<const T> x;
  Vector<const T> y;
  T* a;
  Index leading;
  Part part;
  bool conjugated;
  __device__ void operator()(Index i) {
    const Index row = i % rows;
    const Index column = i / rows;
    if ((part == Part::lower && row < column) || (part == Part::upper && row > column)) return;
    T& element = a[row + column * leading];
    element = multiply_add(multiply(alpha.get(), x[row]), conjugate(y[column], conjugated), element);
  }
};
template <typename T>
cublasStatus_t ger(cublasHandle_t handle, Index m, Index n, const T* alpha, const T* x, Index incx,
                   const T* y, Index incy, T* a, Index lda, bool conjugated = false) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(m >= 0 && n >= 0 && lda >= at_least_1(m) && incx != 0 && incy != 0 &&
                       alpha != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, m * n,
                RankOne<T>{m, scalar<T>(handle, alpha), vector(x, m, incx), vector(y, n, incy), a, lda,
                           Part::all, conjugated});
}
template <typename T>
cublasStatus_t syr(cublasHandle_t handle, int fill, Index n, const T* alpha, const T* x, Index incx, T* a,
                   Index lda) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_fill(fill) && n >= 0 && lda >= at_least_1(n) && incx != 0 && alpha != nullptr);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, n * n,
                RankOne<T>{n, scalar<T>(handle, alpha), vector(x, n, incx), vector(x, n, incx), a, lda,
                           fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper, false});
}
template <typename T>
cublasStatus_t syr2(cublasHandle_t handle, int fill, Index n, const T* alpha, const T* x, Index incx,
                    const T* y, Index incy, T* a, Index lda) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_fill(fill) && n >= 0 && lda >= at_least_1(n) && incx != 0 && incy != 0 &&
                       alpha != nullptr);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const Part part = fill == CUBLAS_FILL_MODE_LOWER ? Part::lower : Part::upper;
  const auto x_of = vector(x, n, incx);
  const auto y_of = vector(y, n, incy);
  const cublasStatus_t status =
      launch(handle, n * n, RankOne<T>{n, scalar<T>(handle, alpha), x_of, y_of, a, lda, part, false});
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return launch(handle, n * n, RankOne<T>{n, scalar<T>(handle, alpha), y_of, x_of, a, lda, part, false});
}

// x = op(A) x, in an order of rows in which each value is replaced only when it is no longer needed.
template <typename T, typename Matrix = Triangular<T>>
struct TriangularTimes {
  Matrix a;
  Index n;
  Vector<T> x;
  __device__ void operator()(Index) {
    for (Index i = 0; i < n; ++i) {
      const Index row = a.is_lower() ? n - 1 - i : i;
      const Index begin = a.is_lower() ? 0 : row;
      const Index end = a.is_lower() ? row + 1 : n;
      T sum{};
      for (Index k = begin; k < end; ++k) sum = multiply_add(a(row, k), x[k], sum);
      x[row] = sum;
    }
  }
};
// Solves op(A) x = b in place.
template <typename T, typename Matrix = Triangular<T>>
struct TriangularSolve {
  Matrix a;
  Index n;
  Vector<T> x;
  __device__ void operator()(Index) {
    for (Index i = 0; i < n; ++i) {
      const Index row = a.is_lower() ? i : n - 1 - i;
      const Index begin = a.is_lower() ? 0 : row + 1;
      const Index end = a.is_lower() ? row : n;
      T value = x[row];
      for (Index k = begin; k < end; ++k) value = subtract(value, multiply(a(row, k), x[k]));
      x[row] = divide(value, a(row, row));
    }
  }
};
template <template <typename, typename> typename Work, typename T>
cublasStatus_t triangular_vector(cublasHandle_t handle, int fill, int operation, int diagonal, Index n,
                                 const T* a, Index lda, T* x, Index incx) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_fill(fill) && is_operation(operation) && is_diagonal(diagonal) && n >= 0 &&
                       lda >= at_least_1(n) && incx != 0);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, 1,
                Work<T, Triangular<T>>{triangular(a, lda, fill, operation, diagonal), n, vector(x, n, incx)});
}

}  // namespace warpmark_blas
