// cuBLAS level 3: matrix-matrix operations.
#pragma once

#include <cstdio>

#include "warpmark_cuda/blas/level2.h"

namespace warpmark_blas {

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
  // cuBLAS product C = alpha op(A) op(B) + beta C: number of rows of A and of B as stored, that is, before
  // op() (transposition) is applied.
  Index rows_of_a() const { return operation_a == CUBLAS_OP_N ? m : k; }
  Index rows_of_b() const { return operation_b == CUBLAS_OP_N ? k : n; }

  // Prints which argument of a matrix product is invalid, as cuBLAS does, for programs that ignore the
  // returned status.
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

// cuBLAS batched product C = alpha op(A) op(B) + beta C. Takes sizes, operations and leading dimensions from
// `shape` alone, not from a, b and c.
template <typename S, typename T, typename C, typename From>
cublasStatus_t gemm_batch(cublasHandle_t handle, const GemmShape& shape, const From* alpha,
                          const Matrices<const T>& a, const Matrices<const T>& b, const From* beta,
                          const Matrices<C>& c, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(shape.is_right() && count >= 0 && alpha != nullptr && beta != nullptr);
  if (shape.m == 0 || shape.n == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply<S>(handle, "gemm", count, factor_of(handle, alpha),
                     applied(a, shape.lda, shape.m, shape.k, shape.operation_a),
                     applied(b, shape.ldb, shape.k, shape.n, shape.operation_b), factor_of(handle, beta),
                     general(c, shape.ldc, shape.m, shape.n));
}
template <typename S, typename T, typename C, typename From>
cublasStatus_t gemm(cublasHandle_t handle, const GemmShape& shape, const From* alpha, const T* a, const T* b,
                    const From* beta, C* c) {
  WARPMARK_BLAS_HANDLE(handle);
  if (!shape.is_right()) shape.tell_what_is_wrong();
  return gemm_batch<S, T, C>(handle, shape, alpha, one(a, 1), one(b, 1), beta, one(c, 1), 1);
}

// cuBLAS C = alpha A B + beta C or alpha B A + beta C, where A is symmetric (form 'S') or Hermitian ('H').
template <typename T>
cublasStatus_t symm(const char* name, cublasHandle_t handle, char form, int side, int fill, Index m, Index n,
                    const T* alpha, const T* a, Index lda, const T* b, Index ldb, const T* beta, T* c,
                    Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Index order = left ? m : n;
  const Triangle of = whole(order, lda, fill);
  WARPMARK_BLAS_VALUES(is_side(side) && of.right && m >= 0 && n >= 0 && ldb >= at_least_1(m) &&
                       ldc >= at_least_1(m) && alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto symmetric = triangle(one(a, lda), order, of, form);
  const auto other = general(one(b, ldb), ldb, m, n);
  return multiply<T>(handle, name, 1, factor_of(handle, alpha), left ? symmetric : other,
                     left ? other : symmetric, factor_of(handle, beta), general(one(c, ldc), ldc, m, n));
}

// cuBLAS product with a triangular matrix A: C = alpha op(A) B or alpha B op(A). C and B may be the same
// matrix.
template <typename T>
cublasStatus_t trmm(cublasHandle_t handle, int side, int fill, int operation, int diagonal, Index m, Index n,
                    const T* alpha, const T* a, Index lda, const T* b, Index ldb, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Index order = left ? m : n;
  const Triangle of = whole(order, lda, fill);
  WARPMARK_BLAS_VALUES(is_side(side) && of.right && is_operation(operation) && is_diagonal(diagonal) &&
                       m >= 0 && n >= 0 && ldb >= at_least_1(m) && ldc >= at_least_1(m) && alpha != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto triangular = triangle(one(a, lda), order, of, form_of(diagonal), operation);
  const auto other = general(one(b, ldb), ldb, m, n);
  return multiply<T>(handle, "trmm", 1, factor_of(handle, alpha), left ? triangular : other,
                     left ? other : triangular, constant(0), general(one(c, ldc), ldc, m, n));
}

// cuBLAS solve with a triangular matrix A: op(A) X = alpha B or X op(A) = alpha B. X overwrites B.
template <typename T>
cublasStatus_t trsm(cublasHandle_t handle, int side, int fill, int operation, int diagonal, Index m, Index n,
                    const T* alpha, const Matrices<const T>& a, Index lda, const Matrices<T>& b, Index ldb,
                    Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  const bool left = side == CUBLAS_SIDE_LEFT;
  const Index order = left ? m : n;
  const Triangle of = whole(order, lda, fill);
  WARPMARK_BLAS_VALUES(is_side(side) && of.right && is_operation(operation) && is_diagonal(diagonal) &&
                       m >= 0 && n >= 0 && ldb >= at_least_1(m) && count >= 0 && alpha != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return solve<T>(handle, "trsm", count, left, factor_of(handle, alpha),
                  triangle(a, order, of, form_of(diagonal), operation), general(b, ldb, m, n));
}

// Rank-k update of one triangle: C = alpha op(A) op(B)^T + beta C. twofold: rank-2k update, which also adds
// the product's transpose. form: 'S' (symmetric) or 'H' (Hermitian, with conjugate transposes).
template <typename T, typename Alpha, typename Beta>
cublasStatus_t rank_k(const char* name, cublasHandle_t handle, char form, bool twofold, int fill,
                      int operation, Index n, Index k, const Alpha* alpha, const T* a, Index lda, const T* b,
                      Index ldb, const Beta* beta, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  const bool straight = operation == CUBLAS_OP_N;
  const Index stored = straight ? n : k;
  const Triangle of = whole(n, ldc, fill);
  WARPMARK_BLAS_VALUES(of.right && is_operation(operation) && n >= 0 && k >= 0 && lda >= at_least_1(stored) &&
                       ldb >= at_least_1(stored) && alpha != nullptr && beta != nullptr);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const int transposed = form == 'H' ? CUBLAS_OP_C : CUBLAS_OP_T;
  return multiply<T>(handle, name, 1, factor_of(handle, alpha),
                     applied(one(a, lda), lda, n, k, straight ? CUBLAS_OP_N : transposed),
                     applied(one(b, ldb), ldb, k, n, straight ? transposed : CUBLAS_OP_N),
                     factor_of(handle, beta), triangle(one(c, ldc), n, of, form), twofold);
}

// cuBLAS geam: C = alpha op(A) + beta op(B). A matrix whose scalar factor is 0 is not read.
template <typename T>
cublasStatus_t geam(cublasHandle_t handle, int operation_a, int operation_b, Index m, Index n, const T* alpha,
                    const T* a, Index lda, const T* beta, const T* b, Index ldb, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(is_operation(operation_a) && is_operation(operation_b) && m >= 0 && n >= 0 &&
                       lda >= at_least_1(operation_a == CUBLAS_OP_N ? m : n) &&
                       ldb >= at_least_1(operation_b == CUBLAS_OP_N ? m : n) && ldc >= at_least_1(m) &&
                       alpha != nullptr && beta != nullptr);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return add<T>(handle, "geam", factor_of(handle, alpha), applied(one(a, lda), lda, m, n, operation_a),
                factor_of(handle, beta), applied(one(b, ldb), ldb, m, n, operation_b),
                general(one(c, ldc), ldc, m, n));
}

// cuBLAS dgmm, product with a diagonal matrix: C = diag(x) A or C = A diag(x).
template <typename T>
cublasStatus_t dgmm(cublasHandle_t handle, int side, Index m, Index n, const T* a, Index lda, const T* x,
                    Index incx, T* c, Index ldc) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(m >= 0 && n >= 0 && lda >= at_least_1(m) && ldc >= at_least_1(m));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const auto diagonal = vector(x, left ? m : n, incx);
  return status_of_call(Routine<T>('B', "dgmm", 1, {left})
                            .matrix(Access::read, one(a, lda), m, n)
                            .matrix(Access::read, diagonal.at, diagonal.rows, 1, diagonal.form)
                            .matrix(Access::write, one(c, ldc), m, n)
                            .run(handle->stream));
}

}  // namespace warpmark_blas
