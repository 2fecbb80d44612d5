// cuSOLVER: sparse systems in steps (csrqr): analyse the pattern, factor the values, solve for right-hand
// sides. The factors are those of LU with pivoting as in sparse.h, so only square systems are supported.
#pragma once

#include "warpmark_cuda/solver/sparse.h"

namespace warpmark_solver {

// Owns device or host memory.
class OwnMemory {
 public:
  explicit OwnMemory(bool on_host) : on_host_(on_host) {}
  ~OwnMemory() { give_back(); }
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;
  cudaError_t make(size_t bytes) {
    give_back();
    if (!on_host_) return ::cudaMalloc(&data_, bytes);
    data_ = new char[bytes];
    return cudaSuccess;
  }
  void* get() const { return data_; }

 private:
  void give_back() {
    if (on_host_)
      delete[] static_cast<char*>(data_);
    else if (data_ != nullptr)
      ::cudaFree(data_);
    data_ = nullptr;
  }
  bool on_host_;
  void* data_ = nullptr;
};

}  // namespace warpmark_solver

// The state of a matrix after each step.
struct csrqrInfo {
  explicit csrqrInfo(bool host = false) : on_host(host), memory(host) {}
  bool on_host;
  int size = -1;  // -1 before the analysis
  int base = 0;
  warpmark_solver::Widths widths{0, 0};
  bool is_set_up = false;
  bool is_factored = false;
  warpmark_solver::OwnMemory memory;  // factors and pivots
};
struct csrqrInfoHost : csrqrInfo {
  csrqrInfoHost() : csrqrInfo(true) {}
};
typedef struct csrqrInfo* csrqrInfo_t;
typedef struct csrqrInfoHost* csrqrInfoHost_t;

namespace warpmark_solver {

// The factors of `batches` matrices with a common pattern.
template <typename T>
struct Steps {
  Band<T> band;
  Index* pivots;
  int* singular;
  __host__ __device__ Steps of(Index batch) const {
    return {{band.data + batch * band.n * band.width(), band.n, band.lower, band.upper},
            pivots + batch * band.n,
            singular + batch};
  }
};
template <typename T>
Steps<T> steps_in(void* memory, const csrqrInfo* info, Index batches, size_t* bytes = nullptr) {
  warpmark_lib::Scratch scratch(memory);
  Steps<T> steps{{nullptr, info->size, info->widths.lower, info->widths.upper}, nullptr, nullptr};
  steps.band.data = scratch.take<T>(batches * info->size * steps.band.width());
  steps.pivots = scratch.take<Index>(batches * info->size);
  steps.singular = scratch.take<int>(batches);
  if (bytes != nullptr) *bytes = scratch.used();
  return steps;
}

// A - mu I.
template <typename T>
struct FillShifted {
  FillBand<T> fill;
  T mu;
  __host__ __device__ void operator()(Index row) {
    fill(row);
    T& element = fill.band.at(row, row);
    element = subtract(element, mu);
  }
};
template <typename T>
struct FillShiftedBatch {
  Steps<T> steps;
  FillShifted<T> one;
  Index count;
  __device__ void operator()(Index i) {
    FillShifted<T> own = one;
    own.fill.band = steps.of(i / steps.band.n).band;
    own.fill.values += i / steps.band.n * count;
    own(i % steps.band.n);
  }
};
template <typename T>
struct FactorSteps {
  Steps<T> steps;
  __device__ void operator()(Index batch) {
    const Steps<T> own = steps.of(batch);
    factor_band(own.band, own.pivots, Real<T>(-1), own.singular, Block());
  }
};
template <typename T>
struct ApplySteps {
  Steps<T> steps;
  T* x;
  __device__ void operator()(Index batch) {
    const Steps<T> own = steps.of(batch);
    apply_band(own.band, static_cast<const Index*>(own.pivots), x + batch * own.band.n, Block());
  }
};
// Finds the first pivot that does not exceed the tolerance; -1 if none.
template <typename T>
struct FindZeroPivot {
  Band<T> band;
  Real<T> tolerance;
  int* found;
  __host__ __device__ void operator()(Index) {
    *found = -1;
    for (Index k = band.n; k-- > 0;) {
      if (!(size_of(band.at(k, k)) > tolerance)) *found = static_cast<int>(k);
    }
  }
};

inline bool is_analysed(const csrqrInfo* info, int m, int n) {
  return info != nullptr && info->size >= 0 && m == n && info->size == n;
}

inline cusolverStatus_t analyse_steps(cusolverSpHandle_t handle, int m, int n, int count,
                                      const cusparseMatDescr* a, const int* offsets, const int* columns,
                                      csrqrInfo* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(m >= n && n >= 0 && count >= 0 && a != nullptr && offsets != nullptr &&
                         columns != nullptr && info != nullptr);
  if (m != n) return CUSOLVER_STATUS_NOT_SUPPORTED;
  cudaError_t error = cudaSuccess;
  if (info->on_host)
    info->widths = widths_of(offsets, columns, n, a->base);
  else
    error = warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
      Widths* made = scratch.take<Widths>(1);
      if (scratch.measures()) return cudaSuccess;
      const cudaError_t failed =
          for_each_index(1, handle->stream, FindWidths{offsets, columns, n, a->base, made});
      return failed == cudaSuccess ? warpmark_sparse::fetch(made, &info->widths, handle->stream) : failed;
    });
  if (error != cudaSuccess) return status_of(error);
  info->size = n;
  info->base = a->base;
  info->is_set_up = info->is_factored = false;
  return CUSOLVER_STATUS_SUCCESS;
}
// internal: bytes of library-owned memory; workspace: bytes that the caller provides.
template <typename T>
cusolverStatus_t sizes_of_steps(cusolverSpHandle_t handle, int m, int n, Index batches, const csrqrInfo* info,
                                size_t* internal, size_t* workspace) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && batches >= 0 && internal != nullptr &&
                         workspace != nullptr);
  size_t bytes = 0;
  steps_in<T>(nullptr, info, batches, &bytes);
  *internal = bytes;
  *workspace = bytes;
  return CUSOLVER_STATUS_SUCCESS;
}
template <typename T>
cusolverStatus_t set_up_steps(cusolverSpHandle_t handle, int m, int n, const T* values, const int* offsets,
                              const int* columns, const T& mu, csrqrInfo* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && values != nullptr && offsets != nullptr &&
                         columns != nullptr);
  size_t bytes = 0;
  steps_in<T>(nullptr, info, 1, &bytes);
  const cudaError_t error = info->memory.make(bytes);
  if (error != cudaSuccess) return status_of(error);
  info->is_set_up = true;
  info->is_factored = false;
  const Steps<T> steps = steps_in<T>(info->memory.get(), info, 1);
  FillShifted<T> fill{{steps.band, values, offsets, columns, info->base}, mu};
  if (!info->on_host) return status_of(for_each_index(n, handle->stream, fill));
  for (Index row = 0; row < n; ++row) fill(row);
  return CUSOLVER_STATUS_SUCCESS;
}
template <typename T>
cusolverStatus_t solve_by_steps(cusolverSpHandle_t handle, int m, int n, const T* b, T* x,
                                const csrqrInfo* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && b != nullptr && x != nullptr);
  if (!info->is_factored) return CUSOLVER_STATUS_EXECUTION_FAILED;
  const Steps<T> steps = steps_in<T>(info->memory.get(), info, 1);
  if (info->on_host) {
    for (Index i = 0; i < n; ++i) x[i] = b[i];
    apply_band(steps.band, static_cast<const Index*>(steps.pivots), x, Alone());
    return CUSOLVER_STATUS_SUCCESS;
  }
  cudaError_t error = cudaSuccess;
  if (b != x)
    error =
        ::cudaMemcpyAsync(x, b, static_cast<size_t>(n) * sizeof(T), cudaMemcpyDeviceToDevice, handle->stream);
  if (error == cudaSuccess) error = for_each_block(1, handle->stream, ApplySteps<T>{steps, x});
  return status_of(error);
}
// If b and x are null, only factors.
template <typename T>
cusolverStatus_t factor_steps(cusolverSpHandle_t handle, int m, int n, const T* b, T* x, csrqrInfo* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && info->is_set_up && !info->is_factored);
  const Steps<T> steps = steps_in<T>(info->memory.get(), info, 1);
  if (info->on_host) {
    factor_band(steps.band, steps.pivots, Real<T>(-1), steps.singular, Alone());
  } else {
    const cudaError_t error = for_each_block(1, handle->stream, FactorSteps<T>{steps});
    if (error != cudaSuccess) return status_of(error);
  }
  info->is_factored = true;
  return b != nullptr && x != nullptr ? solve_by_steps(handle, m, n, b, x, info) : CUSOLVER_STATUS_SUCCESS;
}
template <typename T>
cusolverStatus_t zero_pivot_of_steps(cusolverSpHandle_t handle, const csrqrInfo* info, Real<T> tolerance,
                                     int* position) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(info != nullptr && info->is_factored && position != nullptr);
  const Steps<T> steps = steps_in<T>(info->memory.get(), info, 1);
  if (info->on_host) {
    FindZeroPivot<T>{steps.band, tolerance, position}(0);
    return CUSOLVER_STATUS_SUCCESS;
  }
  const cudaError_t error =
      for_each_index(1, handle->stream, FindZeroPivot<T>{steps.band, tolerance, steps.singular});
  if (error != cudaSuccess) return status_of(error);
  return status_of(warpmark_sparse::fetch(steps.singular, position, handle->stream));
}

// Values, right-hand sides and solutions of the `batches` matrices are contiguous.
template <typename T>
cusolverStatus_t solve_batch_by_steps(cusolverSpHandle_t handle, int m, int n, int count,
                                      const cusparseMatDescr* a, const T* values, const int* offsets,
                                      const int* columns, const T* b, T* x, int batches,
                                      const csrqrInfo* info, void* memory) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && a != nullptr && values != nullptr && offsets != nullptr &&
                         columns != nullptr && b != nullptr && x != nullptr && batches >= 0 &&
                         memory != nullptr);
  const Steps<T> steps = steps_in<T>(memory, info, batches);
  const FillShifted<T> one{{steps.band, values, offsets, columns, info->base}, T{}};
  cudaError_t error =
      for_each_index(Index{n} * batches, handle->stream, FillShiftedBatch<T>{steps, one, count});
  if (error == cudaSuccess && b != x)
    error = ::cudaMemcpyAsync(x, b, static_cast<size_t>(n) * static_cast<size_t>(batches) * sizeof(T),
                              cudaMemcpyDeviceToDevice, handle->stream);
  if (error == cudaSuccess) error = for_each_block(batches, handle->stream, FactorSteps<T>{steps});
  if (error == cudaSuccess) error = for_each_block(batches, handle->stream, ApplySteps<T>{steps, x});
  return status_of(error);
}

}  // namespace warpmark_solver
