// cuSOLVER: Cholesky and LU factorisation, and solution with the factors. A block factors a matrix, a thread
// solves for one right-hand side.
#pragma once

#include "warpmark_cuda/solver/block.h"

namespace warpmark_solver {

// A = L L^H, in place of the triangle. info: 0, or the first (1-based) column whose leading minor is not
// positive.
template <typename T>
struct Cholesky {
  Matrices<T> matrices;
  Index n;
  bool upper;
  int* info;
  Index begin;  // the columns of this step; earlier ones are done
  Index end;
  __device__ void operator()(Index block) {
    __shared__ bool stopped;
    const Lower<T> l{matrices.of(block), matrices.leading, upper};
    if (threadIdx.x == 0) {
      if (begin == 0) info[block] = 0;
      stopped = info[block] != 0;
    }
    __syncthreads();
    const bool over = stopped;
    __syncthreads();
    if (over) return;
    for (Index k = begin; k < end; ++k) {
      if (threadIdx.x == 0) {
        const Real<T> pivot = real_part(l.get(k, k));
        if (pivot > 0) {
          l.set(k, k, convert<T>(static_cast<Real<T>>(sqrt(pivot))));
        } else {
          info[block] = static_cast<int>(k) + 1;
          stopped = true;
        }
      }
      __syncthreads();
      if (stopped) return;
      const T pivot = l.get(k, k);
      for (Index i = k + 1 + threadIdx.x; i < n; i += blockDim.x) l.set(i, k, divide(l.get(i, k), pivot));
      __syncthreads();
      const Index rest = n - k - 1;
      for (Index at = threadIdx.x; at < rest * (end - k - 1); at += blockDim.x) {
        const Index i = k + 1 + at % rest;
        const Index j = k + 1 + at / rest;
        if (i < j) continue;
        l.set(i, j, minus_product(l.get(i, j), l.get(i, k), conjugate(l.get(j, k))));
      }
      __syncthreads();
    }
  }
};

// Updates the trailing matrix after a step, one thread per element.
template <typename T>
struct CholeskyRest {
  Lower<T> l;
  Index n;
  const int* info;
  Index begin;
  Index end;
  __device__ void operator()(Index at) {
    const Index i = end + at % (n - end);
    const Index j = end + at / (n - end);
    if (i < j || *info != 0) return;
    T sum = l.get(i, j);
    for (Index k = begin; k < end; ++k) sum = minus_product(sum, l.get(i, k), conjugate(l.get(j, k)));
    l.set(i, j, sum);
  }
};

// Solves L x = b or L^H x = b in place.
template <typename T>
__device__ void solve_lower(const Lower<T>& l, Index n, T* b) {
  for (Index i = 0; i < n; ++i) {
    T sum = b[i];
    for (Index j = 0; j < i; ++j) sum = minus_product(sum, l.get(i, j), b[j]);
    b[i] = divide(sum, l.get(i, i));
  }
}
template <typename T>
__device__ void solve_adjoint(const Lower<T>& l, Index n, T* b) {
  for (Index i = n; i-- > 0;) {
    T sum = b[i];
    for (Index j = i + 1; j < n; ++j) sum = minus_product(sum, conjugate(l.get(j, i)), b[j]);
    b[i] = divide(sum, conjugate(l.get(i, i)));
  }
}
template <typename T>
struct SolveByCholesky {
  Matrices<T> matrices;
  Index n;
  bool upper;
  Matrices<T> right;
  Index columns;
  __device__ void operator()(Index i) {
    const Index matrix = i / columns;
    const Lower<T> l{matrices.of(matrix), matrices.leading, upper};
    T* b = right.of(matrix) + i % columns * right.leading;
    solve_lower(l, n, b);
    solve_adjoint(l, n, b);
  }
};
// Computes the inverse of A from its factor, column by column in `made` (n x n); its triangle is then stored.
template <typename T>
struct InvertByCholesky {
  const T* a;
  Index leading;
  Index n;
  bool upper;
  T* made;
  __device__ void operator()(Index column) {
    const Lower<T> l{const_cast<T*>(a), leading, upper};
    T* own = made + column * n;
    for (Index i = 0; i < n; ++i) own[i] = convert<T>(Real<T>(i == column ? 1 : 0));
    solve_lower(l, n, own);
    solve_adjoint(l, n, own);
  }
};
template <typename T>
struct StoreTriangle {
  const T* made;
  T* a;
  Index leading;
  Index n;
  bool upper;
  __device__ void operator()(Index at) {
    const Index i = at % n;
    const Index j = at / n;
    if (upper ? i <= j : i >= j) a[i + j * leading] = made[at];
  }
};

// A = P L U, in place. pivots[k]: (1-based) row that row k was exchanged with; null: no pivoting. info: 0, or
// the first (1-based) column without a pivot.
template <typename T, typename Pivot>
struct Gauss {
  T* a;
  Index m;
  Index n;
  Index leading;
  Pivot* pivots;
  int* info;
  Index begin;  // the columns of this step; earlier ones are done
  Index end;
  __device__ void operator()(Index) {
    __shared__ Index best;
    if (threadIdx.x == 0 && begin == 0) *info = 0;
    for (Index k = begin; k < end; ++k) {
      if (threadIdx.x == 0) {
        best = k;
        for (Index i = k + 1; pivots != nullptr && i < m; ++i) {
          if (size_of(a[i + k * leading]) > size_of(a[best + k * leading])) best = i;
        }
        if (pivots != nullptr) pivots[k] = static_cast<Pivot>(best + 1);
        if (is_zero(a[best + k * leading]) && *info == 0) *info = static_cast<int>(k) + 1;
      }
      __syncthreads();
      if (best != k) {
        for (Index j = threadIdx.x; j < n; j += blockDim.x) {
          const T between = a[k + j * leading];
          a[k + j * leading] = a[best + j * leading];
          a[best + j * leading] = between;
        }
      }
      __syncthreads();
      const T pivot = a[k + k * leading];
      if (!is_zero(pivot)) {
        for (Index i = k + 1 + threadIdx.x; i < m; i += blockDim.x)
          a[i + k * leading] = divide(a[i + k * leading], pivot);
      }
      __syncthreads();
      const Index rows = m - k - 1;
      const Index columns = end - k - 1;
      for (Index at = threadIdx.x; at < rows * columns; at += blockDim.x) {
        const Index i = k + 1 + at % rows;
        const Index j = k + 1 + at / rows;
        a[i + j * leading] = minus_product(a[i + j * leading], a[i + k * leading], a[k + j * leading]);
      }
      __syncthreads();
    }
  }
};
// Updates after a step: first the step's rows, one thread per column, then the trailing matrix, one thread
// per element.
template <typename T>
struct GaussRows {
  T* a;
  Index leading;
  Index begin;
  Index end;
  __device__ void operator()(Index at) {
    T* column = a + (end + at) * leading;
    for (Index k = begin; k < end; ++k) {
      for (Index i = k + 1; i < end; ++i) column[i] = minus_product(column[i], a[i + k * leading], column[k]);
    }
  }
};
template <typename T>
struct GaussRest {
  T* a;
  Index m;
  Index leading;
  Index begin;
  Index end;
  __device__ void operator()(Index at) {
    const Index i = end + at % (m - end);
    const Index j = end + at / (m - end);
    T sum = a[i + j * leading];
    for (Index k = begin; k < end; ++k) sum = minus_product(sum, a[i + k * leading], a[k + j * leading]);
    a[i + j * leading] = sum;
  }
};
template <typename T, typename Pivot>
struct SolveByGauss {
  const T* a;
  Index n;
  Index leading;
  const Pivot* pivots;
  T* right;
  Index leading_of_right;
  bool transposed;
  bool conjugated;
  __device__ __forceinline__ T element(Index i, Index j) const {
    return conjugate(transposed ? a[j + i * leading] : a[i + j * leading], conjugated);
  }
  __device__ __forceinline__ void exchange(T* b, Index k) const {
    if (pivots == nullptr) return;
    const T between = b[k];
    b[k] = b[pivots[k] - 1];
    b[pivots[k] - 1] = between;
  }
  __device__ void operator()(Index column) {
    T* b = right + column * leading_of_right;
    for (Index k = 0; !transposed && k < n; ++k) exchange(b, k);
    // L has a unit diagonal; if transposed, U^T is the lower factor.
    for (Index i = 0; i < n; ++i) {
      T sum = b[i];
      for (Index j = 0; j < i; ++j) sum = minus_product(sum, element(i, j), b[j]);
      b[i] = transposed ? divide(sum, element(i, i)) : sum;
    }
    for (Index i = n; i-- > 0;) {
      T sum = b[i];
      for (Index j = i + 1; j < n; ++j) sum = minus_product(sum, element(i, j), b[j]);
      b[i] = transposed ? sum : divide(sum, element(i, i));
    }
    for (Index k = n; transposed && k-- > 0;) exchange(b, k);
  }
};

struct SetNumber {
  int* number;
  int value;
  __device__ void operator()(Index i) { number[i] = value; }
};

}  // namespace warpmark_solver
