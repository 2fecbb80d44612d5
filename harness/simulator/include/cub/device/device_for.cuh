// Implements cub::DeviceFor for the CUDA simulator.
#pragma once

#include "cub/device/common.h"

namespace cub {

struct DeviceFor {
  template <typename Shape, typename Operation>
  static cudaError_t Bulk(Shape shape, Operation operation, cudaStream_t stream = 0) {
    return warpmark_lib::for_each_index(static_cast<detail::Index>(shape), stream,
                                        AtIndex<Shape, Operation>{operation});
  }
  template <typename Input, typename Count, typename Operation>
  static cudaError_t ForEachN(Input input, Count count, Operation operation, cudaStream_t stream = 0) {
    return warpmark_lib::for_each_index(static_cast<detail::Index>(count), stream,
                                        AtValue<Input, Operation>{input, operation});
  }
  template <typename Input, typename Operation>
  static cudaError_t ForEach(Input first, Input last, Operation operation, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, operation, stream);
  }
  template <typename Input, typename Operation>
  static cudaError_t ForEachCopy(Input first, Input last, Operation operation, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, operation, stream);
  }
  template <typename Input, typename Count, typename Operation>
  static cudaError_t ForEachCopyN(Input input, Count count, Operation operation, cudaStream_t stream = 0) {
    return ForEachN(input, count, operation, stream);
  }
  // Overloads of cub::DeviceFor's algorithms that take temporary storage, as CUB's do, although none is
  // needed.
  template <typename Shape, typename Operation>
  static cudaError_t Bulk(void* memory, size_t& bytes, Shape shape, Operation operation,
                          cudaStream_t stream = 0) {
    return measured(memory, bytes) ? cudaSuccess : Bulk(shape, operation, stream);
  }
  template <typename Input, typename Count, typename Operation>
  static cudaError_t ForEachN(void* memory, size_t& bytes, Input input, Count count, Operation operation,
                              cudaStream_t stream = 0) {
    return measured(memory, bytes) ? cudaSuccess : ForEachN(input, count, operation, stream);
  }
  template <typename Input, typename Operation>
  static cudaError_t ForEach(void* memory, size_t& bytes, Input first, Input last, Operation operation,
                             cudaStream_t stream = 0) {
    return measured(memory, bytes) ? cudaSuccess : ForEach(first, last, operation, stream);
  }

 private:
  template <typename Shape, typename Operation>
  struct AtIndex {
    Operation operation;
    __device__ void operator()(detail::Index i) { operation(static_cast<Shape>(i)); }
  };
  template <typename Input, typename Operation>
  struct AtValue {
    Input input;
    Operation operation;
    __device__ void operator()(detail::Index i) { operation(input[i]); }
  };
  static bool measured(const void* memory, size_t& bytes) {
    if (memory == nullptr) bytes = 1;
    return memory == nullptr;
  }
};

}  // namespace cub
