// Implements cub::DeviceScan for the CUDA simulator.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/scan.h"

namespace cub {

// Initial value that is read from device memory when the scan runs, not when it is enqueued.
template <typename T, typename Iterator = T*>
struct FutureValue {
  Iterator at;
  __host__ __device__ explicit FutureValue(Iterator of) : at(of) {}
  __device__ operator T() const { return *at; }
};

struct DeviceScan {
  template <typename Input, typename Output, typename Count>
  static cudaError_t ExclusiveSum(void* memory, size_t& bytes, Input input, Output output, Count count,
                                  cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return ExclusiveScan(memory, bytes, input, output, cub::Sum(), T{}, count, stream);
  }
  template <typename T, typename = std::enable_if_t<!std::is_const_v<T>>>
  static cudaError_t ExclusiveSum(void* memory, size_t& bytes, T* values, long long count,
                                  cudaStream_t stream = 0) {
    return ExclusiveSum(memory, bytes, values, values, count, stream);
  }

  template <typename Input, typename Output, typename Operation, typename Initial>
  static cudaError_t ExclusiveScan(void* memory, size_t& bytes, Input input, Output output,
                                   Operation operation, Initial initial, long long count,
                                   cudaStream_t stream = 0, bool = false) {
    using Accumulator = detail::Accumulated<Operation, detail::ValueOf<Input>, Input>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::exclusive_scan<Accumulator>(scratch, input, output, count, operation, initial,
                                                       stream);
    });
  }

  template <typename Input, typename Output, typename Count>
  static cudaError_t InclusiveSum(void* memory, size_t& bytes, Input input, Output output, Count count,
                                  cudaStream_t stream = 0, bool = false) {
    return InclusiveScan(memory, bytes, input, output, cub::Sum(), count, stream);
  }
  template <typename T, typename = std::enable_if_t<!std::is_const_v<T>>>
  static cudaError_t InclusiveSum(void* memory, size_t& bytes, T* values, long long count,
                                  cudaStream_t stream = 0) {
    return InclusiveSum(memory, bytes, values, values, count, stream);
  }
  template <typename Input, typename Output, typename Operation>
  static cudaError_t InclusiveScan(void* memory, size_t& bytes, Input input, Output output,
                                   Operation operation, long long count, cudaStream_t stream = 0,
                                   bool = false) {
    using Accumulator = detail::Accumulated<Operation, detail::ValueOf<Input>, Input>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::inclusive_scan<Accumulator>(scratch, input, output, count, operation, stream);
    });
  }
  template <typename Input, typename Output, typename Operation, typename Initial>
  static cudaError_t InclusiveScanInit(void* memory, size_t& bytes, Input input, Output output,
                                       Operation operation, Initial initial, long long count,
                                       cudaStream_t stream = 0) {
    using Accumulator = detail::Accumulated<Operation, Initial, Input>;
    using Started = StartWith<Accumulator, Input, Operation>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::inclusive_scan<Accumulator>(
          scratch,
          warpmark_lib::Computed<Accumulator, Started>{Started{input, operation, Accumulator(initial)}},
          output, count, operation, stream);
    });
  }

  template <typename Keys, typename Values, typename Output, typename Count, typename KeysEqual = Equality>
  static cudaError_t ExclusiveSumByKey(void* memory, size_t& bytes, Keys keys, Values values, Output output,
                                       Count count, KeysEqual equal = KeysEqual(), cudaStream_t stream = 0) {
    using T = detail::ValueOf<Values>;
    return ExclusiveScanByKey(memory, bytes, keys, values, output, cub::Sum(), T{}, count, equal, stream);
  }
  template <typename Keys, typename Values, typename Output, typename Operation, typename Initial,
            typename KeysEqual = Equality>
  static cudaError_t ExclusiveScanByKey(void* memory, size_t& bytes, Keys keys, Values values, Output output,
                                        Operation operation, Initial initial, long long count,
                                        KeysEqual equal = KeysEqual(), cudaStream_t stream = 0) {
    using T = detail::Accumulated<Operation, detail::ValueOf<Values>, Values>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::exclusive_scan_by_key<T>(scratch, keys, values, output, count, equal, operation,
                                                    initial, stream);
    });
  }
  template <typename Keys, typename Values, typename Output, typename Count, typename KeysEqual = Equality>
  static cudaError_t InclusiveSumByKey(void* memory, size_t& bytes, Keys keys, Values values, Output output,
                                       Count count, KeysEqual equal = KeysEqual(), cudaStream_t stream = 0) {
    return InclusiveScanByKey(memory, bytes, keys, values, output, cub::Sum(), count, equal, stream);
  }
  template <typename Keys, typename Values, typename Output, typename Operation,
            typename KeysEqual = Equality>
  static cudaError_t InclusiveScanByKey(void* memory, size_t& bytes, Keys keys, Values values, Output output,
                                        Operation operation, long long count, KeysEqual equal = KeysEqual(),
                                        cudaStream_t stream = 0) {
    using T = detail::Accumulated<Operation, detail::ValueOf<Values>, Values>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::inclusive_scan_by_key<T>(scratch, keys, values, output, count, equal, operation,
                                                    stream);
    });
  }

 private:
  template <typename Accumulator, typename Input, typename Operation>
  struct StartWith {
    Input input;
    Operation operation;
    Accumulator initial;
    __device__ Accumulator operator()(detail::Index i) const {
      Operation copy = operation;
      return i == 0 ? Accumulator(copy(initial, input[0])) : Accumulator(input[i]);
    }
  };
};

}  // namespace cub
