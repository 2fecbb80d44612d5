// Implements cub::DeviceAdjacentDifference for the CUDA simulator.
#pragma once

#include "cub/device/common.h"

namespace cub {

struct DeviceAdjacentDifference {
  template <typename Input, typename Output, typename Operation = cub::Difference>
  static cudaError_t SubtractLeftCopy(void* memory, size_t& bytes, Input input, Output output,
                                      long long count, Operation operation = {}, cudaStream_t stream = 0,
                                      bool = false) {
    return subtract<false>(memory, bytes, input, output, count, operation, stream);
  }
  template <typename Input, typename Output, typename Operation = cub::Difference>
  static cudaError_t SubtractRightCopy(void* memory, size_t& bytes, Input input, Output output,
                                       long long count, Operation operation = {}, cudaStream_t stream = 0,
                                       bool = false) {
    return subtract<true>(memory, bytes, input, output, count, operation, stream);
  }
  template <typename Values, typename Operation = cub::Difference>
  static cudaError_t SubtractLeft(void* memory, size_t& bytes, Values values, long long count,
                                  Operation operation = {}, cudaStream_t stream = 0, bool = false) {
    return subtract<false>(memory, bytes, values, values, count, operation, stream);
  }
  template <typename Values, typename Operation = cub::Difference>
  static cudaError_t SubtractRight(void* memory, size_t& bytes, Values values, long long count,
                                   Operation operation = {}, cudaStream_t stream = 0, bool = false) {
    return subtract<true>(memory, bytes, values, values, count, operation, stream);
  }

 private:
  template <bool right, typename Value, typename Output, typename Operation>
  struct Subtract {
    const Value* values;
    detail::Index count;
    Output output;
    Operation operation;
    __device__ void operator()(detail::Index i) {
      const detail::Index other = right ? i + 1 : i - 1;
      if (other < 0 || other >= count)
        output[i] = values[i];
      else
        output[i] = operation(values[i], values[other]);
    }
  };
  template <typename Input, typename Value>
  struct Copy {
    Input input;
    Value* output;
    __device__ void operator()(detail::Index i) { output[i] = input[i]; }
  };

  // cub::DeviceAdjacentDifference reads from a copy of the input, so that input and output may be the same
  // array.
  template <bool right, typename Input, typename Output, typename Operation>
  static cudaError_t subtract(void* memory, size_t& bytes, Input input, Output output, detail::Index count,
                              Operation operation, cudaStream_t stream) {
    using Value = detail::ValueOf<Input>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      Value* copy = scratch.take<Value>(count);
      if (scratch.measures()) return cudaSuccess;
      const cudaError_t error = warpmark_lib::for_each_index(count, stream, Copy<Input, Value>{input, copy});
      if (error != cudaSuccess) return error;
      return warpmark_lib::for_each_index(
          count, stream, Subtract<right, Value, Output, Operation>{copy, count, output, operation});
    });
  }
};

}  // namespace cub
