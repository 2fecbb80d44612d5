// cuBLAS handles, settings, status strings, and copies between host and device.
#pragma once

#include "warpmark_cuda/blas/api.h"
#include "warpmark_cuda/blas/numbers.h"

inline cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  int device = 0;
  if (::cudaGetDevice(&device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  // cublasDestroy waits for the whole device rather than for the handle's stream, which the program may have
  // destroyed already
  const cudaError_t error = ::cudaDeviceSynchronize();
  delete handle;
  return warpmark_blas::status_of(error);
}
inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  return cublasCreate_v2(handle);
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return cublasDestroy_v2(handle);
}

inline cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  return cublasGetVersion_v2(handle, version);
}
inline cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
           : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                   : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}

#define WARPMARK_BLAS_SETTING(Set, Get, Type, member)             \
  inline cublasStatus_t Set(cublasHandle_t handle, Type value) {  \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;  \
    handle->member = value;                                       \
    return CUBLAS_STATUS_SUCCESS;                                 \
  }                                                               \
  inline cublasStatus_t Get(cublasHandle_t handle, Type* value) { \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;  \
    if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;     \
    *value = handle->member;                                      \
    return CUBLAS_STATUS_SUCCESS;                                 \
  }
WARPMARK_BLAS_SETTING(cublasSetStream, cublasGetStream, cudaStream_t, stream)
WARPMARK_BLAS_SETTING(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
WARPMARK_BLAS_SETTING(cublasSetPointerMode, cublasGetPointerMode, cublasPointerMode_t, pointer_mode)
WARPMARK_BLAS_SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
WARPMARK_BLAS_SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode)
WARPMARK_BLAS_SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode)
#undef WARPMARK_BLAS_SETTING

// cublasSetWorkspace ignores the program's workspace, because no cuBLAS kernel of the simulator needs one.
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* memory, size_t bytes) {
  return cublasSetWorkspace(handle, memory, bytes);
}

inline const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define WARPMARK_BLAS_STATUS(name) \
  case name:                       \
    return #name
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_SUCCESS);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_NOT_INITIALIZED);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_ALLOC_FAILED);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_INVALID_VALUE);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_ARCH_MISMATCH);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_MAPPING_ERROR);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_EXECUTION_FAILED);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_INTERNAL_ERROR);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_NOT_SUPPORTED);
    WARPMARK_BLAS_STATUS(CUBLAS_STATUS_LICENSE_ERROR);
#undef WARPMARK_BLAS_STATUS
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
inline const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "the resource allocation failed";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an invalid value was used as a parameter";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the functionality is not supported";
    default:
      return cublasGetStatusName(status);
  }
}

namespace warpmark_blas {

// Implements cuBLAS's copies between host and device (cublasSetVector, cublasGetMatrix, ...): copies `count`
// elements or columns of `width` bytes each, `from_step` bytes apart in the source and `to_step` bytes apart
// in the destination.
inline cublasStatus_t copy_rows(Index count, int width, const void* from, Index from_step, void* to,
                                Index to_step, cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (count == 0 || width == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = static_cast<size_t>(width);
  const auto rows = static_cast<size_t>(count);
  const auto source = static_cast<size_t>(from_step);
  const auto target = static_cast<size_t>(to_step);
  const bool solid = source == bytes && target == bytes;
  cudaError_t error = cudaSuccess;
  if (solid && waits)
    error = ::cudaMemcpy(to, from, rows * bytes, kind);
  else if (solid)
    error = ::cudaMemcpyAsync(to, from, rows * bytes, kind, stream);
  else if (waits)
    error = ::cudaMemcpy2D(to, target, from, source, bytes, rows, kind);
  else
    error = ::cudaMemcpy2DAsync(to, target, from, source, bytes, rows, kind, stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t copy_vector(int n, int size, const void* x, int incx, void* y, int incy,
                                  cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (n < 0 || size <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return copy_rows(n, size, x, Index{incx} * size, y, Index{incy} * size, kind, waits, stream);
}
inline cublasStatus_t copy_matrix(int rows, int columns, int size, const void* a, int lda, void* b, int ldb,
                                  cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || size <= 0 || lda <= 0 || ldb <= 0 || lda < rows || ldb < rows)
    return CUBLAS_STATUS_INVALID_VALUE;
  return copy_rows(columns, rows * size, a, Index{lda} * size, b, Index{ldb} * size, kind, waits, stream);
}

}  // namespace warpmark_blas

inline cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return warpmark_blas::copy_vector(n, size, x, incx, y, incy, cudaMemcpyHostToDevice, true, nullptr);
}
inline cublasStatus_t cublasGetVector(int n, int size, const void* x, int incx, void* y, int incy) {
  return warpmark_blas::copy_vector(n, size, x, incx, y, incy, cudaMemcpyDeviceToHost, true, nullptr);
}
inline cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                           cudaStream_t stream) {
  return warpmark_blas::copy_vector(n, size, x, incx, y, incy, cudaMemcpyHostToDevice, false, stream);
}
inline cublasStatus_t cublasGetVectorAsync(int n, int size, const void* x, int incx, void* y, int incy,
                                           cudaStream_t stream) {
  return warpmark_blas::copy_vector(n, size, x, incx, y, incy, cudaMemcpyDeviceToHost, false, stream);
}
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void* a, int lda, void* b,
                                      int ldb) {
  return warpmark_blas::copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice, true,
                                    nullptr);
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void* a, int lda, void* b,
                                      int ldb) {
  return warpmark_blas::copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost, true,
                                    nullptr);
}
inline cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b,
                                           int ldb, cudaStream_t stream) {
  return warpmark_blas::copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyHostToDevice, false,
                                    stream);
}
inline cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void* a, int lda, void* b,
                                           int ldb, cudaStream_t stream) {
  return warpmark_blas::copy_matrix(rows, columns, size, a, lda, b, ldb, cudaMemcpyDeviceToHost, false,
                                    stream);
}
