// cuSPARSE: triangular solves. A thread solves for one right-hand side, row by row.
#pragma once

#include "warpmark_cuda/sparse/views.h"

namespace warpmark_sparse {

// Kernel functor of cuSPARSE's triangular solves: X = alpha op(A)^-1 B. Elements outside A's triangle are
// ignored; a unit diagonal need not be stored.
template <typename T>
struct SolveTriangle {
  Rows<T> a;
  bool lower;  // true if the stored triangular matrix, read by rows, is lower triangular
  bool unit;
  bool transposed;
  bool conjugated;
  Scalar<T> alpha;
  Dense<T> b;
  Dense<T> x;
  __device__ void by_rows(Index column) {
    for (Index step = 0; step < a.size; ++step) {
      const Index row = lower ? step : a.size - 1 - step;
      T sum = multiply(alpha.get(), b.get(row, column));
      T diagonal{};
      const Index end = a.begin(row + 1);
      for (Index k = a.begin(row); k < end; ++k) {
        const Index other = a.column(k);
        const T value = conjugate(a.values[k], conjugated);
        if (other == row) diagonal = value;
        if (lower ? other < row : other > row) sum = minus_product(sum, value, x.at(other, column));
      }
      x.at(row, column) = unit ? sum : divide(sum, diagonal);
    }
  }
  __device__ void by_columns(Index column) {
    for (Index row = 0; row < a.size; ++row) x.at(row, column) = multiply(alpha.get(), b.get(row, column));
    for (Index step = 0; step < a.size; ++step) {
      const Index row = lower ? a.size - 1 - step : step;
      const Index begin = a.begin(row);
      const Index end = a.begin(row + 1);
      T diagonal{};
      for (Index k = begin; !unit && k < end; ++k) {
        if (a.column(k) == row) diagonal = conjugate(a.values[k], conjugated);
      }
      T& own = x.at(row, column);
      if (!unit) own = divide(own, diagonal);
      for (Index k = begin; k < end; ++k) {
        const Index other = a.column(k);
        if (!(lower ? other < row : other > row)) continue;
        T& changed = x.at(other, column);
        changed = minus_product(changed, conjugate(a.values[k], conjugated), own);
      }
    }
  }
  __device__ void operator()(Index column) {
    if (transposed)
      by_columns(column);
    else
      by_rows(column);
  }
};

template <typename T>
cudaError_t solve_triangle(cusparseHandle_t handle, int operation, const void* alpha,
                           const cusparseSpMatDescr& a, const Dense<T>& b, const Dense<T>& x, Index columns) {
  const bool lower = a.fill == CUSPARSE_FILL_MODE_LOWER;
  return for_each_index(
      columns, handle->stream,
      SolveTriangle<T>{rows_of<T>(a), a.format == CUSPARSE_FORMAT_CSC ? !lower : lower,
                       a.diagonal == CUSPARSE_DIAG_TYPE_UNIT, !takes_rows(a, operation),
                       operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, scalar<T>(handle, alpha), b, x});
}

inline cusparseStatus_t check_spsv(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                                   cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                   cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVDescr_t descr) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(is_operation(operation) && alpha != nullptr && a != nullptr && x != nullptr &&
                         y != nullptr && descr != nullptr);
  WARPMARK_SPARSE_VALUES(a->rows == a->columns && a->rows == x->size && a->rows == y->size);
  const bool alike = a->value_type == type && x->value_type == type && y->value_type == type;
  return alike ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}
WARPMARK_IF_CALLED
cusparseStatus_t spsv(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                      cudaDataType type, cusparseSpSVDescr_t descr) {
  const cusparseStatus_t wrong = check_spsv(handle, operation, alpha, a, x, y, type, descr);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  WARPMARK_SPARSE_VALUES(descr->analysed);
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    return status_of(solve_triangle<T>(handle, operation, alpha, *a, dense<T>(*x), dense<T>(*y), 1));
  });
}

inline cusparseStatus_t check_spsm(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                   cusparseOperation_t operation_b, const void* alpha,
                                   cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                   cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMDescr_t descr) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(is_operation(operation_a) && is_operation(operation_b) && alpha != nullptr &&
                         a != nullptr && b != nullptr && c != nullptr && descr != nullptr);
  WARPMARK_SPARSE_VALUES(a->rows == a->columns && a->rows == rows_under(*b, operation_b) &&
                         a->rows == c->rows && columns_under(*b, operation_b) == c->columns);
  const bool alike = a->value_type == type && b->value_type == type && c->value_type == type;
  return alike ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}
WARPMARK_IF_CALLED
cusparseStatus_t spsm(cusparseHandle_t handle, cusparseOperation_t operation_a,
                      cusparseOperation_t operation_b, const void* alpha, cusparseConstSpMatDescr_t a,
                      cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,
                      cusparseSpSMDescr_t descr) {
  const cusparseStatus_t wrong = check_spsm(handle, operation_a, operation_b, alpha, a, b, c, type, descr);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  WARPMARK_SPARSE_VALUES(descr->analysed);
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    return status_of(solve_triangle<T>(handle, operation_a, alpha, *a, dense<T>(*b, operation_b),
                                       dense<T>(*c), c->columns));
  });
}

}  // namespace warpmark_sparse
