// cuSOLVER: sparse linear systems, solved by LU within the band that contains all elements. Because of
// pivoting, the band of U is as wide as A's lower and upper bandwidths together.
#pragma once

#include "warpmark_cuda/solver/block.h"
#include "warpmark_cuda/sparse/views.h"

namespace warpmark_solver {

// Executor of cuSOLVER's band solver: a single host thread, or the threads of a block. Index loops start at
// first() and advance by step().
struct Alone {
  __host__ __device__ Index first() const { return 0; }
  __host__ __device__ Index step() const { return 1; }
  __host__ __device__ void wait() const {}
};
struct Block {
  __device__ Index first() const { return threadIdx.x; }
  __device__ Index step() const { return blockDim.x; }
  __device__ void wait() const { __syncthreads(); }
};

// Band storage: row i holds columns i - lower to i + upper + lower, contiguously.
template <typename T>
struct Band {
  T* data;
  Index n;
  Index lower;
  Index upper;
  __host__ __device__ Index width() const { return 2 * lower + upper + 1; }
  __host__ __device__ T& at(Index i, Index j) const { return data[i * width() + j - i + lower]; }
  __host__ __device__ Index end_of_rows(Index k) const { return k + lower < n ? k + lower + 1 : n; }
  __host__ __device__ Index end_of_columns(Index k) const {
    return k + upper + lower < n ? k + upper + lower + 1 : n;
  }
};

template <typename T>
__host__ __device__ __forceinline__ void exchange(T& a, T& b) {
  const T between = a;
  a = b;
  b = between;
}

// LU factorisation of a band matrix in place. pivots[k]: row that row k was exchanged with. singular: index
// of the first pivot whose magnitude does not exceed the tolerance, or -1.
template <typename T, typename Workers>
__host__ __device__ void factor_band(const Band<T>& a, Index* pivots, Real<T> tolerance, int* singular,
                                     const Workers& workers) {
  const bool leads = workers.first() == 0;
  if (leads) *singular = -1;
  for (Index k = 0; k < a.n; ++k) {
    const Index rows = a.end_of_rows(k);
    const Index columns = a.end_of_columns(k);
    if (leads) {
      Index best = k;
      for (Index i = k + 1; i < rows; ++i) {
        if (size_of(a.at(i, k)) > size_of(a.at(best, k))) best = i;
      }
      pivots[k] = best;
      if (*singular < 0 && size_of(a.at(best, k)) <= tolerance) *singular = static_cast<int>(k);
    }
    workers.wait();
    const Index best = pivots[k];
    for (Index j = k + workers.first(); best != k && j < columns; j += workers.step())
      exchange(a.at(k, j), a.at(best, j));
    workers.wait();
    const T pivot = a.at(k, k);
    if (!is_zero(pivot)) {
      for (Index i = k + 1 + workers.first(); i < rows; i += workers.step())
        a.at(i, k) = divide(a.at(i, k), pivot);
    }
    workers.wait();
    const Index height = rows - k - 1;
    const Index length = columns - k - 1;
    for (Index at = workers.first(); !is_zero(pivot) && at < height * length; at += workers.step()) {
      const Index i = k + 1 + at / length;
      const Index j = k + 1 + at % length;
      a.at(i, j) = minus_product(a.at(i, j), a.at(i, k), a.at(k, j));
    }
    workers.wait();
  }
}
// Solves a system from the LU factors of a band matrix. x: the right-hand side, overwritten by the solution.
template <typename T, typename Workers>
__host__ __device__ void apply_band(const Band<T>& a, const Index* pivots, T* x, const Workers& workers) {
  const bool leads = workers.first() == 0;
  for (Index k = 0; k < a.n; ++k) {
    if (leads && pivots[k] != k) exchange(x[k], x[pivots[k]]);
    workers.wait();
    const Index rows = a.end_of_rows(k);
    for (Index i = k + 1 + workers.first(); !is_zero(a.at(k, k)) && i < rows; i += workers.step())
      x[i] = minus_product(x[i], a.at(i, k), x[k]);
    workers.wait();
  }
  for (Index k = a.n; k-- > 0;) {
    if (leads) x[k] = divide(x[k], a.at(k, k));
    workers.wait();
    const Index reach = a.upper + a.lower < k ? a.upper + a.lower : k;
    for (Index i = k - reach + workers.first(); i < k; i += workers.step())
      x[i] = minus_product(x[i], a.at(i, k), x[k]);
    workers.wait();
  }
}
template <typename T, typename Workers>
__host__ __device__ void solve_band(const Band<T>& a, T* x, Index* pivots, Real<T> tolerance, int* singular,
                                    const Workers& workers) {
  factor_band(a, pivots, tolerance, singular, workers);
  apply_band(a, static_cast<const Index*>(pivots), x, workers);
}

// Lower and upper bandwidth of a sparse matrix.
struct Widths {
  long long lower;
  long long upper;
};
__host__ __device__ inline Widths widths_of(const int* offsets, const int* columns, Index n, int base) {
  Widths widths{0, 0};
  for (Index row = 0; row < n; ++row) {
    for (Index k = offsets[row] - base; k < offsets[row + 1] - base; ++k) {
      const Index beyond = columns[k] - base - row;
      if (beyond > widths.upper) widths.upper = beyond;
      if (-beyond > widths.lower) widths.lower = -beyond;
    }
  }
  return widths;
}
struct FindWidths {
  const int* offsets;
  const int* columns;
  Index n;
  int base;
  Widths* widths;
  __device__ void operator()(Index) { *widths = widths_of(offsets, columns, n, base); }
};
// Computes the bandwidths of a sparse matrix in device memory and returns them to the host, which
// synchronises the stream.
inline cudaError_t find_widths(cusolverSpHandle_t handle, const int* offsets, const int* columns, Index n,
                               int base, Widths* widths) {
  return warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
    Widths* made = scratch.take<Widths>(1);
    if (scratch.measures()) return cudaSuccess;
    const cudaError_t failed = for_each_index(1, handle->stream, FindWidths{offsets, columns, n, base, made});
    return failed == cudaSuccess ? warpmark_sparse::fetch(made, widths, handle->stream) : failed;
  });
}
template <typename T>
struct FillBand {
  Band<T> band;
  const T* values;
  const int* offsets;
  const int* columns;
  int base;
  __host__ __device__ void operator()(Index row) {
    for (Index i = 0; i < band.width(); ++i) band.data[row * band.width() + i] = convert<T>(Real<T>(0));
    for (Index k = offsets[row] - base; k < offsets[row + 1] - base; ++k) {
      T& element = band.at(row, columns[k] - base);
      element = add(element, values[k]);
    }
  }
};
template <typename T>
struct SolveBand {
  Band<T> band;
  T* x;
  Index* pivots;
  Real<T> tolerance;
  int* singular;
  __device__ void operator()(Index) { solve_band(band, x, pivots, tolerance, singular, Block()); }
};

inline bool is_system(int n, int count, const cusparseMatDescr* a, const void* values, const int* offsets,
                      const int* columns, const void* b, const void* x, const int* singularity) {
  return n >= 0 && count >= 0 && a != nullptr && values != nullptr && offsets != nullptr &&
         columns != nullptr && b != nullptr && x != nullptr && singularity != nullptr;
}

// cuSOLVER: solves a sparse system on the device. All arrays are in device memory; `singularity` is returned
// to the host, which synchronises the stream.
template <typename T>
cusolverStatus_t solve_on_device(cusolverSpHandle_t handle, int n, int count, const cusparseMatDescr* a,
                                 const T* values, const int* offsets, const int* columns, const T* b,
                                 Real<T> tolerance, T* x, int* singularity) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_system(n, count, a, values, offsets, columns, b, x, singularity));
  const int base = a->base;
  Widths widths{0, 0};
  cudaError_t error = find_widths(handle, offsets, columns, n, base, &widths);
  if (error != cudaSuccess) return status_of(error);
  error = warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
    Band<T> band{nullptr, n, widths.lower, widths.upper};
    band.data = scratch.take<T>(n * band.width());
    Index* pivots = scratch.take<Index>(n);
    int* singular = scratch.take<int>(1);
    if (scratch.measures()) return cudaSuccess;
    cudaError_t failed = for_each_index(n, handle->stream, FillBand<T>{band, values, offsets, columns, base});
    if (failed == cudaSuccess && b != x)
      failed = ::cudaMemcpyAsync(x, b, static_cast<size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice,
                                 handle->stream);
    if (failed == cudaSuccess)
      failed = for_each_block(1, handle->stream, SolveBand<T>{band, x, pivots, tolerance, singular});
    return failed == cudaSuccess ? warpmark_sparse::fetch(singular, singularity, handle->stream) : failed;
  });
  return status_of(error);
}
// cuSOLVER's ...Host functions: solve a sparse system on the host. All arrays are in host memory.
template <typename T>
cusolverStatus_t solve_on_host(cusolverSpHandle_t handle, int n, int count, const cusparseMatDescr* a,
                               const T* values, const int* offsets, const int* columns, const T* b,
                               Real<T> tolerance, T* x, int* singularity) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_system(n, count, a, values, offsets, columns, b, x, singularity));
  const Widths widths = widths_of(offsets, columns, n, a->base);
  Band<T> band{nullptr, n, widths.lower, widths.upper};
  band.data = new T[static_cast<size_t>(n * band.width())];
  FillBand<T> fill{band, values, offsets, columns, a->base};
  for (Index row = 0; row < n; ++row) {
    fill(row);
    x[row] = b[row];
  }
  auto* pivots = new Index[static_cast<size_t>(n)];
  solve_band(band, x, pivots, tolerance, singularity, Alone());
  delete[] pivots;
  delete[] band.data;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace warpmark_solver
