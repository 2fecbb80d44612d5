// cuSPARSE: sparse-dense products, sampled dense-dense products, and sparse vectors.
#pragma once

#include "warpmark_cuda/algorithms/reduce.h"
#include "warpmark_cuda/sparse/views.h"

namespace warpmark_sparse {

// Kernel of a sparse-dense product (cuSPARSE SpMV, SpMM): C = alpha A B + beta C with sparse A, one thread
// per element of C. C is not read if beta is 0.
template <typename T>
struct Multiply {
  Rows<T> a;
  bool conjugated;
  Dense<T> b;
  Dense<T> c;
  Scalar<T> alpha;
  Scalar<T> beta;
  __device__ void operator()(Index i) {
    const Index row = i % a.size;
    const Index column = i / a.size;
    T sum{};
    const Index end = a.begin(row + 1);
    for (Index k = a.begin(row); k < end; ++k)
      sum = multiply_add(conjugate(a.values[k], conjugated), b.get(a.column(k), column), sum);
    sum = multiply(alpha.get(), sum);
    T& result = c.at(row, column);
    const T factor = beta.get();
    result = is_zero(factor) ? sum : multiply_add(factor, result, sum);
  }
};
// Kernel of a sparse-dense product (cuSPARSE SpMV, SpMM) with transposed sparse A: C = alpha op(A) B + beta
// C. One thread per column of C adds up the contributions of A's rows, so no atomics are needed.
template <typename T>
struct MultiplyTransposed {
  Rows<T> a;
  bool conjugated;
  Dense<T> b;
  Dense<T> c;
  Index rows_of_c;
  Scalar<T> alpha;
  Scalar<T> beta;
  __device__ void operator()(Index column) {
    const T factor = beta.get();
    for (Index i = 0; i < rows_of_c; ++i) {
      T& result = c.at(i, column);
      result = is_zero(factor) ? T{} : multiply(factor, result);
    }
    for (Index row = 0; row < a.size; ++row) {
      const T scaled = multiply(alpha.get(), b.get(row, column));
      const Index end = a.begin(row + 1);
      for (Index k = a.begin(row); k < end; ++k) {
        T& result = c.at(a.column(k), column);
        result = multiply_add(conjugate(a.values[k], conjugated), scaled, result);
      }
    }
  }
};

template <typename T>
cudaError_t multiply_matrices(const cusparseSpMatDescr& a, const Rows<T>& rows, int operation,
                              const Dense<T>& b, const Dense<T>& c, Index columns, const Scalar<T>& alpha,
                              const Scalar<T>& beta, cudaStream_t stream) {
  const bool conjugated = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  if (takes_rows(a, operation))
    return for_each_index(rows.size * columns, stream, Multiply<T>{rows, conjugated, b, c, alpha, beta});
  return for_each_index(columns, stream,
                        MultiplyTransposed<T>{rows, conjugated, b, c, rows_under(a, operation), alpha, beta});
}

WARPMARK_IF_CALLED
cusparseStatus_t spmv(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                      cusparseDnVecDescr_t y, cudaDataType type) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(alpha != nullptr && beta != nullptr && a != nullptr && x != nullptr &&
                         y != nullptr && is_operation(operation));
  WARPMARK_SPARSE_VALUES(columns_under(*a, operation) == x->size && rows_under(*a, operation) == y->size);
  if (a->value_type != type || x->value_type != type || y->value_type != type)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    return status_of(multiply_matrices<T>(*a, rows_of<T>(*a), operation, dense<T>(*x), dense<T>(*y), 1,
                                          scalar<T>(handle, alpha), scalar<T>(handle, beta), handle->stream));
  });
}

WARPMARK_IF_CALLED
cusparseStatus_t spmm(cusparseHandle_t handle, cusparseOperation_t operation_a,
                      cusparseOperation_t operation_b, const void* alpha, cusparseConstSpMatDescr_t a,
                      cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c,
                      cudaDataType type) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(alpha != nullptr && beta != nullptr && a != nullptr && b != nullptr &&
                         c != nullptr && is_operation(operation_a) && is_operation(operation_b));
  WARPMARK_SPARSE_VALUES(columns_under(*a, operation_a) == rows_under(*b, operation_b) &&
                         rows_under(*a, operation_a) == c->rows &&
                         columns_under(*b, operation_b) == c->columns);
  if (a->value_type != type || b->value_type != type || c->value_type != type)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    cudaError_t error = cudaSuccess;
    for (int batch = 0; batch < c->batches && error == cudaSuccess; ++batch) {
      error = multiply_matrices<T>(*a, rows_of<T>(*a, batch), operation_a, dense<T>(*b, operation_b, batch),
                                   dense<T>(*c, CUSPARSE_OPERATION_NON_TRANSPOSE, batch), c->columns,
                                   scalar<T>(handle, alpha), scalar<T>(handle, beta), handle->stream);
    }
    return status_of(error);
  });
}

// Kernel of cuSPARSE SDDMM: the product of dense matrices, C = alpha A B + beta C, only at the nonzeros of
// the sparse C; one thread per row.
template <typename T>
struct MultiplySampled {
  Dense<T> a;
  Dense<T> b;
  Index common;
  Rows<T> c;
  Scalar<T> alpha;
  Scalar<T> beta;
  __device__ void operator()(Index row) {
    const Index end = c.begin(row + 1);
    for (Index k = c.begin(row); k < end; ++k) {
      const Index column = c.column(k);
      T sum{};
      for (Index i = 0; i < common; ++i) sum = multiply_add(a.get(row, i), b.get(i, column), sum);
      sum = multiply(alpha.get(), sum);
      const T factor = beta.get();
      c.values[k] = is_zero(factor) ? sum : multiply_add(factor, c.values[k], sum);
    }
  }
};
WARPMARK_IF_CALLED
cusparseStatus_t sddmm(cusparseHandle_t handle, cusparseOperation_t operation_a,
                       cusparseOperation_t operation_b, const void* alpha, cusparseConstDnMatDescr_t a,
                       cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                       cudaDataType type) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(alpha != nullptr && beta != nullptr && a != nullptr && b != nullptr &&
                         c != nullptr && is_operation(operation_a) && is_operation(operation_b));
  WARPMARK_SPARSE_VALUES(rows_under(*a, operation_a) == c->rows &&
                         columns_under(*b, operation_b) == c->columns &&
                         columns_under(*a, operation_a) == rows_under(*b, operation_b));
  if (a->value_type != type || b->value_type != type || c->value_type != type ||
      c->format == CUSPARSE_FORMAT_CSC)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    cudaError_t error = cudaSuccess;
    for (int batch = 0; batch < c->batches && error == cudaSuccess; ++batch) {
      error = for_each_index(
          c->rows, handle->stream,
          MultiplySampled<T>{dense<T>(*a, operation_a, batch), dense<T>(*b, operation_b, batch),
                             columns_under(*a, operation_a), rows_of<T>(*c, batch), scalar<T>(handle, alpha),
                             scalar<T>(handle, beta)});
    }
    return status_of(error);
  });
}

// A typed device view of a sparse vector: indices and values of its nonzeros.
template <typename T>
struct Elements {
  Indices indices;
  T* values;
  Index base;
  __device__ __forceinline__ Index at(Index i) const { return indices[i] - base; }
};
template <typename T>
Elements<T> elements(const cusparseSpVecDescr& x) {
  return {indices(x.indices, x.index_type), static_cast<T*>(x.values), x.base};
}

template <typename T>
struct ScaleVector {
  Scalar<T> beta;
  T* y;
  __device__ void operator()(Index i) {
    const T factor = beta.get();
    y[i] = is_zero(factor) ? T{} : multiply(factor, y[i]);
  }
};
template <typename T>
struct AddElements {
  Scalar<T> alpha;
  Elements<T> x;
  T* y;
  __device__ void operator()(Index i) {
    T& element = y[x.at(i)];
    element = multiply_add(alpha.get(), x.values[i], element);
  }
};
template <typename T>
struct GatherElements {
  Elements<T> x;
  const T* y;
  __device__ void operator()(Index i) { x.values[i] = y[x.at(i)]; }
};
template <typename T>
struct ScatterElements {
  Elements<T> x;
  T* y;
  __device__ void operator()(Index i) { y[x.at(i)] = x.values[i]; }
};
template <typename T>
struct RotateElements {
  Scalar<T> cosine;
  Scalar<T> sine;
  Elements<T> x;
  T* y;
  __device__ void operator()(Index i) {
    const T c = cosine.get();
    const T s = sine.get();
    const T before = x.values[i];
    T& element = y[x.at(i)];
    x.values[i] = add(multiply(c, before), multiply(s, element));
    element = subtract(multiply(c, element), multiply(s, before));
  }
};

// Calls function(stream, x, y) with typed views of two vectors of equal size and type.
template <typename Function>
cusparseStatus_t with_vectors(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, const Function& function) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(x != nullptr && y != nullptr && x->size == y->size);
  if (x->value_type != y->value_type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_type(x->value_type, [&](auto number) {
    using T = decltype(number);
    return status_of(function(elements<T>(*x), static_cast<T*>(y->values)));
  });
}

template <typename T>
struct ElementProduct {
  Elements<T> x;
  const T* y;
  bool conjugated;
  __device__ T operator()(Index i) const { return multiply(conjugate(x.values[i], conjugated), y[x.at(i)]); }
};
template <typename T>
struct AddNumbers {
  __device__ T operator()(const T& a, const T& b) const { return add(a, b); }
};
// cusparseSpVV, sparse-dense dot product: synchronises the stream if the result is in host memory.
WARPMARK_IF_CALLED
cusparseStatus_t spvv(cusparseHandle_t handle, cusparseOperation_t operation, cusparseConstSpVecDescr_t x,
                      cusparseConstDnVecDescr_t y, void* result, cudaDataType type) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(result != nullptr && is_operation(operation));
  if (x != nullptr && x->value_type != type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  const bool on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  return with_vectors(handle, x, y, [&](auto sparse, auto* data) {
    using T = std::remove_pointer_t<decltype(data)>;
    const warpmark_lib::Computed<T, ElementProduct<T>> products{
        {sparse, data, operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}};
    return warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
      T* place = on_device ? static_cast<T*>(result) : scratch.take<T>(1);
      const cudaError_t error =
          warpmark_lib::reduce<T>(scratch, products, place, x->count, AddNumbers<T>(), T{}, handle->stream);
      if (error != cudaSuccess || scratch.measures() || on_device) return error;
      return fetch(place, static_cast<T*>(result), handle->stream);
    });
  });
}

}  // namespace warpmark_sparse
