// cuSPARSE: the product of two sparse matrices, with sorted columns. A thread computes a row by repeatedly
// searching the next column among all of the row's products, which is adequate for rows with dozens of
// elements.
#pragma once

#include "warpmark_cuda/sparse/views.h"

namespace warpmark_sparse {

constexpr Index kNoColumn = Index{1} << 62;

// Finds the next nonzero of row `row` of the sparse product A B: the smallest column above `last`, and the
// sum of the products that fall on it.
template <typename T>
struct NextColumn {
  Index column;
  T sum;
};
template <typename T>
__device__ NextColumn<T> next_column(const Rows<T>& a, const Rows<T>& b, Index row, Index last) {
  NextColumn<T> next{kNoColumn, T{}};
  const Index end = a.begin(row + 1);
  for (Index i = a.begin(row); i < end; ++i) {
    const Index middle = a.column(i);
    const Index end_of_b = b.begin(middle + 1);
    for (Index k = b.begin(middle); k < end_of_b; ++k) {
      const Index column = b.column(k);
      if (column <= last || column > next.column) continue;
      const T product = multiply(a.values[i], b.values[k]);
      next.sum = column == next.column ? add(next.sum, product) : product;
      next.column = column;
    }
  }
  return next;
}

template <typename T>
struct CountProductRow {
  Rows<T> a;
  Rows<T> b;
  long long* counts;
  __device__ void operator()(Index row) {
    long long count = 0;
    for (Index last = next_column(a, b, row, -1).column; last != kNoColumn;
         last = next_column(a, b, row, last).column)
      ++count;
    counts[row] = count;
  }
};
// Computes C = alpha A B + beta C row by row, given C's row offsets. If beta is not 0, C is read and must
// have the sparsity pattern of the product.
template <typename T>
struct FillProductRow {
  Rows<T> a;
  Rows<T> b;
  Rows<T> c;
  const long long* offsets;
  Scalar<T> alpha;
  Scalar<T> beta;
  __device__ void operator()(Index row) {
    Index last = -1;
    const T factor = beta.get();
    for (Index k = offsets[row]; k < offsets[row + 1]; ++k) {
      const NextColumn<T> next = next_column(a, b, row, last);
      last = next.column;
      const T sum = multiply(alpha.get(), next.sum);
      c.columns.set(k, last + c.base);
      c.values[k] = is_zero(factor) ? sum : multiply_add(factor, c.values[k], sum);
    }
  }
};

inline cusparseStatus_t check_spgemm(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                     cusparseOperation_t operation_b, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c, cudaDataType type,
                                     cusparseSpGEMMDescr_t descr) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(a != nullptr && b != nullptr && c != nullptr && descr != nullptr);
  WARPMARK_SPARSE_VALUES(a->columns == b->rows && a->rows == c->rows && b->columns == c->columns);
  const bool plain = operation_a == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                     operation_b == CUSPARSE_OPERATION_NON_TRANSPOSE && a->format == CUSPARSE_FORMAT_CSR &&
                     b->format == CUSPARSE_FORMAT_CSR && c->format == CUSPARSE_FORMAT_CSR;
  const bool alike = a->value_type == type && b->value_type == type && c->value_type == type;
  return plain && alike ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

// Bytes of a sparse product's buffer, which holds C's row offsets as 8-byte numbers until C is copied.
inline size_t bytes_for_offsets(const cusparseSpMatDescr& c) {
  return (static_cast<size_t>(c.rows) + 1) * sizeof(long long);
}

// cusparseSpGEMM_compute: synchronises the stream, because the number of nonzeros of C is returned to the
// host.
WARPMARK_IF_CALLED
cusparseStatus_t compute_spgemm(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                cusparseSpGEMMDescr_t descr, void* buffer) {
  long long* const offsets = static_cast<long long*>(buffer);
  const cusparseStatus_t counted = with_type(a->value_type, [&](auto number) {
    using T = decltype(number);
    return status_of(
        for_each_index(c->rows, handle->stream, CountProductRow<T>{rows_of<T>(*a), rows_of<T>(*b), offsets}));
  });
  if (counted != CUSPARSE_STATUS_SUCCESS) return counted;
  cudaError_t error = for_each_index(1, handle->stream, SumUp{offsets, c->rows});
  long long count = 0;
  if (error == cudaSuccess) error = fetch(offsets + c->rows, &count, handle->stream);
  if (error != cudaSuccess) return status_of(error);
  c->count = count;
  descr->offsets = offsets;
  return CUSPARSE_STATUS_SUCCESS;
}

WARPMARK_IF_CALLED
cusparseStatus_t copy_spgemm(cusparseHandle_t handle, const void* alpha, cusparseConstSpMatDescr_t a,
                             cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                             cusparseSpGEMMDescr_t descr) {
  WARPMARK_SPARSE_VALUES(alpha != nullptr && beta != nullptr && descr->offsets != nullptr);
  const cudaError_t error = for_each_index(
      c->rows + 1, handle->stream, CopyOffsets{descr->offsets, indices(c->offsets, c->offset_type), c->base});
  if (error != cudaSuccess) return status_of(error);
  return with_type(a->value_type, [&](auto number) {
    using T = decltype(number);
    return status_of(
        for_each_index(c->rows, handle->stream,
                       FillProductRow<T>{rows_of<T>(*a), rows_of<T>(*b), rows_of<T>(*c), descr->offsets,
                                         scalar<T>(handle, alpha), scalar<T>(handle, beta)}));
  });
}

// Kernel of cuSPARSE csrgeam2: sum of two sparse matrices C = alpha A + beta B, one thread per row, with
// sorted columns.
template <typename T>
struct AddRows {
  Rows<T> a;
  Rows<T> b;
  // output of a sparse matrix sum: its row offsets must be set, columns and values are stored. Unused when
  // only nonzeros are counted
  Rows<T> c;
  long long* counts;  // receives the number of nonzeros per row of the sum; null unless only counting
  Scalar<T> alpha;
  Scalar<T> beta;
  __device__ void operator()(Index row) {
    Index i = a.begin(row);
    Index j = b.begin(row);
    const Index end_of_a = a.begin(row + 1);
    const Index end_of_b = b.begin(row + 1);
    Index to = counts == nullptr ? c.begin(row) : 0;
    while (i < end_of_a || j < end_of_b) {
      const Index column_a = i < end_of_a ? a.column(i) : kNoColumn;
      const Index column_b = j < end_of_b ? b.column(j) : kNoColumn;
      const Index column = column_a < column_b ? column_a : column_b;
      if (counts == nullptr) {
        T sum{};
        if (column_a == column) sum = multiply(alpha.get(), a.values[i]);
        if (column_b == column) sum = multiply_add(beta.get(), b.values[j], sum);
        c.columns.set(to, column + c.base);
        c.values[to] = sum;
      }
      ++to;
      if (column_a == column) ++i;
      if (column_b == column) ++j;
    }
    if (counts != nullptr) counts[row] = to;
  }
};

// cuSPARSE: StoreCount is a kernel functor that stores a count in device memory; give_count() stores it in
// host or device memory, depending on the handle's pointer mode.
struct StoreCount {
  const long long* from;
  int* to;
  __device__ void operator()(Index) { *to = static_cast<int>(*from); }
};
inline cudaError_t give_count(cusparseHandle_t handle, const long long* from, int* to) {
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
    return for_each_index(1, handle->stream, StoreCount{from, to});
  long long count = 0;
  const cudaError_t error = fetch(from, &count, handle->stream);
  *to = static_cast<int>(count);
  return error;
}

// Counts the elements of C = alpha A + beta B: stores C's row offsets and, unless null, the total.
inline cusparseStatus_t count_sum(cusparseHandle_t handle, const Rows<float>& a, const Rows<float>& b,
                                  Index base, int* offsets, int* total) {
  const auto algorithm = [&](warpmark_lib::Scratch& scratch) {
    long long* counts = scratch.take<long long>(a.size + 1);
    if (scratch.measures()) return cudaSuccess;
    cudaError_t error =
        for_each_index(a.size, handle->stream,
                       AddRows<float>{a, b, Rows<float>{}, counts, Scalar<float>{}, Scalar<float>{}});
    if (error == cudaSuccess) error = for_each_index(1, handle->stream, SumUp{counts, a.size});
    if (error == cudaSuccess)
      error = for_each_index(a.size + 1, handle->stream, CopyOffsets{counts, narrow(offsets), base});
    return error == cudaSuccess && total != nullptr ? give_count(handle, counts + a.size, total) : error;
  };
  return status_of(warpmark_lib::with_own_memory(handle->stream, algorithm));
}

}  // namespace warpmark_sparse
