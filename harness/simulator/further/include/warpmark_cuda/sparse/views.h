// Device-side views of cuSPARSE's vectors and matrices, and helpers of its functions.
#pragma once

#include "warpmark_cuda/blas/numbers.h"
#include "warpmark_cuda/sparse/types.h"

#define WARPMARK_SPARSE_HANDLE(handle) \
  if ((handle) == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED
#define WARPMARK_SPARSE_VALUES(right) \
  if (!(right)) return CUSPARSE_STATUS_INVALID_VALUE

namespace warpmark_sparse {

using warpmark_blas::add;
using warpmark_blas::conjugate;
using warpmark_blas::divide;
using warpmark_blas::is_zero;
using warpmark_blas::minus_product;
using warpmark_blas::multiply;
using warpmark_blas::multiply_add;
using warpmark_blas::plus_product;
using warpmark_blas::Scalar;
using warpmark_blas::subtract;
using warpmark_lib::for_each_index;
using warpmark_lib::Index;

// buffer size in bytes that cuSPARSE functions report if none of their kernels needs a buffer
constexpr size_t kNoBuffer = 8;

inline cusparseStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUSPARSE_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_EXECUTION_FAILED;
}

// Calls the generic function with a value of the C++ type for a cudaDataType; returns
// CUSPARSE_STATUS_NOT_SUPPORTED if cuSPARSE does not compute in that type.
template <typename Function>
cusparseStatus_t with_type(cudaDataType type, const Function& function) {
  return warpmark_blas::with_number(type, CUSPARSE_STATUS_NOT_SUPPORTED, function);
}

template <typename T>
Scalar<T> scalar(cusparseHandle_t handle, const void* value) {
  const T* typed = static_cast<const T*>(value);
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) return {typed, T{}};
  return {nullptr, *typed};
}

// Index array of a sparse matrix or vector: 4- or 8-byte integers, chosen at run time.
struct Indices {
  void* data;
  bool wide;
  __device__ __forceinline__ Index operator[](Index i) const {
    return wide ? static_cast<const long long*>(data)[i] : static_cast<const int*>(data)[i];
  }
  __device__ __forceinline__ void set(Index i, Index value) const {
    if (wide)
      static_cast<long long*>(data)[i] = value;
    else
      static_cast<int*>(data)[i] = static_cast<int>(value);
  }
};
inline Indices narrow(const int* data) {
  return {const_cast<int*>(data), false};
}
inline Indices indices(const void* data, cusparseIndexType_t type, Index from = 0) {
  const bool wide = type == CUSPARSE_INDEX_64I;
  char* const bytes = static_cast<char*>(const_cast<void*>(data));
  return {bytes == nullptr ? nullptr : bytes + from * (wide ? 8 : 4), wide};
}

// Lower bound: the first position in a sorted array of `count` numbers that is not less than the value.
__device__ __forceinline__ Index first_not_below(const Indices& ascending, Index count, Index value) {
  Index begin = 0;
  while (begin < count) {
    const Index middle = begin + (count - begin) / 2;
    if (ascending[middle] < value)
      begin = middle + 1;
    else
      count = middle;
  }
  return begin;
}

// Device view of a sparse matrix by rows (CSR or COO). For COO, a row is found by binary search in the sorted
// row indices.
template <typename T>
struct Rows {
  Indices offsets;  // row offsets of a CSR matrix; for COO, row indices
  Indices columns;
  T* values;
  Index size;  // number of rows of the sparse matrix
  Index count;
  Index base;
  bool coordinates;
  __device__ __forceinline__ Index begin(Index row) const {
    return coordinates ? first_not_below(offsets, count, row + base) : offsets[row] - base;
  }
  __device__ __forceinline__ Index column(Index i) const { return columns[i] - base; }
};
// Returns a by-row view of a sparse matrix. A CSC matrix, which stores columns, is viewed as the CSR matrix
// of its transpose.
template <typename T>
Rows<T> rows_of(const cusparseSpMatDescr& a, Index batch = 0) {
  T* const values = static_cast<T*>(a.values);
  return {indices(a.offsets, a.offset_type, batch * a.offset_stride),
          indices(a.indices, a.index_type, batch * a.value_stride),
          values == nullptr ? nullptr : values + batch * a.value_stride,
          a.format == CUSPARSE_FORMAT_CSC ? a.columns : a.rows,
          a.count,
          a.base,
          a.format == CUSPARSE_FORMAT_COO};
}
template <typename T>
Rows<T> rows_of(const cusparseMatDescr& a, Index rows, Index count, const T* values, const int* offsets,
                const int* columns) {
  return {narrow(offsets), narrow(columns), const_cast<T*>(values), rows, count, a.base, false};
}

// A dense matrix, or a vector as its only column.
template <typename T>
struct Dense {
  T* data;
  Index row_step;
  Index column_step;
  bool conjugated;
  __device__ __forceinline__ T& at(Index row, Index column) const {
    return data[row * row_step + column * column_step];
  }
  __device__ __forceinline__ T get(Index row, Index column) const {
    return conjugate(at(row, column), conjugated);
  }
};
template <typename T>
Dense<T> dense(const cusparseDnVecDescr& x) {
  return {static_cast<T*>(x.values), 1, 0, false};
}
template <typename T>
Dense<T> dense(const cusparseDnMatDescr& a, int operation = CUSPARSE_OPERATION_NON_TRANSPOSE,
               Index batch = 0) {
  T* const data = static_cast<T*>(a.values) + batch * a.batch_stride;
  const bool by_rows = a.order == CUSPARSE_ORDER_ROW;
  const bool transposed = operation != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool neighbours_in_row = by_rows != transposed;
  return {data, neighbours_in_row ? a.leading : 1, neighbours_in_row ? 1 : a.leading,
          operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

inline bool is_operation(int operation) {
  return operation >= CUSPARSE_OPERATION_NON_TRANSPOSE && operation <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
inline Index rows_under(const cusparseDnMatDescr& a, int operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? a.rows : a.columns;
}
inline Index columns_under(const cusparseDnMatDescr& a, int operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? a.columns : a.rows;
}
inline Index rows_under(const cusparseSpMatDescr& a, int operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? a.rows : a.columns;
}
inline Index columns_under(const cusparseSpMatDescr& a, int operation) {
  return operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? a.columns : a.rows;
}
// True if the rows of op(A) are stored one after another in the sparse matrix A: CSR stores the rows of A,
// CSC those of its transpose.
inline bool takes_rows(const cusparseSpMatDescr& a, int operation) {
  return (a.format == CUSPARSE_FORMAT_CSC) == (operation != CUSPARSE_OPERATION_NON_TRANSPOSE);
}

// Fetches a number from device memory: synchronises the stream, or is captured if the stream is capturing.
template <typename T>
cudaError_t fetch(const T* from, T* to, cudaStream_t stream) {
  cudaError_t error = ::cudaMemcpyAsync(to, from, sizeof(T), cudaMemcpyDeviceToHost, stream);
  cudaStreamCaptureStatus captures = cudaStreamCaptureStatusNone;
  if (error == cudaSuccess) error = ::cudaStreamIsCapturing(stream, &captures);
  const bool waits = error == cudaSuccess && captures == cudaStreamCaptureStatusNone;
  return waits ? ::cudaStreamSynchronize(stream) : error;
}

// Exclusive prefix sum in place; numbers[count] becomes the total.
struct SumUp {
  long long* numbers;
  Index count;
  __device__ void operator()(Index) {
    long long sum = 0;
    for (Index i = 0; i <= count; ++i) {
      const long long own = i < count ? numbers[i] : 0;
      numbers[i] = sum;
      sum += own;
    }
  }
};
struct CopyOffsets {
  const long long* from;
  Indices to;
  Index base;
  __device__ void operator()(Index i) { to.set(i, from[i] + base); }
};

}  // namespace warpmark_sparse
