// cuSPARSE: conversion between storage formats, and sorting of elements.
#pragma once

#include "warpmark_cuda/sparse/gemm.h"

namespace warpmark_sparse {

template <typename T>
struct SetZero {
  Dense<T> dense;
  Index rows;
  __device__ void operator()(Index i) { dense.at(i % rows, i / rows) = T{}; }
};
template <typename T>
struct SpreadRow {
  Rows<T> rows;
  Dense<T> dense;
  __device__ void operator()(Index row) {
    const Index end = rows.begin(row + 1);
    for (Index k = rows.begin(row); k < end; ++k) dense.at(row, rows.column(k)) = rows.values[k];
  }
};
// Returns a view of a dense matrix whose rows match what a sparse matrix stores one after another: the dense
// matrix's rows or, for CSC, which stores columns, its columns (as a transposed view).
template <typename T>
Dense<T> by_rows_of(const cusparseDnMatDescr& dense_matrix, const cusparseSpMatDescr& sparse) {
  return dense<T>(dense_matrix, sparse.format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                                     : CUSPARSE_OPERATION_NON_TRANSPOSE);
}

inline cusparseStatus_t check_conversion(cusparseHandle_t handle, const cusparseSpMatDescr* sparse,
                                         const cusparseDnMatDescr* dense) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(sparse != nullptr && dense != nullptr && sparse->rows == dense->rows &&
                         sparse->columns == dense->columns);
  return sparse->value_type == dense->value_type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

WARPMARK_IF_CALLED
cusparseStatus_t to_dense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b) {
  const cusparseStatus_t wrong = check_conversion(handle, a, b);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return with_type(a->value_type, [&](auto number) {
    using T = decltype(number);
    const Rows<T> rows = rows_of<T>(*a);
    cudaError_t error =
        for_each_index(b->rows * b->columns, handle->stream, SetZero<T>{dense<T>(*b), b->rows});
    if (error == cudaSuccess)
      error = for_each_index(rows.size, handle->stream, SpreadRow<T>{rows, by_rows_of<T>(*b, *a)});
    return status_of(error);
  });
}

template <typename T>
struct CountRow {
  Dense<T> dense;
  Index columns;
  long long* counts;
  __device__ void operator()(Index row) {
    long long count = 0;
    for (Index column = 0; column < columns; ++column) count += is_zero(dense.at(row, column)) ? 0 : 1;
    counts[row] = count;
  }
};
template <typename T>
struct TakeRow {
  Dense<T> dense;
  Index columns;
  const long long* offsets;
  Rows<T> to;
  __device__ void operator()(Index row) {
    Index k = offsets[row];
    for (Index column = 0; column < columns; ++column) {
      const T value = dense.at(row, column);
      if (is_zero(value)) continue;
      if (to.coordinates) to.offsets.set(k, row + to.base);
      to.columns.set(k, column + to.base);
      to.values[k] = value;
      ++k;
    }
  }
};

inline Index stored_rows(const cusparseSpMatDescr& a) {
  return a.format == CUSPARSE_FORMAT_CSC ? a.columns : a.rows;
}
// Analysis step of cuSPARSE's dense-to-sparse conversion: computes the sparse matrix's offsets into `buffer`,
// and its number of nonzeros. Synchronises the stream, because the host needs this number.
WARPMARK_IF_CALLED
cusparseStatus_t count_elements(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                void* buffer) {
  const cusparseStatus_t wrong = check_conversion(handle, b, a);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  WARPMARK_SPARSE_VALUES(buffer != nullptr);
  long long* const offsets = static_cast<long long*>(buffer);
  const Index rows = stored_rows(*b);
  return with_type(a->value_type, [&](auto number) {
    using T = decltype(number);
    cudaError_t error = for_each_index(
        rows, handle->stream, CountRow<T>{by_rows_of<T>(*a, *b), a->rows + a->columns - rows, offsets});
    if (error == cudaSuccess) error = for_each_index(1, handle->stream, SumUp{offsets, rows});
    if (error == cudaSuccess && b->format != CUSPARSE_FORMAT_COO)
      error = for_each_index(rows + 1, handle->stream,
                             CopyOffsets{offsets, indices(b->offsets, b->offset_type), b->base});
    long long count = 0;
    if (error == cudaSuccess) error = fetch(offsets + rows, &count, handle->stream);
    if (error == cudaSuccess) b->count = count;
    return status_of(error);
  });
}
WARPMARK_IF_CALLED
cusparseStatus_t take_elements(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                               void* buffer) {
  const cusparseStatus_t wrong = check_conversion(handle, b, a);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  WARPMARK_SPARSE_VALUES(buffer != nullptr);
  const Index rows = stored_rows(*b);
  return with_type(a->value_type, [&](auto number) {
    using T = decltype(number);
    return status_of(for_each_index(rows, handle->stream,
                                    TakeRow<T>{by_rows_of<T>(*a, *b), a->rows + a->columns - rows,
                                               static_cast<const long long*>(buffer), rows_of<T>(*b)}));
  });
}

// Kernel functors of cuSPARSE's coo2csr and csr2coo: OffsetOfRow converts sorted row indices to row offsets,
// RowOfElements converts row offsets to row indices.
struct OffsetOfRow {
  Indices rows;
  Index count;
  int* offsets;
  Index base;
  __device__ void operator()(Index row) {
    offsets[row] = static_cast<int>(first_not_below(rows, count, row + base) + base);
  }
};
struct RowOfElements {
  const int* offsets;
  int* rows;
  int base;
  __device__ void operator()(Index row) {
    for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k)
      rows[k] = static_cast<int>(row) + base;
  }
};
struct CountUp {
  int* numbers;
  __device__ void operator()(Index i) { numbers[i] = static_cast<int>(i); }
};

// cuSPARSE csrsort: sorts each row of a sparse matrix by column, and permutes an optional second array in the
// same way.
struct SortRow {
  const int* offsets;
  int* columns;
  int* moved;  // permutation to sort together with the columns; null if none
  int base;
  __device__ void operator()(Index row) {
    const int begin = offsets[row] - base;
    const int end = offsets[row + 1] - base;
    for (int i = begin + 1; i < end; ++i) {
      const int column = columns[i];
      const int own = moved == nullptr ? 0 : moved[i];
      int at = i;
      for (; at > begin && columns[at - 1] > column; --at) {
        columns[at] = columns[at - 1];
        if (moved != nullptr) moved[at] = moved[at - 1];
      }
      columns[at] = column;
      if (moved != nullptr) moved[at] = own;
    }
  }
};

// cuSPARSE coosort, a rank sort: each thread counts the elements that precede its own (smaller, or equal and
// earlier in the input) and stores its own at that position.
struct RankElement {
  const int* first;
  const int* second;
  const int* moved;  // permutation to sort together with the indices; null if none
  Index count;
  int* to_first;
  int* to_second;
  int* to_moved;
  __device__ void operator()(Index i) {
    const int own_first = first[i];
    const int own_second = second[i];
    Index rank = 0;
    for (Index k = 0; k < count; ++k) {
      const bool less = first[k] != own_first     ? first[k] < own_first
                        : second[k] != own_second ? second[k] < own_second
                                                  : k < i;
      rank += less ? 1 : 0;
    }
    to_first[rank] = own_first;
    to_second[rank] = own_second;
    if (moved != nullptr) to_moved[rank] = moved[i];
  }
};
inline cusparseStatus_t sort_coordinates(cusparseHandle_t handle, int count, int* first, int* second,
                                         int* moved, void* buffer) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(count >= 0 && first != nullptr && second != nullptr && buffer != nullptr);
  int* const sorted = static_cast<int*>(buffer);
  const auto bytes = static_cast<size_t>(count) * sizeof(int);
  cudaError_t error = for_each_index(count, handle->stream,
                                     RankElement{first, second, moved, count, sorted, sorted + count,
                                                 sorted + 2 * static_cast<Index>(count)});
  int* const targets[] = {first, second, moved};
  for (int i = 0; i < 3 && error == cudaSuccess; ++i) {
    if (targets[i] != nullptr)
      error = ::cudaMemcpyAsync(targets[i], sorted + static_cast<Index>(i) * count, bytes,
                                cudaMemcpyDeviceToDevice, handle->stream);
  }
  return status_of(error);
}

// Kernel functor of cuSPARSE's conversion from CSR to CSC. A single thread converts the matrix, so that each
// column's elements stay in row order.
template <typename T>
struct Transpose {
  Index rows;
  Index columns;
  const T* values;
  const int* offsets;
  const int* indices;
  T* to_values;  // values of the converted matrix; null if only its pattern is wanted
  int* to_offsets;
  int* to_indices;
  int base;
  __device__ void operator()(Index) {
    for (Index column = 0; column <= columns; ++column) to_offsets[column] = 0;
    const int count = offsets[rows] - base;
    for (int k = 0; k < count; ++k) ++to_offsets[indices[k] - base];
    int before = base;
    for (Index column = 0; column <= columns; ++column) {
      const int own = to_offsets[column];
      to_offsets[column] = before;
      before += own;
    }
    for (Index row = 0; row < rows; ++row) {
      for (int k = offsets[row] - base; k < offsets[row + 1] - base; ++k) {
        const int to = to_offsets[indices[k] - base]++ - base;
        to_indices[to] = static_cast<int>(row) + base;
        if (to_values != nullptr) to_values[to] = values[k];
      }
    }
    for (Index column = columns; column > 0; --column) to_offsets[column] = to_offsets[column - 1];
    to_offsets[0] = base;
  }
};

// Counts the nonzeros of a dense matrix per row or column and in total; the handle's pointer mode tells
// whether the total is stored in host or device memory.
template <typename T>
struct CountLine {
  Dense<T> dense;
  Index length;
  int* counts;
  __device__ void operator()(Index line) {
    int count = 0;
    for (Index i = 0; i < length; ++i) count += is_zero(dense.at(line, i)) ? 0 : 1;
    counts[line] = count;
  }
};
struct SumOfCounts {
  const int* counts;
  Index count;
  long long* sum;
  __device__ void operator()(Index) {
    long long all = 0;
    for (Index i = 0; i < count; ++i) all += counts[i];
    *sum = all;
  }
};
template <typename T>
cusparseStatus_t nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n, const T* a,
                     int lda, int* counts, int* total) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(m >= 0 && n >= 0 && lda >= m && a != nullptr && counts != nullptr &&
                         total != nullptr);
  const bool rows = direction == CUSPARSE_DIRECTION_ROW;
  const Dense<T> lines{const_cast<T*>(a), rows ? 1 : Index{lda}, rows ? Index{lda} : 1, false};
  const Index number = rows ? m : n;
  return status_of(warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
    long long* sum = scratch.take<long long>(1);
    if (scratch.measures()) return cudaSuccess;
    cudaError_t error = for_each_index(number, handle->stream, CountLine<T>{lines, rows ? n : m, counts});
    if (error == cudaSuccess) error = for_each_index(1, handle->stream, SumOfCounts{counts, number, sum});
    return error == cudaSuccess ? give_count(handle, sum, total) : error;
  }));
}

}  // namespace warpmark_sparse
