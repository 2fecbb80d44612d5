// cuFFT callbacks: elements are read and written through the program's device functions. These kernels are
// compiled only into programs that set a callback.
#pragma once

#include "warpmark_cuda/algorithms/run.h"
#include "warpmark_cuda/fft/execute.h"

namespace warpmark_fft {

constexpr size_t kMaxSharedBytes = 16384;

__device__ __forceinline__ void* shared_of(const Callback& callback) {
  extern __shared__ double warpmark_fft_shared[];
  return callback.shared_bytes > 0 ? warpmark_fft_shared : nullptr;
}

__device__ __forceinline__ size_t offset_of(Index i, const Layout& layout, const Shape& shape) {
  const Index row = i / shape.n2;
  const Index plane = row / shape.n1;
  return static_cast<size_t>(layout.at(plane / shape.n0, plane % shape.n0, row % shape.n1, i % shape.n2));
}

// Kernel functor of a cuFFT load callback: calls the callback for element i of the program's batch of arrays,
// and stores the result in to[i].
template <typename T>
struct LoadThrough {
  void* from;
  T* to;
  Layout layout;
  Shape shape;
  Callback callback;
  __device__ void operator()(Index i) {
    const auto function = reinterpret_cast<T (*)(void*, size_t, void*, void*)>(callback.function);
    to[i] = function(from, offset_of(i, layout, shape), callback.info, shared_of(callback));
  }
};
template <typename T>
struct StoreThrough {
  const T* from;
  void* to;
  Layout layout;
  Shape shape;
  Callback callback;
  __device__ void operator()(Index i) {
    const auto function = reinterpret_cast<void (*)(void*, size_t, T, void*, void*)>(callback.function);
    function(to, offset_of(i, layout, shape), from[i], callback.info, shared_of(callback));
  }
};

template <typename T>
cudaError_t load_through(const Plan& plan, void* array, void* numbers, const Layout& layout,
                         const Shape& shape) {
  return warpmark_lib::for_each_index(
      plan.batch * shape.n0 * shape.n1 * shape.n2, plan.stream,
      LoadThrough<T>{array, static_cast<T*>(numbers), layout, shape, plan.load}, plan.load.shared_bytes);
}
template <typename T>
cudaError_t store_through(const Plan& plan, void* array, void* numbers, const Layout& layout,
                          const Shape& shape) {
  return warpmark_lib::for_each_index(
      plan.batch * shape.n0 * shape.n1 * shape.n2, plan.stream,
      StoreThrough<T>{static_cast<const T*>(numbers), array, layout, shape, plan.store},
      plan.store.shared_bytes);
}

// Returns the plan's load or store callback if `type` matches its direction and the plan's data type, else
// null.
inline Callback* find_callback(Plan& plan, cufftXtCallbackType type) {
  const int of_double = plan.is_double() ? 1 : 0;
  const int load = (plan.is_real_to_complex() ? CUFFT_CB_LD_REAL : CUFFT_CB_LD_COMPLEX) + of_double;
  const int store = (plan.is_complex_to_real() ? CUFFT_CB_ST_REAL : CUFFT_CB_ST_COMPLEX) + of_double;
  return type == load ? &plan.load : type == store ? &plan.store : nullptr;
}

template <typename Change>
cufftResult change_callback(cufftHandle handle, cufftXtCallbackType type, const Change& change) {
  Plan* const plan = find(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (plan->gpu_count > 0) return CUFFT_NOT_IMPLEMENTED;
  Callback* const callback = find_callback(*plan, type);
  if (callback == nullptr) return CUFFT_INVALID_TYPE;
  change(*callback);
  return CUFFT_SUCCESS;
}

// Registers the program's callback function for a cuFFT plan; kThrough maps each cufftXtCallbackType to the
// kernel launcher for its element type.
WARPMARK_IF_CALLED
cufftResult set_callback(cufftHandle handle, void** functions, cufftXtCallbackType type, void** infos) {
  static constexpr decltype(Callback::through) kThrough[] = {
      load_through<cuComplex>,  load_through<cuDoubleComplex>,  load_through<float>,  load_through<double>,
      store_through<cuComplex>, store_through<cuDoubleComplex>, store_through<float>, store_through<double>};
  if (functions == nullptr || functions[0] == nullptr) return CUFFT_INVALID_VALUE;
  return change_callback(handle, type, [&](Callback& callback) {
    callback = {functions[0], infos == nullptr ? nullptr : infos[0], 0, kThrough[type]};
  });
}

}  // namespace warpmark_fft
