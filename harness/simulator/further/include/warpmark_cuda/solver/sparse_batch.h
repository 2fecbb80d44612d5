// cuSOLVER: batches of sparse systems with a common pattern (csrqrsvBatched), solved by LU as in sparse.h, so
// only square systems are supported.
#pragma once

#include "warpmark_cuda/solver/sparse.h"

// Result of the analysis of a sparsity pattern: matrix size, index base and bandwidths.
struct csrqrInfo {
  int size = -1;  // number of rows of the analysed sparse matrix; -1 before the analysis
  int base = 0;
  warpmark_solver::Widths widths{0, 0};
};
typedef struct csrqrInfo* csrqrInfo_t;

namespace warpmark_solver {

// Workspace of cuSOLVER's batched sparse solver: a band matrix, pivots and a singularity index for each of
// `batches` systems.
template <typename T>
struct BatchOfBands {
  Band<T> band;  // band matrix of the batch's first system; the others follow it without gaps
  Index* pivots;
  int* singular;
  __device__ Band<T> of(Index batch) const {
    return {band.data + batch * band.n * band.width(), band.n, band.lower, band.upper};
  }
};
template <typename T>
BatchOfBands<T> bands_in(void* memory, const csrqrInfo* info, Index batches, size_t* bytes = nullptr) {
  warpmark_lib::Scratch scratch(memory);
  BatchOfBands<T> bands{{nullptr, info->size, info->widths.lower, info->widths.upper}, nullptr, nullptr};
  bands.band.data = scratch.take<T>(batches * info->size * bands.band.width());
  bands.pivots = scratch.take<Index>(batches * info->size);
  bands.singular = scratch.take<int>(batches);
  if (bytes != nullptr) *bytes = scratch.used();
  return bands;
}

template <typename T>
struct FillBands {
  BatchOfBands<T> bands;
  FillBand<T> first;
  Index count;  // number of stored elements per sparse matrix
  __device__ void operator()(Index i) {
    const Index batch = i / bands.band.n;
    FillBand<T> own = first;
    own.band = bands.of(batch);
    own.values += batch * count;
    own(i % bands.band.n);
  }
};
template <typename T>
struct SolveBands {
  BatchOfBands<T> bands;
  T* x;
  __device__ void operator()(Index batch) {
    const Index first = batch * bands.band.n;
    solve_band(bands.of(batch), x + first, bands.pivots + first, Real<T>(-1), bands.singular + batch,
               Block());
  }
};

inline bool is_analysed(const csrqrInfo* info, int m, int n) {
  return info != nullptr && info->size >= 0 && m == n && info->size == n;
}

inline cusolverStatus_t analyse_batch(cusolverSpHandle_t handle, int m, int n, int count,
                                      const cusparseMatDescr* a, const int* offsets, const int* columns,
                                      csrqrInfo* info) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(m >= n && n >= 0 && count >= 0 && a != nullptr && offsets != nullptr &&
                         columns != nullptr && info != nullptr);
  if (m != n) return CUSOLVER_STATUS_NOT_SUPPORTED;
  const cudaError_t error = find_widths(handle, offsets, columns, n, a->base, &info->widths);
  if (error != cudaSuccess) return status_of(error);
  info->size = n;
  info->base = a->base;
  return CUSOLVER_STATUS_SUCCESS;
}
// cusolverSp csrqrBufferInfoBatched. internal: bytes of memory that the library owns; workspace: bytes that
// the program must provide.
template <typename T>
cusolverStatus_t sizes_of_batch(cusolverSpHandle_t handle, int m, int n, Index batches, const csrqrInfo* info,
                                size_t* internal, size_t* workspace) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && batches >= 0 && internal != nullptr &&
                         workspace != nullptr);
  size_t bytes = 0;
  bands_in<T>(nullptr, info, batches, &bytes);
  *internal = bytes;
  *workspace = bytes;
  return CUSOLVER_STATUS_SUCCESS;
}
// cuSOLVER csrqrsvBatched: solves a batch of sparse systems. Values, right-hand sides and solutions of all
// systems follow each other without gaps.
template <typename T>
cusolverStatus_t solve_batch(cusolverSpHandle_t handle, int m, int n, int count, const cusparseMatDescr* a,
                             const T* values, const int* offsets, const int* columns, const T* b, T* x,
                             int batches, const csrqrInfo* info, void* memory) {
  WARPMARK_SOLVER_HANDLE(handle);
  WARPMARK_SOLVER_VALUES(is_analysed(info, m, n) && a != nullptr && values != nullptr && offsets != nullptr &&
                         columns != nullptr && b != nullptr && x != nullptr && batches >= 0 &&
                         memory != nullptr);
  const BatchOfBands<T> bands = bands_in<T>(memory, info, batches);
  const FillBand<T> first{bands.band, values, offsets, columns, info->base};
  cudaError_t error = for_each_index(Index{n} * batches, handle->stream, FillBands<T>{bands, first, count});
  if (error == cudaSuccess && b != x)
    error = ::cudaMemcpyAsync(x, b, static_cast<size_t>(n) * static_cast<size_t>(batches) * sizeof(T),
                              cudaMemcpyDeviceToDevice, handle->stream);
  if (error == cudaSuccess) error = for_each_block(batches, handle->stream, SolveBands<T>{bands, x});
  return status_of(error);
}

}  // namespace warpmark_solver
