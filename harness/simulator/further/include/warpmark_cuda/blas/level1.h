// cuBLAS level 1: vectors. Sums are computed in the order of the vector, chunk by chunk.
#pragma once

#include "warpmark_cuda/algorithms/reduce.h"
#include "warpmark_cuda/blas/numbers.h"

namespace warpmark_blas {

template <typename T>
struct Axpy {
  Scalar<T> alpha;
  Vector<const T> x;
  Vector<T> y;
  __device__ void operator()(Index i) { y[i] = multiply_add(alpha.get(), x[i], y[i]); }
};
template <typename T>
cublasStatus_t axpy(cublasHandle_t handle, Index n, const T* alpha, const T* x, Index incx, T* y,
                    Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, n, Axpy<T>{scalar<T>(handle, alpha), vector(x, n, incx), vector(y, n, incy)});
}

template <typename T, typename S>
struct Scale {
  Scalar<S> alpha;
  Vector<T> x;
  __device__ void operator()(Index i) { x[i] = multiply(convert<T>(alpha.get()), x[i]); }
};
template <typename T, typename S>
cublasStatus_t scal(cublasHandle_t handle, Index n, const S* alpha, T* x, Index incx) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(alpha != nullptr);
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, n, Scale<T, S>{scalar<S>(handle, alpha), vector(x, n, incx)});
}

template <typename T>
struct Copy {
  Vector<const T> x;
  Vector<T> y;
  __device__ void operator()(Index i) { y[i] = x[i]; }
};
template <typename T>
cublasStatus_t copy(cublasHandle_t handle, Index n, const T* x, Index incx, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, n, Copy<T>{vector(x, n, incx), vector(y, n, incy)});
}

template <typename T>
struct Swap {
  Vector<T> x;
  Vector<T> y;
  __device__ void operator()(Index i) {
    const T between = x[i];
    x[i] = y[i];
    y[i] = between;
  }
};
template <typename T>
cublasStatus_t swap(cublasHandle_t handle, Index n, T* x, Index incx, T* y, Index incy) {
  WARPMARK_BLAS_HANDLE(handle);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(handle, n, Swap<T>{vector(x, n, incx), vector(y, n, incy)});
}

template <typename T>
struct Rotate {
  Scalar<T> cosine;
  Scalar<T> sine;
  Vector<T> x;
  Vector<T> y;
  __device__ void operator()(Index i) {
    const T c = cosine.get();
    const T s = sine.get();
    const T before = x[i];
    x[i] = c * before + s * y[i];
    y[i] = c * y[i] - s * before;
  }
};
template <typename T>
cublasStatus_t rot(cublasHandle_t handle, Index n, T* x, Index incx, T* y, Index incy, const T* c,
                   const T* s) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(c != nullptr && s != nullptr);
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return launch(
      handle, n,
      Rotate<T>{scalar<T>(handle, c), scalar<T>(handle, s), vector(x, n, incx), vector(y, n, incy)});
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

// As documented, a function with a result in host memory synchronises the stream.
template <typename Result, typename Algorithm>
cublasStatus_t with_result(cublasHandle_t handle, Result* result, const Algorithm& algorithm) {
  const bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  cudaError_t error = warpmark_lib::with_own_memory(handle->stream, [&](warpmark_lib::Scratch& scratch) {
    Result* place = on_device ? result : scratch.take<Result>(1);
    cudaError_t made = algorithm(scratch, place);
    if (made != cudaSuccess || scratch.measures() || on_device) return made;
    return ::cudaMemcpyAsync(result, place, sizeof(Result), cudaMemcpyDeviceToHost, handle->stream);
  });
  if (error == cudaSuccess && !on_device) error = ::cudaStreamSynchronize(handle->stream);
  return status_of(error);
}

template <typename T>
struct Product {
  Vector<const T> x;
  Vector<const T> y;
  bool conjugated;
  __device__ T operator()(Index i) const { return multiply(conjugate(x[i], conjugated), y[i]); }
};
template <typename T>
struct Add {
  __device__ T operator()(const T& a, const T& b) const { return add(a, b); }
};
template <typename T>
cublasStatus_t dot(cublasHandle_t handle, Index n, const T* x, Index incx, const T* y, Index incy, T* result,
                   bool conjugated = false) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(result != nullptr);
  if (n < 0) n = 0;
  const warpmark_lib::Computed<T, Product<T>> products{{vector(x, n, incx), vector(y, n, incy), conjugated}};
  return with_result(handle, result, [&](warpmark_lib::Scratch& scratch, T* place) {
    return warpmark_lib::reduce<T>(scratch, products, place, n, Add<T>(), T{}, handle->stream);
  });
}

template <typename T>
struct SizeAt {
  Vector<const T> x;
  __device__ Real<T> operator()(Index i) const { return size_of(x[i]); }
};
template <typename T>
cublasStatus_t asum(cublasHandle_t handle, Index n, const T* x, Index incx, Real<T>* result) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(result != nullptr);
  if (n < 0 || incx <= 0) n = 0;
  const warpmark_lib::Computed<Real<T>, SizeAt<T>> sizes{{vector(x, n, incx)}};
  return with_result(handle, result, [&](warpmark_lib::Scratch& scratch, Real<T>* place) {
    return warpmark_lib::reduce<Real<T>>(scratch, sizes, place, n, Add<Real<T>>(), Real<T>(0),
                                         handle->stream);
  });
}

// Represents the sum of squares scale^2 * squares without overflow.
struct Squares {
  double scale;
  double squares;
};
struct AddSquares {
  __device__ Squares operator()(const Squares& a, const Squares& b) const {
    const Squares& large = a.scale >= b.scale ? a : b;
    const Squares& small = a.scale >= b.scale ? b : a;
    if (large.scale == 0) return large;
    const double ratio = small.scale / large.scale;
    return {large.scale, large.squares + small.squares * ratio * ratio};
  }
};
template <typename T>
struct SquareAt {
  Vector<const T> x;
  __device__ Squares operator()(Index i) const {
    const T value = x[i];
    if constexpr (kIsComplex<T>)
      return AddSquares()({size_of<double>(value.x), 1}, {size_of<double>(value.y), 1});
    else
      return {size_of<double>(value), 1};
  }
};
template <typename R>
struct RootOf {
  R* result;
  // Output iterator for the end of a reduction.
  __device__ const RootOf& operator*() const { return *this; }
  __device__ const RootOf& operator=(const Squares& sum) const {
    *result = static_cast<R>(sum.scale * std::sqrt(sum.squares));
    return *this;
  }
};
template <typename T>
cublasStatus_t nrm2(cublasHandle_t handle, Index n, const T* x, Index incx, Real<T>* result) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(result != nullptr);
  if (n < 0 || incx <= 0) n = 0;
  const warpmark_lib::Computed<Squares, SquareAt<T>> squares{{vector(x, n, incx)}};
  return with_result(handle, result, [&](warpmark_lib::Scratch& scratch, Real<T>* place) {
    return warpmark_lib::reduce<Squares>(scratch, squares, RootOf<Real<T>>{place}, n, AddSquares(),
                                         Squares{0, 0}, handle->stream);
  });
}

// The first (1-based) position of the largest or smallest magnitude; 0 if there are no elements.
template <typename R>
struct Place {
  R size;
  Index position;
};
template <typename T>
struct PlaceAt {
  Vector<const T> x;
  __device__ Place<Real<T>> operator()(Index i) const { return {size_of(x[i]), i + 1}; }
};
template <bool largest, typename R>
struct Further {
  __device__ Place<R> operator()(const Place<R>& a, const Place<R>& b) const {
    if (a.position == 0) return b;
    const bool better = largest ? b.size > a.size : b.size < a.size;
    return better ? b : a;
  }
};
template <typename Result, typename R>
struct PositionOf {
  Result* result;
  __device__ const PositionOf& operator*() const { return *this; }
  __device__ const PositionOf& operator=(const Place<R>& place) const {
    *result = static_cast<Result>(place.position);
    return *this;
  }
};
template <bool largest, typename T, typename Result>
cublasStatus_t extreme(cublasHandle_t handle, Index n, const T* x, Index incx, Result* result) {
  WARPMARK_BLAS_HANDLE(handle);
  WARPMARK_BLAS_VALUES(result != nullptr);
  if (n < 0 || incx <= 0) n = 0;
  using R = Real<T>;
  const warpmark_lib::Computed<Place<R>, PlaceAt<T>> places{{vector(x, n, incx)}};
  return with_result(handle, result, [&](warpmark_lib::Scratch& scratch, Result* place) {
    return warpmark_lib::reduce<Place<R>>(scratch, places, PositionOf<Result, R>{place}, n,
                                          Further<largest, R>(), Place<R>{0, 0}, handle->stream);
  });
}

}  // namespace warpmark_blas
