// cuBLAS batched factorisation, inversion and solution of small matrices, one thread per matrix.
#pragma once

#include "warpmark_cuda/blas/numbers.h"

namespace warpmark_blas {

template <typename T>
__device__ __forceinline__ void exchange(T& a, T& b) {
  const T between = a;
  a = b;
  b = between;
}

// In-place LU factorisation; pivots[k] is the (1-based) row that row k was exchanged with. Returns the first
// (1-based) column without a pivot, or 0.
template <typename T>
__device__ int factor(T* a, Index n, Index leading, int* pivots) {
  int singular = 0;
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    if (pivots != nullptr) {
      for (Index i = k + 1; i < n; ++i) {
        if (size_of(a[i + k * leading]) > size_of(a[best + k * leading])) best = i;
      }
      pivots[k] = static_cast<int>(best) + 1;
      for (Index j = 0; best != k && j < n; ++j) exchange(a[k + j * leading], a[best + j * leading]);
    }
    if (is_zero(a[k + k * leading])) {
      if (singular == 0) singular = static_cast<int>(k) + 1;
      continue;
    }
    for (Index i = k + 1; i < n; ++i) {
      const T ratio = divide(a[i + k * leading], a[k + k * leading]);
      a[i + k * leading] = ratio;
      for (Index j = k + 1; j < n; ++j)
        a[i + j * leading] = subtract(a[i + j * leading], multiply(ratio, a[k + j * leading]));
    }
  }
  return singular;
}

// Solves A x = b or A^T x = b in place, from the factors of A.
template <typename T>
__device__ void solve(const T* a, Index n, Index leading, const int* pivots, T* b, bool transposed,
                      bool conjugated) {
  const auto element = [=](Index i, Index j) { return conjugate(a[i + j * leading], conjugated); };
  if (!transposed) {
    for (Index k = 0; pivots != nullptr && k < n; ++k) exchange(b[k], b[pivots[k] - 1]);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < i; ++j) b[i] = subtract(b[i], multiply(element(i, j), b[j]));
    }
    for (Index i = n; i-- > 0;) {
      for (Index j = i + 1; j < n; ++j) b[i] = subtract(b[i], multiply(element(i, j), b[j]));
      b[i] = divide(b[i], element(i, i));
    }
    return;
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) b[i] = subtract(b[i], multiply(element(j, i), b[j]));
    b[i] = divide(b[i], element(i, i));
  }
  for (Index i = n; i-- > 0;) {
    for (Index j = i + 1; j < n; ++j) b[i] = subtract(b[i], multiply(element(j, i), b[j]));
  }
  for (Index k = n; pivots != nullptr && k-- > 0;) exchange(b[k], b[pivots[k] - 1]);
}

template <typename T>
struct Factor {
  Index n;
  T* const* a;
  Index leading;
  int* pivots;
  int* singular;
  __device__ void operator()(Index i) {
    singular[i] = factor(a[i], n, leading, pivots == nullptr ? nullptr : pivots + i * n);
  }
};
template <typename T>
cublasStatus_t getrf(cublasHandle_t handle, Index n, T* const* a, Index lda, int* pivots, int* info,
                     Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && count >= 0 && lda >= at_least_1(n));
  return launch(handle, count, Factor<T>{n, a, lda, pivots, info});
}

// Computes the inverse column by column.
template <typename T>
struct Invert {
  Index n;
  const T* const* a;
  Index leading;
  const int* pivots;
  T* const* inverse;
  Index leading_of_inverse;
  int* singular;
  __device__ void operator()(Index i) {
    singular[i] = 0;
    for (Index k = n; k-- > 0;) {
      if (is_zero(a[i][k + k * leading])) singular[i] = static_cast<int>(k) + 1;
    }
    if (singular[i] != 0) return;
    for (Index j = 0; j < n; ++j) {
      T* column = inverse[i] + j * leading_of_inverse;
      for (Index k = 0; k < n; ++k) column[k] = convert<T>(Real<T>(k == j ? 1 : 0));
      solve(a[i], n, leading, pivots == nullptr ? nullptr : pivots + i * n, column, false, false);
    }
  }
};
template <typename T>
cublasStatus_t getri(cublasHandle_t handle, Index n, const T* const* a, Index lda, const int* pivots,
                     T* const* inverse, Index ldc, int* info, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && count >= 0 && lda >= at_least_1(n) && ldc >= at_least_1(n));
  return launch(handle, count, Invert<T>{n, a, lda, pivots, inverse, ldc, info});
}

template <typename T>
struct Solve {
  int operation;
  Index n;
  Index columns;
  const T* const* a;
  Index leading;
  const int* pivots;
  T* const* b;
  Index leading_of_b;
  __device__ void operator()(Index i) {
    for (Index j = 0; j < columns; ++j)
      solve(a[i], n, leading, pivots == nullptr ? nullptr : pivots + i * n, b[i] + j * leading_of_b,
            operation != CUBLAS_OP_N, operation == CUBLAS_OP_C);
  }
};
// info: in host memory; reports invalid arguments.
template <typename T>
cublasStatus_t getrs(cublasHandle_t handle, int operation, Index n, Index columns, const T* const* a,
                     Index lda, const int* pivots, T* const* b, Index ldb, int* info, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(info != nullptr && is_operation(operation) && n >= 0 && columns >= 0 && count >= 0 &&
                       lda >= at_least_1(n) && ldb >= at_least_1(n));
  *info = 0;
  return launch(handle, count, Solve<T>{operation, n, columns, a, lda, pivots, b, ldb});
}

// Inverts matrices of at most 32 rows, which are not overwritten.
template <typename T>
struct InvertCopy {
  static constexpr Index kMost = 32;
  Index n;
  const T* const* a;
  Index leading;
  T* const* inverse;
  Index leading_of_inverse;
  int* singular;
  __device__ void operator()(Index i) {
    T copy[kMost * kMost];
    int pivots[kMost];
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k < n; ++k) copy[k + j * n] = a[i][k + j * leading];
    }
    singular[i] = factor(copy, n, n, pivots);
    if (singular[i] != 0) return;
    for (Index j = 0; j < n; ++j) {
      T* column = inverse[i] + j * leading_of_inverse;
      for (Index k = 0; k < n; ++k) column[k] = convert<T>(Real<T>(k == j ? 1 : 0));
      solve(copy, n, n, pivots, column, false, false);
    }
  }
};
template <typename T>
cublasStatus_t matinv(cublasHandle_t handle, Index n, const T* const* a, Index lda, T* const* inverse,
                      Index lda_inv, int* info, Index count) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(n >= 0 && n <= InvertCopy<T>::kMost && count >= 0 && lda >= at_least_1(n) &&
                       lda_inv >= at_least_1(n));
  return launch(handle, count, InvertCopy<T>{n, a, lda, inverse, lda_inv, info});
}

}  // namespace warpmark_blas
