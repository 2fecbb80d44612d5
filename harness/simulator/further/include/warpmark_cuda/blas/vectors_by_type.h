// cuBLAS vector functions with types given by enumerators: float, double and complex; all types of a call
// must be equal.
#pragma once

#include "warpmark_cuda/blas/level1.h"

namespace warpmark_blas {

// If all types are equal, calls work with a value of that type; else returns CUBLAS_STATUS_NOT_SUPPORTED.
template <typename Work, typename... Types>
cublasStatus_t with_one_type(const Work& work, cudaDataType type, Types... others) {
  if (((others != type) || ...)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return with_number(type, CUBLAS_STATUS_NOT_SUPPORTED, work);
}
// Returns the real data type with the precision of a complex one, e.g. CUDA_R_32F for CUDA_C_32F; other types
// unchanged.
inline cudaDataType real_type(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

}  // namespace warpmark_blas

WARPMARK_IF_CALLED
inline cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                                   const void* x, cudaDataType xType, int incx, void* y, cudaDataType yType,
                                   int incy, cudaDataType execution) {
  return warpmark_blas::with_one_type(
      [&](auto number) {
        using T = decltype(number);
        return warpmark_blas::axpy(handle, n, static_cast<const T*>(alpha), static_cast<const T*>(x), incx,
                                   static_cast<T*>(y), incy);
      },
      xType, yType, alphaType, execution);
}
WARPMARK_IF_CALLED
inline cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                                   void* x, cudaDataType xType, int incx, cudaDataType execution) {
  return warpmark_blas::with_one_type(
      [&](auto number) {
        using T = decltype(number);
        return warpmark_blas::scal(handle, n, static_cast<const T*>(alpha), static_cast<T*>(x), incx);
      },
      xType, alphaType, execution);
}
WARPMARK_IF_CALLED
inline cublasStatus_t cublasCopyEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx,
                                   void* y, cudaDataType yType, int incy) {
  return warpmark_blas::with_one_type(
      [&](auto number) {
        using T = decltype(number);
        return warpmark_blas::copy(handle, n, static_cast<const T*>(x), incx, static_cast<T*>(y), incy);
      },
      xType, yType);
}
WARPMARK_IF_CALLED
inline cublasStatus_t cublasSwapEx(cublasHandle_t handle, int n, void* x, cudaDataType xType, int incx,
                                   void* y, cudaDataType yType, int incy) {
  return warpmark_blas::with_one_type(
      [&](auto number) {
        using T = decltype(number);
        return warpmark_blas::swap(handle, n, static_cast<T*>(x), incx, static_cast<T*>(y), incy);
      },
      xType, yType);
}
WARPMARK_IF_CALLED
inline cublasStatus_t cublasRotEx(cublasHandle_t handle, int n, void* x, cudaDataType xType, int incx,
                                  void* y, cudaDataType yType, int incy, const void* c, const void* s,
                                  cudaDataType csType, cudaDataType execution) {
  if (xType != warpmark_blas::real_type(xType)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return warpmark_blas::with_one_type(
      [&](auto number) {
        using T = warpmark_blas::Real<decltype(number)>;
        return warpmark_blas::rot(handle, n, static_cast<T*>(x), incx, static_cast<T*>(y), incy,
                                  static_cast<const T*>(c), static_cast<const T*>(s));
      },
      xType, yType, csType, execution);
}

#define WARPMARK_BLAS_DOT(name, conjugated)                                                              \
  WARPMARK_IF_CALLED                                                                                     \
  inline cublasStatus_t name(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx,  \
                             const void* y, cudaDataType yType, int incy, void* result,                  \
                             cudaDataType resultType, cudaDataType execution) {                          \
    return warpmark_blas::with_one_type(                                                                 \
        [&](auto number) {                                                                               \
          using T = decltype(number);                                                                    \
          return warpmark_blas::dot(handle, n, static_cast<const T*>(x), incx, static_cast<const T*>(y), \
                                    incy, static_cast<T*>(result), conjugated);                          \
        },                                                                                               \
        xType, yType, resultType, execution);                                                            \
  }
WARPMARK_BLAS_DOT(cublasDotEx, false)
WARPMARK_BLAS_DOT(cublasDotcEx, true)
#undef WARPMARK_BLAS_DOT
#define WARPMARK_BLAS_SIZE(name, size)                                                                  \
  WARPMARK_IF_CALLED                                                                                    \
  inline cublasStatus_t name(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, \
                             void* result, cudaDataType resultType, cudaDataType execution) {           \
    if (resultType != warpmark_blas::real_type(xType)) return CUBLAS_STATUS_NOT_SUPPORTED;              \
    return warpmark_blas::with_one_type(                                                                \
        [&](auto number) {                                                                              \
          using T = decltype(number);                                                                   \
          return warpmark_blas::measure(#size, handle, n, static_cast<const T*>(x), incx,               \
                                        static_cast<warpmark_blas::Real<T>*>(result));                  \
        },                                                                                              \
        xType, execution == resultType ? xType : execution);                                            \
  }
WARPMARK_BLAS_SIZE(cublasNrm2Ex, nrm2)
WARPMARK_BLAS_SIZE(cublasAsumEx, asum)
#undef WARPMARK_BLAS_SIZE
