// cuSOLVER: QR by Householder reflections I - tau v v^H. As in LAPACK, v[0] = 1 is not stored and the rest of
// v is below the diagonal.
#pragma once

#include "warpmark_cuda/solver/block.h"

namespace warpmark_solver {

// column -= factor v (v^H column), both of length `length`; v[0] counts as 1.
template <typename T>
__device__ void reflect(const T* v, Index length, const T& factor, T* column) {
  T sum = column[0];
  for (Index i = 1; i < length; ++i) sum = plus_product(sum, conjugate(v[i]), column[i]);
  sum = multiply(factor, sum);
  column[0] = subtract(column[0], sum);
  for (Index i = 1; i < length; ++i) column[i] = minus_product(column[i], v[i], sum);
}

template <typename T>
struct FactorQr {
  T* a;
  Index m;
  Index n;
  Index leading;
  T* tau;
  int* info;
  __device__ void operator()(Index) {
    __shared__ T scale;
    if (threadIdx.x == 0) *info = 0;
    const Index steps = m < n ? m : n;
    for (Index k = 0; k < steps; ++k) {
      T* v = a + k + k * leading;
      const Index length = m - k;
      if (threadIdx.x == 0) {
        Real<T> rest = 0;
        for (Index i = 1; i < length; ++i) rest += square(v[i]);
        const T first = v[0];
        const Real<T> whole = rest + square(first);
        scale = convert<T>(Real<T>(0));
        tau[k] = scale;
        if (rest > 0 || whole > real_part(first) * real_part(first)) {
          const Real<T> size = static_cast<Real<T>>(sqrt(whole));
          const T beta = convert<T>(real_part(first) > 0 ? -size : size);
          tau[k] = divide(subtract(beta, first), beta);
          scale = divide(convert<T>(Real<T>(1)), subtract(first, beta));
          v[0] = beta;
        }
      }
      __syncthreads();
      for (Index i = 1 + threadIdx.x; i < length; i += blockDim.x) v[i] = multiply(v[i], scale);
      __syncthreads();
      const T factor = conjugate(tau[k]);
      for (Index j = k + 1 + threadIdx.x; j < n; j += blockDim.x)
        reflect(v, length, factor, a + k + j * leading);
      __syncthreads();
    }
  }
};

// Overwrites k reflections with the first n columns of Q.
template <typename T>
struct MakeQ {
  T* a;
  Index m;
  Index n;
  Index k;
  Index leading;
  const T* tau;
  int* info;
  __device__ void operator()(Index) {
    if (threadIdx.x == 0) *info = 0;
    for (Index j = k + threadIdx.x; j < n; j += blockDim.x) {
      for (Index i = 0; i < m; ++i) a[i + j * leading] = convert<T>(Real<T>(i == j ? 1 : 0));
    }
    __syncthreads();
    for (Index step = k; step-- > 0;) {
      T* v = a + step + step * leading;
      const Index length = m - step;
      const T factor = tau[step];
      for (Index j = step + 1 + threadIdx.x; j < n; j += blockDim.x)
        reflect(v, length, factor, a + step + j * leading);
      __syncthreads();
      const T nothing = convert<T>(Real<T>(0));
      for (Index i = threadIdx.x; i < m; i += blockDim.x) {
        T& element = a[i + step * leading];
        if (i < step)
          element = nothing;
        else if (i == step)
          element = subtract(convert<T>(Real<T>(1)), factor);
        else
          element = multiply(subtract(nothing, factor), element);
      }
      __syncthreads();
    }
  }
};

// C = op(Q) C, one thread per column, or C op(Q), one thread per row.
template <typename T>
struct TimesQ {
  const T* a;
  Index leading;
  Index k;
  const T* tau;
  T* c;
  Index m;
  Index n;
  Index leading_of_c;
  bool left;
  bool adjoint;
  __device__ void operator()(Index line) {
    const bool forwards = left == adjoint;
    for (Index step = 0; step < k; ++step) {
      const Index i = forwards ? step : k - 1 - step;
      const T* v = a + i + i * leading;
      const T factor = conjugate(tau[i], adjoint);
      if (left) {
        reflect(v, m - i, factor, c + i + line * leading_of_c);
        continue;
      }
      T* row = c + line + i * leading_of_c;
      T sum = row[0];
      for (Index j = 1; j < n - i; ++j) sum = plus_product(sum, row[j * leading_of_c], v[j]);
      sum = multiply(factor, sum);
      row[0] = subtract(row[0], sum);
      for (Index j = 1; j < n - i; ++j)
        row[j * leading_of_c] = minus_product(row[j * leading_of_c], sum, conjugate(v[j]));
    }
  }
};

// Solves R x = b in place, with R in the upper triangle.
template <typename T>
struct SolveUpper {
  const T* a;
  Index n;
  Index leading;
  T* right;
  Index leading_of_right;
  __device__ void operator()(Index column) {
    T* b = right + column * leading_of_right;
    for (Index i = n; i-- > 0;) {
      T sum = b[i];
      for (Index j = i + 1; j < n; ++j) sum = minus_product(sum, a[i + j * leading], b[j]);
      b[i] = divide(sum, a[i + i * leading]);
    }
  }
};
template <typename T>
struct CopyMatrix {
  const T* from;
  Index leading;
  T* to;
  Index leading_of_to;
  Index rows;
  __device__ void operator()(Index at) {
    to[at % rows + at / rows * leading_of_to] = from[at % rows + at / rows * leading];
  }
};

}  // namespace warpmark_solver
