// cuFFT callbacks: elements are read and written through the program's device functions. These kernels are
// compiled only into programs that set a callback.
#pragma once

#include "warpmark_cuda/fft/execute.h"

namespace warpmark_fft {

constexpr size_t kMaxSharedBytes = 16384;

__device__ __forceinline__ void* shared_of(const Callback& callback) {
  extern __shared__ double warpmark_fft_shared[];
  return callback.shared_bytes > 0 ? warpmark_fft_shared : nullptr;
}

// T: element type of the program's array.
template <typename C, typename T>
struct LoadThrough {
  void* from;
  C* to;
  Layout layout;
  Shape shape;
  Callback callback;
  __device__ void operator()(Index i) {
    const Place p = shape.place(i);
    const auto function = reinterpret_cast<T (*)(void*, size_t, void*, void*)>(callback.function);
    const auto offset = static_cast<size_t>(layout.at(p.batch, p.x0, p.x1, p.x2));
    const T value = function(from, offset, callback.info, shared_of(callback));
    if constexpr (std::is_same_v<C, T>)
      to[i] = value;
    else
      to[i] = C{value, 0};
  }
};
template <typename C, typename T>
struct StoreThrough {
  const C* from;
  void* to;
  Layout layout;
  Shape stored;
  Index n2;
  Callback callback;
  __device__ void operator()(Index i) {
    const Place p = stored.place(i);
    const C& value = from[((p.batch * stored.n0 + p.x0) * stored.n1 + p.x1) * n2 + p.x2];
    const auto function = reinterpret_cast<void (*)(void*, size_t, T, void*, void*)>(callback.function);
    const auto offset = static_cast<size_t>(layout.at(p.batch, p.x0, p.x1, p.x2));
    if constexpr (std::is_same_v<C, T>)
      function(to, offset, value, callback.info, shared_of(callback));
    else
      function(to, offset, value.x, callback.info, shared_of(callback));
  }
};

template <typename C, typename T>
cudaError_t load_through(const Plan& plan, void* array, void* numbers, const Layout& layout,
                         const Shape& shape) {
  return for_each_index(plan.batch * shape.n0 * shape.n1 * shape.n2, plan.stream,
                        LoadThrough<C, T>{array, static_cast<C*>(numbers), layout, shape, plan.load},
                        plan.load.shared_bytes);
}
template <typename C, typename T>
cudaError_t store_through(const Plan& plan, void* array, void* numbers, const Layout& layout,
                          const Shape& shape) {
  return for_each_index(
      plan.batch * shape.n0 * shape.n1 * shape.n2, plan.stream,
      StoreThrough<C, T>{static_cast<const C*>(numbers), array, layout, shape, plan.axes[2].size, plan.store},
      plan.store.shared_bytes);
}

// Returns the plan's callback of that type, or null if the type does not match the plan's data.
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

// Indexed by cufftXtCallbackType.
WARPMARK_IF_CALLED
cufftResult set_callback(cufftHandle handle, void** functions, cufftXtCallbackType type, void** infos) {
  using Single = cuComplex;
  using Double = cuDoubleComplex;
  static constexpr decltype(Callback::through) kThrough[] = {
      load_through<Single, Single>, load_through<Double, Double>,  load_through<Single, float>,
      load_through<Double, double>, store_through<Single, Single>, store_through<Double, Double>,
      store_through<Single, float>, store_through<Double, double>};
  if (functions == nullptr || functions[0] == nullptr) return CUFFT_INVALID_VALUE;
  return change_callback(handle, type, [&](Callback& callback) {
    callback = {functions[0], infos == nullptr ? nullptr : infos[0], 0, kThrough[type]};
  });
}

}  // namespace warpmark_fft
