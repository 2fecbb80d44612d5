// Column-major matrices as cuBLAS kernels access them: general or transposed, symmetric with one stored
// triangle, and triangular.
#pragma once

#include "warpmark_cuda/blas/numbers.h"

namespace warpmark_blas {

// Element (row, column) has index by_row * row + by_column * column.
template <typename T>
struct Dense {
  const T* data;
  Index by_row;
  Index by_column;
  bool conjugated;
  __device__ __forceinline__ T operator()(Index row, Index column) const {
    return conjugate(data[row * by_row + column * by_column], conjugated);
  }
};
template <typename T>
Dense<T> dense(const T* data, int operation, Index leading) {
  return operation == CUBLAS_OP_N ? Dense<T>{data, 1, leading, false}
                                  : Dense<T>{data, leading, 1, operation == CUBLAS_OP_C};
}

// Reads only the stored triangle. Hermitian: the other one is its conjugate, and the diagonal is real.
template <typename T, bool hermitian>
struct Symmetric {
  const T* data;
  Index leading;
  bool lower;
  __device__ __forceinline__ T operator()(Index row, Index column) const {
    const bool stored = lower ? row >= column : row <= column;
    const T value = stored ? data[row + column * leading] : data[column + row * leading];
    if constexpr (hermitian && kIsComplex<T>)
      return T{value.x, row == column ? 0 : stored ? value.y : -value.y};
    return value;
  }
};

// op(A) of a triangular A.
template <typename T>
struct Triangular {
  const T* data;
  Index leading;
  bool lower;  // of A, before op
  bool unit;
  bool transposed;
  bool conjugated;
  // True if op(A) is lower triangular.
  __host__ __device__ __forceinline__ bool is_lower() const { return lower != transposed; }
  __device__ __forceinline__ T operator()(Index row, Index column) const {
    if (row == column && unit) return convert<T>(Real<T>(1));
    if (is_lower() ? row < column : row > column) return T{};
    return conjugate(data[transposed ? column + row * leading : row + column * leading], conjugated);
  }
};
template <typename T>
Triangular<T> triangular(const T* data, Index leading, int fill, int operation, int diagonal) {
  return {data,
          leading,
          fill == CUBLAS_FILL_MODE_LOWER,
          diagonal == CUBLAS_DIAG_UNIT,
          operation != CUBLAS_OP_N,
          operation == CUBLAS_OP_C};
}

}  // namespace warpmark_blas
