// cuBLAS-XT: matrices of host memory are copied to the device, worked on there, and copied back. One device
// does all of the work, and no tile of it goes to the CPU: the answers are the same.
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
  int block_dim = 1024;  // as cuBLAS 13.0 on an H200 begins, 2026-11-23
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
};
typedef struct cublasXtContext* cublasXtHandle_t;

namespace warpmark_blas {

// Work goes to that device until the end of the scope.
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

// Where a matrix of the program lies; without rows there is none.
template <typename T>
struct HostMatrix {
  const T* data = nullptr;
  size_t rows = 0;
  size_t columns = 0;
  size_t leading = 1;
  bool is_right() const { return leading >= rows && leading > 0 && (data != nullptr || rows * columns == 0); }
};

// Its copy in device memory, the columns behind one another.
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

// work(handle of cuBLAS, a, b, c) on copies of the three; c goes back to `result`. What C held is copied
// where the result needs it.
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

// A matrix of `rows` and `columns` after its operation.
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
