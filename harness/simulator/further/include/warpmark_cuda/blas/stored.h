// cuBLAS level 2 with packed and banded symmetric and triangular matrices; modified Givens rotations.
#pragma once

#include "warpmark_cuda/blas/level2.h"

namespace warpmark_blas {

// Index of element (i, j) of the stored triangle: in full storage,
struct Whole {
  Index leading;
  bool lower;
  bool right;  // the arguments that describe it are valid
  __device__ __forceinline__ bool has(Index, Index) const { return true; }
  __device__ __forceinline__ Index at(Index i, Index j) const { return i + j * leading; }
};
// in packed storage, column by column,
struct Packed {
  Index n;
  bool lower;
  bool right;
  __device__ __forceinline__ bool has(Index, Index) const { return true; }
  __device__ __forceinline__ Index at(Index i, Index j) const {
    return lower ? i + (2 * n - j - 1) * j / 2 : i + j * (j + 1) / 2;
  }
};
// or in band storage, whose first (lower) or last row is the diagonal.
struct TriangleBand {
  Index diagonals;  // besides the main diagonal
  Index leading;
  bool lower;
  bool right;
  __device__ __forceinline__ bool has(Index i, Index j) const { return (lower ? i - j : j - i) <= diagonals; }
  __device__ __forceinline__ Index at(Index i, Index j) const {
    return (lower ? i - j : diagonals + i - j) + j * leading;
  }
};

// Hermitian for complex types.
template <typename T, typename Storage>
struct StoredSymmetric {
  const T* data;
  Storage storage;
  __device__ __forceinline__ T operator()(Index row, Index column) const {
    const bool stored = storage.lower ? row >= column : row <= column;
    const Index i = stored ? row : column;
    const Index j = stored ? column : row;
    const T value = storage.has(i, j) ? data[storage.at(i, j)] : T{};
    if constexpr (kIsComplex<T>)
      return T{value.x, row == column ? 0 : stored ? value.y : -value.y};
    else
      return value;
  }
};
template <typename T, typename Storage>
struct StoredTriangular {
  const T* data;
  Storage storage;
  bool unit;
  bool transposed;
  bool conjugated;
  __host__ __device__ __forceinline__ bool is_lower() const { return storage.lower != transposed; }
  __device__ __forceinline__ T operator()(Index row, Index column) const {
    if (row == column && unit) return convert<T>(Real<T>(1));
    if (is_lower() ? row < column : row > column) return T{};
    const Index i = transposed ? column : row;
    const Index j = transposed ? row : column;
    return storage.has(i, j) ? conjugate(data[storage.at(i, j)], conjugated) : T{};
  }
};

inline Whole whole(Index n, Index leading, int fill) {
  return {leading, fill == CUBLAS_FILL_MODE_LOWER, is_fill(fill) && leading >= at_least_1(n)};
}
inline Packed packed(Index n, int fill) {
  return {n, fill == CUBLAS_FILL_MODE_LOWER, is_fill(fill)};
}
inline TriangleBand triangle_band(Index diagonals, Index leading, int fill) {
  return {diagonals, leading, fill == CUBLAS_FILL_MODE_LOWER,
          is_fill(fill) && diagonals >= 0 && leading > diagonals};
}

template <typename T, typename Storage>
cublasStatus_t stored_symmetric_vector(cublasHandle_t handle, Index n, const T* alpha, const T* a,
                                       const Storage& storage, const T* x, Index incx, const T* beta, T* y,
                                       Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(storage.right && n >= 0 && incx != 0 && incy != 0 && alpha != nullptr &&
                       beta != nullptr);
  using Matrix = StoredSymmetric<T, Storage>;
  return launch(handle, n,
                TimesVector<T, Matrix>{Matrix{a, storage}, n, scalar<T>(handle, alpha), vector(x, n, incx),
                                       scalar<T>(handle, beta), vector(y, n, incy)});
}

template <template <typename, typename> typename Work, typename T, typename Storage>
cublasStatus_t stored_triangular_vector(cublasHandle_t handle, int operation, int diagonal, Index n,
                                        const T* a, const Storage& storage, T* x, Index incx) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(storage.right && is_operation(operation) && is_diagonal(diagonal) && n >= 0 &&
                       incx != 0);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  using Matrix = StoredTriangular<T, Storage>;
  const Matrix matrix{a, storage, diagonal == CUBLAS_DIAG_UNIT, operation != CUBLAS_OP_N,
                      operation == CUBLAS_OP_C};
  return launch(handle, 1, Work<T, Matrix>{matrix, n, vector(x, n, incx)});
}

// Updates a stored triangle: A += alpha x y^H + conj(alpha) y x^H, or only the first term.
template <typename T, typename Storage>
struct StoredRank {
  Storage storage;
  Index n;
  Scalar<T> alpha;
  Vector<const T> x;
  Vector<const T> y;
  T* a;
  bool both;
  __device__ void operator()(Index i) {
    const Index row = i % n;
    const Index column = i / n;
    if (storage.lower ? row < column : row > column) return;
    T& element = a[storage.at(row, column)];
    const T factor = alpha.get();
    T value = multiply_add(multiply(factor, x[row]), conjugate(y[column]), element);
    if (both) value = multiply_add(multiply(conjugate(factor), y[row]), conjugate(x[column]), value);
    if constexpr (kIsComplex<T>) {
      if (row == column) value.y = 0;
    }
    element = value;
  }
};
template <typename T, typename Storage>
cublasStatus_t stored_rank_2(cublasHandle_t handle, Index n, const T* alpha, const T* x, Index incx,
                             const T* y, Index incy, T* a, const Storage& storage) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(storage.right && n >= 0 && incx != 0 && incy != 0 && alpha != nullptr);
  return launch(handle, n * n,
                StoredRank<T, Storage>{storage, n, scalar<T>(handle, alpha), vector(x, n, incx),
                                       vector(y, n, incy), a, true});
}
template <typename T, typename Storage>
cublasStatus_t stored_rank_1(cublasHandle_t handle, Index n, const Real<T>* alpha, const T* x, Index incx,
                             T* a, const Storage& storage) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(storage.right && n >= 0 && incx != 0 && alpha != nullptr);
  return launch(handle, n * n,
                StoredRank<T, Storage>{storage, n, real_scalar<T>(handle, alpha), vector(x, n, incx),
                                       vector(x, n, incx), a, false});
}

// The matrix of a modified rotation. `values` is (flag, h11, h21, h12, h22); the flag determines which of the
// elements are read and which are implied.
template <typename T>
struct Modified {
  T h11, h21, h12, h22;
};
template <typename T>
__host__ __device__ Modified<T> modified(const T* values) {
  if (values[0] == T(-1)) return {values[1], values[2], values[3], values[4]};
  if (values[0] == T(0)) return {1, values[2], values[3], 1};
  if (values[0] == T(1)) return {values[1], -1, 1, values[4]};
  return {1, 0, 0, 1};
}
template <typename T>
struct ModifiedValues {
  T values[5];
};
template <typename T>
struct RotateModified {
  const T* device;  // or null
  ModifiedValues<T> own;
  Vector<T> x;
  Vector<T> y;
  __device__ void operator()(Index i) {
    const Modified<T> h = modified(device == nullptr ? own.values : device);
    const T before = x[i];
    x[i] = h.h11 * before + h.h12 * y[i];
    y[i] = h.h21 * before + h.h22 * y[i];
  }
};
template <typename T>
cublasStatus_t rotm(cublasHandle_t handle, Index n, T* x, Index incx, T* y, Index incy, const T* values) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(values != nullptr);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  ModifiedValues<T> own{};
  if (!on_device) {
    for (int i = 0; i < 5; ++i) own.values[i] = values[i];
  }
  return launch(handle, n,
                RotateModified<T>{on_device ? values : nullptr, own, vector(x, n, incx), vector(y, n, incy)});
}

}  // namespace warpmark_blas
