// cuBLAS-XT: copies host matrices to the device, computes there, and copies the result back. A single device
// does all of the work, and none is offloaded to the CPU; the results are the same.
#pragma once

#include "warpmark_cuda/blas/numbers.h"

typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

struct cublasXtContext {
  cublasContext blas;
  bool has_device = false;
  int device = 0;
  int block_dim = 1024;  // default of cuBLAS 13.0 on an H200, 2026-11-23
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};
typedef struct cublasXtContext* cublasXtHandle_t;

namespace warpmark_blas {

// Makes the device current within the scope.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    ::cudaGetDevice(&before_);
    if (before_ != device) ::cudaSetDevice(device);
    device_ = device;
  }
  ~OnDevice() {
    if (before_ != device_) ::cudaSetDevice(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
  int device_ = 0;
};

// A matrix of the program in host memory; without rows it is absent.
template <typename T>
struct HostMatrix {
  const T* data = nullptr;
  size_t rows = 0;
  size_t columns = 0;
  size_t leading = 1;
  bool is_right() const { return leading >= rows && leading > 0 && (data != nullptr || rows * columns == 0); }
};

// The matrix's contiguous copy in device memory.
template <typename T>
class Staged {
 public:
  Staged(const HostMatrix<T>& matrix, bool reads) : matrix_(matrix) {
    const size_t count = matrix.rows * matrix.columns;
    if (count == 0) return;
    error_ = ::cudaMalloc(&data_, count * sizeof(T));
    if (error_ != cudaSuccess || !reads) return;
    error_ = ::cudaMemcpy2D(data_, matrix.rows * sizeof(T), matrix.data, matrix.leading * sizeof(T),
                            matrix.rows * sizeof(T), matrix.columns, cudaMemcpyDefault);
  }
  ~Staged() { ::cudaFree(data_); }
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;

  cudaError_t write_back(T* to) {
    if (data_ == nullptr) return cudaSuccess;
    return ::cudaMemcpy2D(to, matrix_.leading * sizeof(T), data_, matrix_.rows * sizeof(T),
                          matrix_.rows * sizeof(T), matrix_.columns, cudaMemcpyDefault);
  }
  T* get() const { return data_; }
  Index leading() const { return at_least_1(static_cast<Index>(matrix_.rows)); }
  cudaError_t error() const { return error_; }

 private:
  HostMatrix<T> matrix_;
  T* data_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

// Calls work(cuBLAS handle, a, b, c) on device copies of the three and copies c back to `result`. C is copied
// to the device only if the result depends on it.
template <typename T, typename Work>
cublasStatus_t on_copies(cublasXtHandle_t handle, const HostMatrix<T>& a, const HostMatrix<T>& b,
                         const HostMatrix<T>& c, T* result, bool reads_c, const Work& work) {
  if (handle == nullptr || !handle->has_device) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!a.is_right() || !b.is_right() || !c.is_right()) return CUBLAS_STATUS_INVALID_VALUE;
  const OnDevice there(handle->device);
  Staged<T> on_a(a, true);
  Staged<T> on_b(b, true);
  Staged<T> on_c(c, reads_c);
  for (const Staged<T>* each : {&on_a, &on_b, &on_c}) {
    if (each->error() != cudaSuccess) return status_of(each->error());
  }
  const cublasStatus_t status = work(&handle->blas, on_a, on_b, on_c);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return status_of(on_c.write_back(result));
}

// Returns the stored matrix A of an op(A) with `rows` rows and `columns` columns.
template <typename T>
HostMatrix<T> before(cublasOperation_t operation, const T* data, size_t rows, size_t columns,
                     size_t leading) {
  if (operation == CUBLAS_OP_N) return {data, rows, columns, leading};
  return {data, columns, rows, leading};
}
template <typename T>
HostMatrix<T> square(cublasSideMode_t side, const T* data, size_t m, size_t n, size_t leading) {
  const size_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  return {data, order, order, leading};
}

}  // namespace warpmark_blas
