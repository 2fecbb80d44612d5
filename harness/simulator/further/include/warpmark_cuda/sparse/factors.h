// cuSPARSE: incomplete factorisations with the pattern of the matrix, by one thread, and tridiagonal systems,
// one thread per right-hand side.
#pragma once

#include "warpmark_cuda/sparse/views.h"

namespace warpmark_sparse {

template <typename T>
__device__ __forceinline__ Index find_column(const Rows<T>& a, Index row, Index column) {
  const Index end = a.begin(row + 1);
  for (Index k = a.begin(row); k < end; ++k) {
    if (a.column(k) == column) return k;
  }
  return -1;
}

// Kernel of cuSPARSE csrilu02: incomplete factorisation A = L U in place; L has a unit diagonal, which is not
// stored.
template <typename T>
struct IncompleteLu {
  Rows<T> a;
  int* zero_pivot;
  __device__ void operator()(Index) {
    *zero_pivot = -1;
    for (Index row = 0; row < a.size; ++row) {
      const Index begin = a.begin(row);
      const Index end = a.begin(row + 1);
      for (Index k = begin; k < end; ++k) {
        const Index above = a.column(k);
        if (above >= row) continue;
        const Index pivot = find_column(a, above, above);
        if (pivot < 0) continue;
        const T ratio = divide(a.values[k], a.values[pivot]);
        a.values[k] = ratio;
        for (Index j = begin; j < end; ++j) {
          if (a.column(j) <= above) continue;
          const Index from = find_column(a, above, a.column(j));
          if (from >= 0) a.values[j] = minus_product(a.values[j], ratio, a.values[from]);
        }
      }
      const Index own = find_column(a, row, row);
      if (*zero_pivot < 0 && (own < 0 || is_zero(a.values[own])))
        *zero_pivot = static_cast<int>(row + a.base);
    }
  }
};

// Kernel of cuSPARSE csric02: incomplete factorisation A = L L^H; L overwrites the lower triangle of A.
template <typename T>
struct IncompleteCholesky {
  Rows<T> a;
  int* zero_pivot;
  // Incomplete Cholesky: dot product of two sparse rows over the columns before `column` that both rows
  // store.
  __device__ T common(Index row, Index other, Index column) {
    T sum{};
    const Index end = a.begin(row + 1);
    for (Index k = a.begin(row); k < end; ++k) {
      if (a.column(k) >= column) continue;
      const Index found = find_column(a, other, a.column(k));
      if (found >= 0) sum = plus_product(sum, a.values[k], conjugate(a.values[found]));
    }
    return sum;
  }
  __device__ void operator()(Index) {
    *zero_pivot = -1;
    for (Index row = 0; row < a.size; ++row) {
      const Index end = a.begin(row + 1);
      for (Index k = a.begin(row); k < end; ++k) {
        const Index column = a.column(k);
        if (column >= row) continue;
        const Index pivot = find_column(a, column, column);
        if (pivot >= 0)
          a.values[k] = divide(subtract(a.values[k], common(row, column, column)), a.values[pivot]);
      }
      const Index own = find_column(a, row, row);
      warpmark_blas::Real<T> square = 0;
      if (own >= 0) {
        const T rest = subtract(a.values[own], common(row, row, row));
        if constexpr (warpmark_blas::kIsComplex<T>)
          square = rest.x;
        else
          square = rest;
      }
      if (square > 0)
        a.values[own] = warpmark_blas::convert<T>(static_cast<warpmark_blas::Real<T>>(std::sqrt(square)));
      else if (*zero_pivot < 0)
        *zero_pivot = static_cast<int>(row + a.base);
    }
  }
};

template <typename Info>
cusparseStatus_t create_info(Info** info) {
  if (info == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new Info;
  return CUSPARSE_STATUS_SUCCESS;
}
template <typename Info>
cusparseStatus_t destroy_info(Info* info) {
  if (info != nullptr && info->zero_pivot != nullptr) ::cudaFree(info->zero_pivot);
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}
// Returns the position of the zero pivot that a factorisation met, or -1, to host or device memory,
// depending on the handle's pointer mode.
template <typename Info>
cusparseStatus_t zero_pivot(cusparseHandle_t handle, Info* info, int* position) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(info != nullptr && position != nullptr);
  int found = -1;
  if (info->zero_pivot != nullptr) {
    const cudaError_t error = fetch(info->zero_pivot, &found, handle->stream);
    if (error != cudaSuccess) return status_of(error);
  }
  const bool on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  if (on_device)
    ::cudaMemcpy(position, &found, sizeof found, cudaMemcpyHostToDevice);
  else
    *position = found;
  return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

template <template <typename> typename Work, typename T, typename Info>
cusparseStatus_t factor(cusparseHandle_t handle, int m, int count, const cusparseMatDescr* a, T* values,
                        const int* offsets, const int* columns, Info* info) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(m >= 0 && count >= 0 && a != nullptr && values != nullptr && offsets != nullptr &&
                         columns != nullptr && info != nullptr);
  if (info->zero_pivot == nullptr) {
    const cudaError_t error =
        ::cudaMallocAsync(reinterpret_cast<void**>(&info->zero_pivot), sizeof(int), handle->stream);
    if (error != cudaSuccess) return status_of(error);
  }
  return status_of(for_each_index(
      1, handle->stream, Work<T>{rows_of<T>(*a, m, count, values, offsets, columns), info->zero_pivot}));
}

// Gaussian elimination of a tridiagonal matrix with partial pivoting. The buffer holds each system's upper
// factor: three diagonals of m elements.
template <typename T>
struct SolveThreeDiagonals {
  // subdiagonal of a tridiagonal matrix, m elements; lower[0] and upper[m - 1] lie outside of the matrix and
  // are not used
  const T* lower;
  const T* middle;
  const T* upper;
  T* x;
  Index m;
  // elements from one system's tridiagonal matrix to the next; 0 if all systems share one
  Index stride_of_matrix;
  Index stride_of_x;
  T* buffer;
  bool exchanges;
  __device__ void operator()(Index system) {
    const T* dl = lower + system * stride_of_matrix;
    const T* d = middle + system * stride_of_matrix;
    const T* du = upper + system * stride_of_matrix;
    T* b = x + system * stride_of_x;
    T* first = buffer + system * 3 * m;
    T* second = first + m;
    T* third = second + m;
    // Elimination of a tridiagonal matrix: the current row's elements at columns i and i + 1, the only ones
    // that the previous steps changed.
    T open = d[0];
    T next = m > 1 ? du[0] : T{};
    for (Index i = 0; i < m; ++i) {
      const bool last = i + 1 == m;
      T below = last ? T{} : dl[i + 1];
      T below_next = last ? T{} : d[i + 1];
      T below_third = i + 2 < m ? du[i + 1] : T{};
      T own_third{};
      if (exchanges && !last && warpmark_blas::size_of(below) > warpmark_blas::size_of(open)) {
        T kept = open;
        open = below;
        below = kept;
        kept = next;
        next = below_next;
        below_next = kept;
        own_third = below_third;
        below_third = T{};
        kept = b[i];
        b[i] = b[i + 1];
        b[i + 1] = kept;
      }
      first[i] = open;
      second[i] = next;
      third[i] = own_third;
      if (last) break;
      const T ratio = divide(below, open);
      b[i + 1] = minus_product(b[i + 1], ratio, b[i]);
      open = minus_product(below_next, ratio, next);
      next = minus_product(below_third, ratio, own_third);
    }
    for (Index i = m; i-- > 0;) {
      T sum = b[i];
      if (i + 1 < m) sum = minus_product(sum, second[i], b[i + 1]);
      if (i + 2 < m) sum = minus_product(sum, third[i], b[i + 2]);
      b[i] = divide(sum, first[i]);
    }
  }
};
template <typename T>
cusparseStatus_t solve_three_diagonals(cusparseHandle_t handle, int m, int systems, const T* dl, const T* d,
                                       const T* du, T* x, Index stride_of_matrix, Index stride_of_x,
                                       void* buffer, bool exchanges) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(m >= 3 && systems >= 0 && stride_of_x >= m && dl != nullptr && d != nullptr &&
                         du != nullptr && x != nullptr && buffer != nullptr);
  return status_of(for_each_index(systems, handle->stream,
                                  SolveThreeDiagonals<T>{dl, d, du, x, m, stride_of_matrix, stride_of_x,
                                                         static_cast<T*>(buffer), exchanges}));
}
template <typename T>
cusparseStatus_t bytes_for_three_diagonals(cusparseHandle_t handle, int m, int systems, size_t* bytes) {
  WARPMARK_SPARSE_HANDLE(handle);
  WARPMARK_SPARSE_VALUES(m >= 3 && systems >= 0 && bytes != nullptr);
  *bytes = 3 * sizeof(T) * static_cast<size_t>(m) * static_cast<size_t>(systems > 0 ? systems : 1);
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace warpmark_sparse
