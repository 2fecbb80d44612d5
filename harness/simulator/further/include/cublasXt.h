// cuBLAS-XT: products of matrices in host memory. One device holds the operands whole, whatever devices and
// block size the program chooses. Only gemm is simulated.
#pragma once

#include <limits.h>

#include "cublas_v2.h"

typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode;

struct cublasXtContext {
  cublasContext one_device;
  int block = 2048;
  cublasXtPinnedMemMode pinning = CUBLASXT_PINNING_DISABLED;
};
typedef struct cublasXtContext* cublasXtHandle_t;

inline cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasXtContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetNumBoards(int count, int* devices, int* boards) {
  if (devices == nullptr || boards == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *boards = count;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtMaxBoards(int* boards) {
  return boards == nullptr ? CUBLAS_STATUS_INVALID_VALUE
                           : warpmark_blas::status_of(::cudaGetDeviceCount(boards));
}
inline cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int* devices) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  int present = 0;
  if (::cudaGetDeviceCount(&present) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (count <= 0 || devices == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < count; ++i)
    if (devices[i] < 0 || devices[i] >= present) return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}

#define WARPMARK_BLAS_XT_SETTING(Set, Get, Type, member)            \
  inline cublasStatus_t Set(cublasXtHandle_t handle, Type value) {  \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;    \
    if (value < 0) return CUBLAS_STATUS_INVALID_VALUE;              \
    handle->member = value;                                         \
    return CUBLAS_STATUS_SUCCESS;                                   \
  }                                                                 \
  inline cublasStatus_t Get(cublasXtHandle_t handle, Type* value) { \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;    \
    if (value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;       \
    *value = handle->member;                                        \
    return CUBLAS_STATUS_SUCCESS;                                   \
  }
WARPMARK_BLAS_XT_SETTING(cublasXtSetBlockDim, cublasXtGetBlockDim, int, block)
WARPMARK_BLAS_XT_SETTING(cublasXtSetPinningMemMode, cublasXtGetPinningMemMode, cublasXtPinnedMemMode, pinning)
#undef WARPMARK_BLAS_XT_SETTING

namespace warpmark_blas_xt {

// RAII copy in device memory of a column-major matrix, which may itself be in host or device memory.
template <typename T>
class Copy {
 public:
  Copy(const T* matrix, size_t rows, size_t columns, size_t lead)
      : bytes_(rows == 0 || columns == 0 ? 0 : ((columns - 1) * lead + rows) * sizeof(T)) {
    error_ = ::cudaMalloc(reinterpret_cast<void**>(&data_), bytes_ == 0 ? sizeof(T) : bytes_);
    if (error_ == cudaSuccess && bytes_ != 0) error_ = ::cudaMemcpy(data_, matrix, bytes_, cudaMemcpyDefault);
  }
  ~Copy() { ::cudaFree(data_); }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  cudaError_t error() const { return error_; }
  T* data() const { return data_; }
  cudaError_t copy_to(T* matrix) const { return ::cudaMemcpy(matrix, data_, bytes_, cudaMemcpyDefault); }

 private:
  T* data_ = nullptr;
  size_t bytes_;
  cudaError_t error_ = cudaSuccess;
};

template <typename T>
cublasStatus_t gemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, size_t m,
                    size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb,
                    const T* beta, T* C, size_t ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  for (const size_t extent : {m, n, k, lda, ldb, ldc})
    if (extent > INT_MAX) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool plain_a = transa == CUBLAS_OP_N;
  const bool plain_b = transb == CUBLAS_OP_N;
  if (lda < (plain_a ? m : k) || ldb < (plain_b ? k : n) || ldc < m) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Copy<T> a(A, plain_a ? m : k, plain_a ? k : m, lda);
  const Copy<T> b(B, plain_b ? k : n, plain_b ? n : k, ldb);
  const Copy<T> c(C, m, n, ldc);
  for (const cudaError_t error : {a.error(), b.error(), c.error()})
    if (error != cudaSuccess)
      return error == cudaErrorMemoryAllocation ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_MAPPING_ERROR;
  const auto whole = [](size_t extent) { return static_cast<int>(extent); };
  const cublasStatus_t status = warpmark_blas::gemm<T>(
      &handle->one_device, {transa, transb, whole(m), whole(n), whole(k), whole(lda), whole(ldb), whole(ldc)},
      alpha, a.data(), b.data(), beta, c.data());
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return warpmark_blas::status_of(c.copy_to(C));
}

}  // namespace warpmark_blas_xt

#define WARPMARK_BLAS_XT_GEMM(L, T)                                                                         \
  WARPMARK_IF_CALLED                                                                                        \
  inline cublasStatus_t cublasXt##L##gemm(cublasXtHandle_t handle, cublasOperation_t transa,                \
                                          cublasOperation_t transb, size_t m, size_t n, size_t k,           \
                                          const T* alpha, const T* A, size_t lda, const T* B, size_t ldb,   \
                                          const T* beta, T* C, size_t ldc) {                                \
    return warpmark_blas_xt::gemm<T>(handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc); \
  }
WARPMARK_BLAS_XT_GEMM(S, float)
WARPMARK_BLAS_XT_GEMM(D, double)
WARPMARK_BLAS_XT_GEMM(C, cuComplex)
WARPMARK_BLAS_XT_GEMM(Z, cuDoubleComplex)
#undef WARPMARK_BLAS_XT_GEMM
