// Shared by cuSOLVER's kernels: column-major matrices processed stepwise by the threads of a block.
#pragma once

#include "warpmark_cuda/blas/numbers.h"
#include "warpmark_cuda/solver/types.h"

namespace warpmark_solver {

using warpmark_blas::add;
using warpmark_blas::conjugate;
using warpmark_blas::convert;
using warpmark_blas::divide;
using warpmark_blas::is_zero;
using warpmark_blas::kIsComplex;
using warpmark_blas::minus_product;
using warpmark_blas::multiply;
using warpmark_blas::plus_product;
using warpmark_blas::Real;
using warpmark_blas::size_of;
using warpmark_blas::subtract;
using warpmark_lib::for_each_block;
using warpmark_lib::for_each_index;
using warpmark_lib::Index;

inline cusolverStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUSOLVER_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUSOLVER_STATUS_ALLOC_FAILED : CUSOLVER_STATUS_EXECUTION_FAILED;
}

template <typename T>
__device__ __forceinline__ Real<T> real_part(const T& a) {
  if constexpr (kIsComplex<T>)
    return a.x;
  else
    return a;
}
template <typename T>
__device__ __forceinline__ Real<T> square(const T& a) {
  if constexpr (kIsComplex<T>)
    return a.x * a.x + a.y * a.y;
  else
    return a * a;
}
template <typename T>
__device__ __forceinline__ T scaled(const T& a, Real<T> factor) {
  if constexpr (kIsComplex<T>)
    return T{a.x * factor, a.y * factor};
  else
    return a * factor;
}
template <typename T>
constexpr Real<T> kPrecision = sizeof(Real<T>) == 4 ? Real<T>(1.2e-7) : Real<T>(2.3e-16);

// A matrix or a batch, given by pointers or by a stride.
template <typename T>
struct Matrices {
  T* data;
  T* const* pointers;  // null if strided
  Index leading;
  Index stride;
  __device__ __forceinline__ T* of(Index i) const {
    return pointers == nullptr ? data + i * stride : pointers[i];
  }
};
template <typename T>
Matrices<T> one(T* data, Index leading) {
  return {data, nullptr, leading, 0};
}

// A matrix or its conjugate transpose.
template <typename T>
struct OrAdjoint {
  T* a;
  Index leading;
  bool adjoint;
  __device__ __forceinline__ T get(Index i, Index j) const {
    return adjoint ? conjugate(a[j + i * leading]) : a[i + j * leading];
  }
  __device__ __forceinline__ void set(Index i, Index j, const T& value) const {
    if (adjoint)
      a[j + i * leading] = conjugate(value);
    else
      a[i + j * leading] = value;
  }
};
// The lower triangle L of a Hermitian or triangular matrix; for upper storage, the conjugate transpose.
template <typename T>
using Lower = OrAdjoint<T>;

}  // namespace warpmark_solver
