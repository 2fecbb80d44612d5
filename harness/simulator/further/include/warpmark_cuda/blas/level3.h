// cuBLAS level 3: matrix-matrix operations. A thread computes a 4 x 4 tile, so that each value read is used
// four times.
#pragma once

#include <cstdio>

#include "warpmark_cuda/blas/level2.h"

namespace warpmark_blas {

constexpr int kTile = 4;

// C = alpha A B + beta C; C is not read if beta is 0. Tiles at the edge clamp their reads of A and B.
template <typename S, typename C, typename A, typename B>
struct Multiply {
  Index m;
  Index n;
  Index k;
  Scalar<S> alpha;
  A a;
  B b;
  Scalar<S> beta;
  C* c;
  Index leading;
  Part part;
  bool real_diagonal = false;
  __device__ void operator()(Index tile) { multiply_tile(tile, a, b, c); }

  __device__ __forceinline__ void multiply_tile(Index tile, const A& left, const B& right, C* out) const {
    const Index tiles_down = (m + kTile - 1) / kTile;
    const Index row = tile % tiles_down * kTile;
    const Index column = tile / tiles_down * kTile;
    Index rows[kTile];
    Index columns[kTile];
    S sums[kTile][kTile];
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
      rows[i] = row + i < m ? row + i : m - 1;
      columns[i] = column + i < n ? column + i : n - 1;
#pragma unroll
      for (int j = 0; j < kTile; ++j) sums[i][j] = S{};
    }
    for (Index l = 0; l < k; ++l) {
      S from_a[kTile];
      S from_b[kTile];
#pragma unroll
      for (int i = 0; i < kTile; ++i) {
        from_a[i] = convert<S>(left(rows[i], l));
        from_b[i] = convert<S>(right(l, columns[i]));
      }
#pragma unroll
      for (int i = 0; i < kTile; ++i) {
#pragma unroll
        for (int j = 0; j < kTile; ++j) sums[i][j] = multiply_add(from_a[i], from_b[j], sums[i][j]);
      }
    }
    const S factor = alpha.get();
    const S of_old = beta.get();
#pragma unroll
    for (int j = 0; j < kTile; ++j) {
#pragma unroll
      for (int i = 0; i < kTile; ++i) {
        if (row + i >= m || column + j >= n) continue;
        if ((part == Part::lower && row + i < column + j) || (part == Part::upper && row + i > column + j))
          continue;
        C& element = out[row + i + (column + j) * leading];
        S value = multiply(factor, sums[i][j]);
        if (!is_zero(of_old)) value = multiply_add(of_old, convert<S>(element), value);
        if constexpr (kIsComplex<S>) {
          if (real_diagonal && row + i == column + j) value.y = 0;
        }
        element = convert<C>(value);
      }
    }
  }
};

inline Index tiles_of(Index m, Index n) {
  return warpmark_lib::parts(m, kTile) * warpmark_lib::parts(n, kTile);
}

template <typename S, typename C, typename A, typename B>
cublasStatus_t multiply_matrices(cublasHandle_t handle, Index m, Index n, Index k, Scalar<S> alpha,
                                 const A& a, const B& b, Scalar<S> beta, C* c, Index ldc,
                                 Part part = Part::all, bool real_diagonal = false) {
  return launch(handle, tiles_of(m, n),
                Multiply<S, C, A, B>{m, n, k, alpha, a, b, beta, c, ldc, part, real_diagonal});
}

struct GemmShape {
  int operation_a;
  int operation_b;
  Index m;
  Index n;
  Index k;
  Index lda;
  Index ldb;
  Index ldc;
  bool is_right() const {
    return is_operation(operation_a) && is_operation(operation_b) && m >= 0 && n >= 0 && k >= 0 &&
           lda >= at_least_1(rows_of_a()) && ldb >= at_least_1(rows_of_b()) && ldc >= at_least_1(m);
  }
  // Rows of the matrices as stored.
  Index rows_of_a() const { return operation_a == CUBLAS_OP_N ? m : k; }
  Index rows_of_b() const { return operation_b == CUBLAS_OP_N ? k : n; }

  // Prints the error for callers that ignore the status, as cuBLAS does.
  void tell_what_is_wrong() const {
    if (m < 0 || n < 0 || k < 0)
      std::fprintf(stderr, "cuBLAS gemm: m, n and k are %lld, %lld and %lld; a size is 0 at least\n",
                   static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k));
    tell_of('A', lda, rows_of_a());
    tell_of('B', ldb, rows_of_b());
    tell_of('C', ldc, m);
  }
  static void tell_of(char matrix, Index leading, Index rows) {
    if (leading >= at_least_1(rows)) return;
    std::fprintf(
        stderr,
        "cuBLAS gemm: ld%c is %lld, and %c has %lld rows in memory (columns lie one after the other); "
        "pass %lld at least\n",
        matrix - 'A' + 'a', static_cast<long long>(leading), matrix, static_cast<long long>(rows),
        static_cast<long long>(at_least_1(rows)));
  }
};

template <typename S, typename T, typename C, typename From>
cublasStatus_t gemm(cublasHandle_t handle, const GemmShape& shape, const From* alpha, const T* a, const T* b,
                    const From* beta, C* c) {
  WARPMARK_BLAS_HANDLE(handle);
  if (!shape.is_right()) shape.tell_what_is_wrong();
  WARPMARK_BLAS_VALUES(shape.is_right() && alpha != nullptr && beta != nullptr);
  if (shape.m == 0 || shape.n == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply_matrices(handle, shape.m, shape.n, shape.k, scalar<S>(handle, alpha),
                           dense(a, shape.operation_a, shape.lda), dense(b, shape.operation_b, shape.ldb),
                           scalar<S>(handle, beta), c, shape.ldc);
}

// Batched products. A matrix's address is computed from its index, or read from an array of pointers in
// device memory.
template <typename T>
struct AtStride {
  T* data;
  long long stride;
  __device__ __forceinline__ T* operator()(Index i) const { return data + i * stride; }
};
template <typename T>
struct AtPointer {
  T* const* pointers;
  __device__ __forceinline__ T* operator()(Index i) const { return pointers[i]; }
};
template <typename S, typename T, typename C, typename PlaceOfA, typename PlaceOfC>
struct MultiplyBatch {
  Multiply<S, C, Dense<T>, Dense<T>> one;
  Index tiles;
  PlaceOfA a;
  PlaceOfA b;
  PlaceOfC c;
  __device__ void operator()(Index i) {
    Dense<T> left = one.a;
    Dense<T> right = one.b;
    left.data = a(i / tiles);
    right.data = b(i / tiles);
    one.multiply_tile(i % tiles, left, right, c(i / tiles));
  }
};
template <typename S, typename T, typename C, typename From, typename PlaceOfA, typename PlaceOfC>
cublasStatus_t gemm_batch(cublasHandle_t handle, const GemmShape& shape, const From* alpha, PlaceOfA a,
                          PlaceOfA b, const From* beta, PlaceOfC c, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(shape.is_right() && count >= 0 && alpha != nullptr && beta != nullptr);
  if (shape.m == 0 || shape.n == 0) return CUBLAS_STATUS_SUCCESS;
  const T* none = nullptr;
  const Index tiles = tiles_of(shape.m, shape.n);
  return launch(
      handle, tiles * count,
      MultiplyBatch<S, T, C, PlaceOfA, PlaceOfC>{
          {shape.m, shape.n, shape.k, scalar<S>(handle, alpha), dense(none, shape.operation_a, shape.lda),
           dense(none, shape.operation_b, shape.ldb), scalar<S>(handle, beta), nullptr, shape.ldc, Part::all},
          tiles,
          a,
          b,
          c});
}

template <bool hermitian, typename T>
cublasStatus_t symm(cublasHandle_t handle, int side, int fill, Index m, Index n, const T* alpha, const T* a,
                    Index lda, const T* b, Index ldb, const T* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  const Index order = side == CUBLAS_SIDE_LEFT ? m : n;
  WARPMARK_BLAS_VALUES(is_side(side) && is_fill(fill) && m >= 0 && n >= 0 && lda >= at_least_1(order) &&
                       ldb >= at_least_1(m) && ldc >= at_least_1(m) && alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Symmetric<T, hermitian> symmetric{a, lda, fill == CUBLAS_FILL_MODE_LOWER};
  const Dense<T> other = dense(b, CUBLAS_OP_N, ldb);
  const auto factor = scalar<T>(handle, alpha);
  const auto of_old = scalar<T>(handle, beta);
  if (side == CUBLAS_SIDE_LEFT)
    return multiply_matrices(handle, m, n, m, factor, symmetric, other, of_old, c, ldc);
  return multiply_matrices(handle, m, n, n, factor, other, symmetric, of_old, c, ldc);
}

// C = alpha op(A) B or alpha B op(A). C may be B, which is then copied first.
template <typename T>
struct CopyMatrix {
  const T* from;
  Index rows;
  Index leading;
  T* to;
  __device__ void operator()(Index i) { to[i] = from[i % rows + i / rows * leading]; }
};
template <typename T>
cublasStatus_t trmm(cublasHandle_t handle, int side, int fill, int operation, int diagonal, Index m, Index n,
                    const T* alpha, const T* a, Index lda, const T* b, Index ldb, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  const Index order = side == CUBLAS_SIDE_LEFT ? m : n;
  WARPMARK_BLAS_VALUES(is_side(side) && is_fill(fill) && is_operation(operation) && is_diagonal(diagonal) &&
                       m >= 0 && n >= 0 && lda >= at_least_1(order) && ldb >= at_least_1(m) &&
                       ldc >= at_least_1(m) && alpha != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Triangular<T> triangle = triangular(a, lda, fill, operation, diagonal);
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const cudaError_t error =
      warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
        T* copied = scratch.take<T>(m * n);
        if (scratch.measures()) return cudaSuccess;
        status = launch(handle, m * n, CopyMatrix<T>{b, m, ldb, copied});
        if (status != CUBLAS_STATUS_SUCCESS) return cudaSuccess;
        const Dense<T> other{copied, 1, m, false};
        const auto factor = scalar<T>(handle, alpha);
        const Scalar<T> zero{nullptr, T{}};
        status = side == CUBLAS_SIDE_LEFT
                     ? multiply_matrices(handle, m, n, m, factor, triangle, other, zero, c, ldc)
                     : multiply_matrices(handle, m, n, n, factor, other, triangle, zero, c, ldc);
        return cudaSuccess;
      });
  return error != cudaSuccess ? status_of(error) : status;
}

// Solves op(A) X = alpha B, one thread per column, or X op(A) = alpha B, one thread per row. X overwrites B.
template <typename T>
struct SolveMany {
  Triangular<T> a;
  Index order;
  bool left;
  Scalar<T> alpha;
  T* b;
  Index leading;
  __device__ void operator()(Index i) {
    const Vector<T> x = left ? Vector<T>{b + i * leading, 1} : Vector<T>{b + i, leading};
    const T factor = alpha.get();
    const bool forwards = a.is_lower() == left;
    for (Index step = 0; step < order; ++step) {
      const Index row = forwards ? step : order - 1 - step;
      T value = multiply(factor, x[row]);
      for (Index k = forwards ? 0 : row + 1; k < (forwards ? row : order); ++k)
        value = subtract(value, multiply(left ? a(row, k) : a(k, row), x[k]));
      x[row] = divide(value, a(row, row));
    }
  }
};
template <typename T>
cublasStatus_t trsm(cublasHandle_t handle, int side, int fill, int operation, int diagonal, Index m, Index n,
                    const T* alpha, const T* a, Index lda, T* b, Index ldb) {
  WARPMARK_BLAS_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Index order = left ? m : n;
  WARPMARK_BLAS_VALUES(is_side(side) && is_fill(fill) && is_operation(operation) && is_diagonal(diagonal) &&
                       m >= 0 && n >= 0 && lda >= at_least_1(order) && ldb >= at_least_1(m) &&
                       alpha != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, left ? n : m,
                SolveMany<T>{triangular(a, lda, fill, operation, diagonal), order, left,
                             scalar<T>(handle, alpha), b, ldb});
}

// C = alpha op(A) + beta op(B); a matrix with a zero factor is not read.
template <typename T>
struct AddMatrices {
  Index rows;
  Scalar<T> alpha;
  Dense<T> a;
  Scalar<T> beta;
  Dense<T> b;
  T* c;
  Index leading;
  __device__ void operator()(Index i) {
    const Index row = i % rows;
    const Index column = i / rows;
    T sum{};
    const T of_a = alpha.get();
    const T of_b = beta.get();
    if (!is_zero(of_a)) sum = multiply(of_a, a(row, column));
    if (!is_zero(of_b)) sum = multiply_add(of_b, b(row, column), sum);
    c[row + column * leading] = sum;
  }
};
template <typename T>
cublasStatus_t geam(cublasHandle_t handle, int operation_a, int operation_b, Index m, Index n, const T* alpha,
                    const T* a, Index lda, const T* beta, const T* b, Index ldb, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation_a) && is_operation(operation_b) && m >= 0 && n >= 0 &&
                       lda >= at_least_1(operation_a == CUBLAS_OP_N ? m : n) &&
                       ldb >= at_least_1(operation_b == CUBLAS_OP_N ? m : n) && ldc >= at_least_1(m) &&
                       alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, m * n,
                AddMatrices<T>{m, scalar<T>(handle, alpha), dense(a, operation_a, lda),
                               scalar<T>(handle, beta), dense(b, operation_b, ldb), c, ldc});
}

// C = diag(x) A or C = A diag(x).
template <typename T>
struct TimesDiagonal {
  Index rows;
  bool left;
  const T* a;
  Index lda;
  Vector<const T> x;
  T* c;
  Index ldc;
  __device__ void operator()(Index i) {
    const Index row = i % rows;
    const Index column = i / rows;
    c[row + column * ldc] = multiply(a[row + column * lda], x[left ? row : column]);
  }
};
template <typename T>
cublasStatus_t dgmm(cublasHandle_t handle, int side, Index m, Index n, const T* a, Index lda, const T* x,
                    Index incx, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(m >= 0 && n >= 0 && lda >= at_least_1(m) && ldc >= at_least_1(m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  return launch(handle, m * n, TimesDiagonal<T>{m, left, a, lda, vector(x, left ? m : n, incx), c, ldc});
}

}  // namespace warpmark_blas
