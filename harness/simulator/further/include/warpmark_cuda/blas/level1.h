// cuBLAS level 1: vectors.
#pragma once

#include "warpmark_cuda/blas/matrices.h"

namespace warpmark_blas {

template <typename T>
cublasStatus_t axpy(cublasHandle_t handle, Index n, const T* alpha, const T* x, Index incx, T* y,
                    Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return add<T>(handle, "axpy", factor_of(handle, alpha), vector(x, n, incx), constant(1),
                vector<const T>(y, n, incy), vector(y, n, incy));
}

template <typename T, typename S>
cublasStatus_t scal(cublasHandle_t handle, Index n, const S* alpha, T* x, Index incx) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr);
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto read = vector<const T>(x, n, incx);
  return add<T>(handle, "scal", factor_of(handle, alpha), read, constant(0), read, vector(x, n, incx));
}

template <typename T>
cublasStatus_t copy(cublasHandle_t handle, Index n, const T* x, Index incx, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto read = vector(x, n, incx);
  return add<T>(handle, "copy", constant(1), read, constant(0), read, vector(y, n, incy));
}

// Runs a BLAS routine that overwrites both of its vectors x and y (e.g. rot, rotm). `first`: the call with
// all operands that precede the vectors.
template <typename T>
cublasStatus_t change_both(cublasHandle_t handle, Routine<T>& first, Index n, T* x, Index incx, T* y,
                           Index incy) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto of_x = vector(x, n, incx);
  const auto of_y = vector(y, n, incy);
  return status_of_call(first.matrix(Access::read_and_write, of_x.at, n, 1, of_x.form)
                            .matrix(Access::read_and_write, of_y.at, n, 1, of_y.form)
                            .run(handle->stream));
}
template <typename T>
cublasStatus_t swap(cublasHandle_t handle, Index n, T* x, Index incx, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  Routine<T> routine('B', "swap", 1, {});
  return change_both(handle, routine.factor(constant(0)).factor(constant(0)), n, x, incx, y, incy);
}
template <typename T>
cublasStatus_t rot(cublasHandle_t handle, Index n, T* x, Index incx, T* y, Index incy, const T* c,
                   const T* s) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(c != nullptr && s != nullptr);
  Routine<T> routine('B', "rot", 1, {});
  return change_both(handle, routine.factor(factor_of(handle, c)).factor(factor_of(handle, s)), n, x, incx, y,
                     incy);
}
// Applies a modified Givens rotation to x and y. values: (flag, h11, h21, h12, h22).
template <typename T>
cublasStatus_t rotm(cublasHandle_t handle, Index n, T* x, Index incx, T* y, Index incy, const T* values) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(values != nullptr);
  const bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  Routine<T> routine('B', "rotm", 1, {});
  routine.array(Access::read, on_device ? values : nullptr, 5).factor(constant(0));
  for (int i = 0; i < 5 && !on_device; ++i) routine.number(i, values[i]);
  return change_both(handle, routine, n, x, incx, y, incy);
}

// Computes the Givens rotation that maps (a, b) to (r, 0).
template <typename T>
__host__ __device__ void make_rotation(T* a, T* b, T* c, T* s) {
  const T x = *a;
  const T y = *b;
  const T larger = size_of(x) > size_of(y) ? x : y;
  if (larger == 0) {
    *c = 1;
    *s = 0;
    return;
  }
  const T scaled_x = x / larger;
  const T scaled_y = y / larger;
  const T r = larger * std::sqrt(scaled_x * scaled_x + scaled_y * scaled_y);
  *c = x / r;
  *s = y / r;
  *a = r;
  *b = size_of(x) > size_of(y) ? *s : *c != 0 ? 1 / *c : T(1);
}
template <typename T>
struct MakeRotation {
  T* a;
  T* b;
  T* c;
  T* s;
  __device__ void operator()(Index) { make_rotation(a, b, c, s); }
};
template <typename T>
cublasStatus_t rotg(cublasHandle_t handle, T* a, T* b, T* c, T* s) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(a != nullptr && b != nullptr && c != nullptr && s != nullptr);
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    return launch(handle, 1, MakeRotation<T>{a, b, c, s});
  make_rotation(a, b, c, s);
  return CUBLAS_STATUS_SUCCESS;
}

// Runs a cuBLAS function that returns a number: into device memory asynchronously or, by the handle's pointer
// mode, into host memory, which synchronises the stream as cuBLAS documents.
template <typename Result, typename Compute>
cublasStatus_t with_result(cublasHandle_t handle, Result* result, const Compute& compute) {
  if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return compute(result);
  Result* place = nullptr;
  cudaError_t error = ::cudaMallocAsync(reinterpret_cast<void**>(&place), sizeof(Result), handle->stream);
  if (error != cudaSuccess) return status_of(error);
  const cublasStatus_t status = compute(place);
  if (status == CUBLAS_STATUS_SUCCESS)
    error = ::cudaMemcpyAsync(result, place, sizeof(Result), cudaMemcpyDeviceToHost, handle->stream);
  const cudaError_t freed = ::cudaFreeAsync(place, handle->stream);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (error == cudaSuccess) error = freed;
  return status_of(error == cudaSuccess ? ::cudaStreamSynchronize(handle->stream) : error);
}

template <typename T>
cublasStatus_t dot(cublasHandle_t handle, Index n, const T* x, Index incx, const T* y, Index incy, T* result,
                   bool conjugated = false) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(result != nullptr);
  if (n < 0) n = 0;
  return with_result(handle, result, [&](T* place) {
    return multiply<T>(handle, "dot", 1, constant(1), vector(x, n, incx, conjugated ? 'C' : 'T'),
                       vector(y, n, incy), constant(0), vector(place, 1, 1));
  });
}

// Runs a BLAS reduction of a vector to one number or index: asum, nrm2, amax or amin.
template <typename T, typename Result>
cublasStatus_t measure(const char* name, cublasHandle_t handle, Index n, const T* x, Index incx,
                       Result* result) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(result != nullptr);
  if (n < 0 || incx <= 0) n = 0;
  const auto read = vector(x, n, incx > 0 ? incx : 1);
  return with_result(handle, result, [&](Result* place) {
    return status_of_call(Routine<T>('B', name, 1, {})
                              .matrix(Access::read, read.at, n, 1, read.form)
                              .array(Access::write, place, 1)
                              .run(handle->stream));
  });
}

}  // namespace warpmark_blas
