// Executes a cuFFT plan: builds the message that asks the simulator's device process to transform (see
// warpmark_cuda/host/library_call.h).
#pragma once

#include "warpmark_cuda/fft/types.h"
#include "warpmark_cuda/host/library_call.h"

namespace warpmark_fft {

// Returns the layout of a cuFFT plan's input or output array. cuFFT's default has no gaps, except that rows
// of real numbers are padded for an in-place transform.
inline Layout layout_of(const Plan& plan, bool of_input, bool in_place) {
  if (plan.advanced) return of_input ? plan.input : plan.output;
  Shape shape = plan.shape(of_input);
  if (in_place && (of_input ? plan.is_real_to_complex() : plan.is_complex_to_real()))
    shape.n2 = 2 * (shape.n2 / 2 + 1);
  return shape.dense();
}

inline void use_all(WarpmarkOperand& operand) {
  operand.below = operand.rows;
  operand.above = operand.columns;
  operand.storage = 'D';
}
// Describes a cuFFT plan's input or output array to the device process. Strides of dimensions of size 1 are
// ignored, because no address depends on them.
template <typename T>
WarpmarkOperand operand(const Plan& plan, T* data, const Layout& layout, bool of_input) {
  const Shape shape = plan.shape(of_input);
  const auto apart = [](Index count, Index elements) { return count > 1 ? elements : 0; };
  WarpmarkOperand operand{};
  operand.data = data;
  operand.rows = shape.n2;
  operand.step = shape.n2 > 1 ? layout.stride : 1;
  operand.columns = shape.n1;
  operand.leading = shape.n1 > 1 ? layout.sizes[2] * layout.stride : 1;
  operand.outer[0] = shape.n0;
  operand.apart[0] = apart(shape.n0, layout.sizes[1] * layout.sizes[2] * layout.stride);
  operand.outer[1] = plan.batch;
  operand.apart[1] = apart(plan.batch, layout.distance);
  operand.element = sizeof(T);
  use_all(operand);
  operand.is_read = of_input;
  operand.is_written = !of_input;
  return operand;
}
// Describes a cuFFT plan's work area to the device process, which does not need the memory but checks the
// area's size, and that no other stream uses it.
inline WarpmarkOperand work_area(const Plan& plan) {
  WarpmarkOperand operand{};
  operand.data = plan.work;
  operand.rows = operand.leading = plan.elements;
  operand.columns = operand.step = operand.outer[0] = operand.outer[1] = 1;
  operand.element = static_cast<int>(plan.complex_bytes());
  use_all(operand);
  return operand;
}

template <typename From, typename To>
cufftResult execute(const Plan& plan, From* input, To* output, int direction) {
  if (input == nullptr || output == nullptr || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (plan.work == nullptr) return CUFFT_NO_WORKSPACE;
  const bool in_place = static_cast<void*>(input) == static_cast<void*>(output);
  const Layout from = layout_of(plan, true, in_place);
  const Layout to = layout_of(plan, false, in_place);
  const bool loads = plan.load.function != nullptr;
  const bool stores = plan.store.function != nullptr;
  auto* const loaded = static_cast<From*>(plan.work);
  auto* const stored = static_cast<To*>(plan.work);
  if (loads && plan.load.through(plan, input, loaded, from, plan.shape(true)) != cudaSuccess)
    return CUFFT_EXEC_FAILED;
  WarpmarkLibraryCall call{{"transform"}, 'F', plan.is_double() ? 'Z' : 'C', 3, 1, {direction < 0}, {}, {}};
  call.operand[0] = operand(plan, loads ? loaded : input, loads ? plan.shape(true).dense() : from, true);
  call.operand[1] = operand(plan, stores ? stored : output, stores ? plan.shape(false).dense() : to, false);
  call.operand[2] = work_area(plan);
  if (::warpmark_device_library_call(call, plan.stream) != cudaSuccess) return CUFFT_EXEC_FAILED;
  if (stores && plan.store.through(plan, output, stored, to, plan.shape(false)) != cudaSuccess)
    return CUFFT_EXEC_FAILED;
  return CUFFT_SUCCESS;
}

template <typename From, typename To>
cufftResult execute(cufftHandle handle, cufftType type, From* input, To* output, int direction) {
  const Plan* const plan = find(handle);
  if (plan == nullptr || !plan->made || plan->gpu_count > 0) return CUFFT_INVALID_PLAN;
  if (plan->type != type) return CUFFT_INVALID_TYPE;
  return execute(*plan, input, output, direction);
}

}  // namespace warpmark_fft
