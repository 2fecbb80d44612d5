// Arithmetic of the real and complex element types of cuBLAS kernels.
#pragma once

#include "warpmark_cuda/algorithms/run.h"
#include "warpmark_cuda/blas/types.h"

namespace warpmark_blas {

using warpmark_lib::Index;

template <typename T>
struct RealOf {
  using Type = T;
};
template <>
struct RealOf<cuComplex> {
  using Type = float;
};
template <>
struct RealOf<cuDoubleComplex> {
  using Type = double;
};
template <typename T>
using Real = typename RealOf<T>::Type;
template <typename T>
constexpr bool kIsComplex = !std::is_same_v<T, Real<T>>;

// Converts a run-time cudaDataType to a C++ type: calls the generic function with a value of that type, or
// returns `otherwise` if the type is not supported.
template <typename Status, typename Function>
Status with_number(cudaDataType type, Status otherwise, const Function& function) {
  switch (type) {
    case CUDA_R_32F:
      return function(float());
    case CUDA_R_64F:
      return function(double());
    case CUDA_C_32F:
      return function(cuComplex());
    case CUDA_C_64F:
      return function(cuDoubleComplex());
    default:
      return otherwise;
  }
}

template <typename To, typename From>
__host__ __device__ __forceinline__ To convert(const From& x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (kIsComplex<To> && kIsComplex<From>)
    return To{static_cast<Real<To>>(x.x), static_cast<Real<To>>(x.y)};
  else if constexpr (kIsComplex<To>)
    return To{static_cast<Real<To>>(x), 0};
  else
    return static_cast<To>(x);
}
template <typename T>
__host__ __device__ __forceinline__ T add(const T& a, const T& b) {
  if constexpr (kIsComplex<T>)
    return T{a.x + b.x, a.y + b.y};
  else
    return a + b;
}
template <typename T>
__host__ __device__ __forceinline__ T subtract(const T& a, const T& b) {
  if constexpr (kIsComplex<T>)
    return T{a.x - b.x, a.y - b.y};
  else
    return a - b;
}
template <typename T>
__host__ __device__ __forceinline__ T multiply(const T& a, const T& b) {
  if constexpr (kIsComplex<T>)
    return T{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  else
    return a * b;
}
template <typename T>
__host__ __device__ __forceinline__ T divide(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, cuComplex>)
    return cuCdivf(a, b);
  else if constexpr (std::is_same_v<T, cuDoubleComplex>)
    return cuCdiv(a, b);
  else
    return a / b;
}
template <typename T>
__host__ __device__ __forceinline__ T multiply_add(const T& a, const T& b, const T& c) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_fmaf(a, b, c);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_fma(a, b, c);
  else
    return add(multiply(a, b), c);
}
// plus_product and minus_product return sum + a * b and sum - a * b. For real numbers they use explicit FMAs,
// so that all optimisation levels round alike.
template <typename T>
__host__ __device__ __forceinline__ T plus_product(const T& sum, const T& a, const T& b) {
  return multiply_add(a, b, sum);
}
template <typename T>
__host__ __device__ __forceinline__ T minus_product(const T& sum, const T& a, const T& b) {
  if constexpr (kIsComplex<T>)
    return subtract(sum, multiply(a, b));
  else
    return multiply_add(-a, b, sum);
}
template <typename T>
__host__ __device__ __forceinline__ T conjugate(const T& a, bool conjugated = true) {
  if constexpr (kIsComplex<T>)
    return T{a.x, conjugated ? -a.y : a.y};
  else
    return a;
}
template <typename T>
__host__ __device__ __forceinline__ bool is_zero(const T& a) {
  if constexpr (kIsComplex<T>)
    return a.x == 0 && a.y == 0;
  else
    return a == T(0);
}
// |x|; for complex numbers |real| + |imaginary|, as in BLAS.
template <typename T>
__host__ __device__ __forceinline__ Real<T> size_of(const T& a) {
  if constexpr (kIsComplex<T>)
    return (a.x < 0 ? -a.x : a.x) + (a.y < 0 ? -a.y : a.y);
  else
    return a < 0 ? -a : a;
}

// Scalar factor of a cuBLAS kernel (alpha or beta): a value, or a pointer to device memory.
template <typename T>
struct Scalar {
  const T* device;
  T value;
  __device__ __forceinline__ T get() const { return device == nullptr ? value : *device; }
};

inline cublasStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUBLAS_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <typename Work>
static __global__ void blas(Index count, Work work) {
  const Index i = static_cast<Index>(blockIdx.x) * warpmark_lib::kThreads + threadIdx.x;
  if (i < count) work(i);
}
template <typename Work>
cublasStatus_t launch(cublasHandle_t handle, Index count, const Work& work) {
  if (count <= 0) return CUBLAS_STATUS_SUCCESS;
  constexpr int kMost = warpmark_lib::kThreads;
  const int threads = count < kMost ? static_cast<int>(warpmark_lib::parts(count, 32) * 32) : kMost;
  blas<<<static_cast<unsigned int>(warpmark_lib::parts(count, kMost)), threads, 0, handle->stream>>>(count,
                                                                                                     work);
  return status_of(cudaPeekAtLastError());
}

#define WARPMARK_BLAS_HANDLE(handle) \
  if ((handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED
#define WARPMARK_BLAS_VALUES(right) \
  if (!(right)) return CUBLAS_STATUS_INVALID_VALUE

inline Index at_least_1(Index size) {
  return size > 1 ? size : 1;
}
inline bool is_operation(int operation) {
  return operation >= CUBLAS_OP_N && operation <= CUBLAS_OP_C;
}
inline bool is_fill(int fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_side(int side) {
  return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}
inline bool is_diagonal(int diagonal) {
  return diagonal == CUBLAS_DIAG_NON_UNIT || diagonal == CUBLAS_DIAG_UNIT;
}

}  // namespace warpmark_blas
