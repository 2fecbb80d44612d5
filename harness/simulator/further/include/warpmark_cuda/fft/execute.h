// cuFFT: executes the passes of a plan in order on its stream.
#pragma once

#include "warpmark_cuda/fft/passes.h"

namespace warpmark_fft {

using warpmark_lib::for_each_index;

// Two device arrays for ping-pong; the current data are in the first.
template <typename C>
struct Pair {
  C* data;
  C* other;
  void swap() {
    C* const between = data;
    data = other;
    other = between;
  }
};

// Transforms `lines` lines of axis.padded elements with stride `inner`.
template <typename C>
cudaError_t transform_lines(const Axis& axis, Index lines, Index inner, Real<C> sign, Pair<C>& arrays,
                            cudaStream_t stream) {
  Index finished = 1;
  for (int i = 0; i < axis.radix_count; ++i) {
    const Index radix = axis.radices[i];
    const Pass<C> pass{arrays.data, arrays.other, static_cast<const C*>(axis.roots), axis.padded, inner,
                       finished,    sign};
    const Index elements = lines * axis.padded;
    const cudaError_t error = radix == 4 ? for_each_index(elements / 4, stream, RadixFour<C>{pass})
                                         : for_each_index(elements, stream, AnyRadix<C>{pass, radix});
    if (error != cudaSuccess) return error;
    arrays.swap();
    finished *= radix;
  }
  return cudaSuccess;
}

template <typename C>
cudaError_t transform_axis(const Axis& axis, Index elements, Real<C> sign, Pair<C>& arrays,
                           cudaStream_t stream) {
  const Index lines = elements / axis.size;
  if (!axis.is_convolution()) return transform_lines<C>(axis, lines, axis.inner, sign, arrays, stream);
  const C* chirp = static_cast<const C*>(axis.chirp);
  cudaError_t error =
      for_each_index(lines * axis.padded, stream,
                     Pad<C>{arrays.data, arrays.other, chirp, axis.size, axis.inner, axis.padded, sign});
  arrays.swap();
  if (error == cudaSuccess) error = transform_lines<C>(axis, lines, 1, 1, arrays, stream);
  if (error == cudaSuccess)
    error = for_each_index(lines * axis.padded, stream,
                           Filter<C>{arrays.data, chirp + axis.size, axis.padded, sign});
  if (error == cudaSuccess) error = transform_lines<C>(axis, lines, 1, -1, arrays, stream);
  if (error == cudaSuccess)
    error =
        for_each_index(elements, stream,
                       Unpad<C>{arrays.data, arrays.other, chirp, axis.size, axis.inner, axis.padded, sign});
  arrays.swap();
  return error;
}

// Computes the twiddle factors and, for a convolution, chirp and filter. Synchronises the device, because the
// plan may be used next on any stream.
template <typename C>
cudaError_t make_tables(Axis& axis) {
  if (axis.size == 1) return cudaSuccess;
  const auto bytes = [](Index count) { return static_cast<size_t>(count) * sizeof(C); };
  cudaError_t error = ::cudaMalloc(&axis.roots, bytes(axis.padded));
  if (error != cudaSuccess) return error;
  error = for_each_index(axis.padded, nullptr, Roots<C>{static_cast<C*>(axis.roots), axis.padded});
  if (error == cudaSuccess && axis.is_convolution()) {
    error = ::cudaMalloc(&axis.chirp, bytes(axis.size + axis.padded));
    if (error != cudaSuccess) return error;
    void* between = nullptr;
    error = ::cudaMalloc(&between, bytes(2 * axis.padded));
    if (error != cudaSuccess) return error;
    C* const chirp = static_cast<C*>(axis.chirp);
    Pair<C> arrays{static_cast<C*>(between), static_cast<C*>(between) + axis.padded};
    error = for_each_index(axis.padded, nullptr, Chirp<C>{chirp, arrays.data, axis.size, axis.padded});
    if (error == cudaSuccess) error = transform_lines<C>(axis, 1, 1, 1, arrays, nullptr);
    if (error == cudaSuccess)
      error = ::cudaMemcpyAsync(chirp + axis.size, arrays.data, bytes(axis.padded), cudaMemcpyDeviceToDevice,
                                nullptr);
    const cudaError_t freed = ::cudaFree(between);
    if (error == cudaSuccess) error = freed;
  }
  return error == cudaSuccess ? ::cudaStreamSynchronize(nullptr) : error;
}

// The default layout: dense arrays whose last dimension is `last`; real arrays are padded as in-place
// transforms require.
inline Layout dense(const Plan& plan, Index last) {
  const Index n0 = plan.axes[0].size;
  const Index n1 = plan.axes[1].size;
  return {{n0, n1, last}, 1, n0 * n1 * last};
}
inline Layout layout_of(const Plan& plan, bool of_input, bool in_place) {
  if (plan.advanced) return of_input ? plan.input : plan.output;
  const Index last = plan.axes[2].size;
  const Index half = last / 2 + 1;
  if (of_input ? plan.is_complex_to_real() : plan.is_real_to_complex()) return dense(plan, half);
  if (of_input ? plan.is_real_to_complex() : plan.is_complex_to_real())
    return dense(plan, in_place ? 2 * half : last);
  return dense(plan, last);
}

template <typename C, typename From, typename To>
cufftResult execute(const Plan& plan, From* input, To* output, int direction) {
  if (input == nullptr || output == nullptr || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (plan.work == nullptr) return CUFFT_NO_WORKSPACE;
  const bool in_place = static_cast<void*>(input) == static_cast<void*>(output);
  const Axis* axes = plan.axes;
  const Shape shape{axes[0].size, axes[1].size, axes[2].size};
  const Index elements = plan.batch * shape.n0 * shape.n1 * shape.n2;
  Pair<C> arrays{static_cast<C*>(plan.work), static_cast<C*>(plan.work) + plan.elements};
  const Layout from = layout_of(plan, true, in_place);
  const Layout to = layout_of(plan, false, in_place);
  constexpr bool to_real = !std::is_same_v<C, To>;
  cudaError_t error = cudaSuccess;
  if constexpr (to_real) {
    const Shape half{shape.n0, shape.n1, shape.n2 / 2 + 1};
    const bool through = plan.load.function != nullptr;
    if (through) error = plan.load.through(plan, input, arrays.other, from, half);
    const LoadHalf<C> load{through ? arrays.other : input, arrays.data, through ? dense(plan, half.n2) : from,
                           shape};
    if (error == cudaSuccess) error = for_each_index(elements, plan.stream, load);
  } else if (plan.load.function != nullptr) {
    error = plan.load.through(plan, input, arrays.data, from, shape);
  } else {
    error = for_each_index(elements, plan.stream, Load<C, From>{input, arrays.data, from, shape});
  }
  for (int i = kMaxRank; i-- > 0 && error == cudaSuccess;) {
    const auto sign = static_cast<Real<C>>(-direction);
    if (axes[i].size > 1) error = transform_axis<C>(axes[i], elements, sign, arrays, plan.stream);
  }
  if (error != cudaSuccess) return CUFFT_EXEC_FAILED;
  Shape stored = shape;
  if (plan.is_real_to_complex()) stored.n2 = shape.n2 / 2 + 1;
  if (plan.store.function != nullptr)
    error = plan.store.through(plan, output, arrays.data, to, stored);
  else
    error = for_each_index(plan.batch * stored.n0 * stored.n1 * stored.n2, plan.stream,
                           Store<C, To>{arrays.data, output, to, stored, shape.n2});
  return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

template <typename C, typename From, typename To>
cufftResult execute(cufftHandle handle, cufftType type, From* input, To* output, int direction) {
  const Plan* const plan = find(handle);
  if (plan == nullptr || !plan->made || plan->gpu_count > 0) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  return execute<C>(*plan, input, output, direction);
}

}  // namespace warpmark_fft
