// Implements cub::DeviceReduce for the CUDA simulator.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/select.h"

namespace cub {

struct DeviceReduce {
  template <typename Input, typename Output, typename Operation, typename T, typename Count>
  static cudaError_t Reduce(void* memory, size_t& bytes, Input input, Output output, Count count,
                            Operation operation, T initial, cudaStream_t stream = 0, bool = false) {
    using Accumulator = detail::Accumulated<Operation, T, Input>;
    return reduce<Accumulator>(memory, bytes, input, output, count, operation, initial, stream);
  }

  template <typename Input, typename Output, typename Count>
  static cudaError_t Sum(void* memory, size_t& bytes, Input input, Output output, Count count,
                         cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOr<Output, detail::ValueOf<Input>>;
    return Reduce(memory, bytes, input, output, count, cub::Sum(), T{}, stream);
  }

  template <typename Input, typename Output, typename Count>
  static cudaError_t Min(void* memory, size_t& bytes, Input input, Output output, Count count,
                         cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return reduce<T>(memory, bytes, input, output, count, cub::Min(), std::numeric_limits<T>::max(), stream);
  }
  template <typename Input, typename Output, typename Count>
  static cudaError_t Max(void* memory, size_t& bytes, Input input, Output output, Count count,
                         cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return reduce<T>(memory, bytes, input, output, count, cub::Max(), std::numeric_limits<T>::lowest(),
                     stream);
  }

  template <typename Input, typename Output, typename Count,
            typename = std::enable_if_t<std::is_integral_v<Count>>>
  static cudaError_t ArgMin(void* memory, size_t& bytes, Input input, Output output, Count count,
                            cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return arg<cub::ArgMin>(memory, bytes, input, output, count, std::numeric_limits<T>::max(), stream);
  }
  template <typename Input, typename Output, typename Count,
            typename = std::enable_if_t<std::is_integral_v<Count>>>
  static cudaError_t ArgMax(void* memory, size_t& bytes, Input input, Output output, Count count,
                            cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return arg<cub::ArgMax>(memory, bytes, input, output, count, std::numeric_limits<T>::lowest(), stream);
  }
  // ArgMin and ArgMax as in CUB 2.8 and later: separate outputs for the extreme value and its position.
  template <typename Input, typename Value, typename Position>
  static cudaError_t ArgMin(void* memory, size_t& bytes, Input input, Value value, Position position,
                            long long count, cudaStream_t stream = 0) {
    using T = detail::ValueOf<Input>;
    return arg<cub::ArgMin>(memory, bytes, input, Apart<Value, Position>{value, position}, count,
                            std::numeric_limits<T>::max(), stream);
  }
  template <typename Input, typename Value, typename Position>
  static cudaError_t ArgMax(void* memory, size_t& bytes, Input input, Value value, Position position,
                            long long count, cudaStream_t stream = 0) {
    using T = detail::ValueOf<Input>;
    return arg<cub::ArgMax>(memory, bytes, input, Apart<Value, Position>{value, position}, count,
                            std::numeric_limits<T>::lowest(), stream);
  }

  template <typename Input, typename Output, typename Count, typename Operation, typename Function,
            typename T>
  static cudaError_t TransformReduce(void* memory, size_t& bytes, Input input, Output output, Count count,
                                     Operation operation, Function function, T initial,
                                     cudaStream_t stream = 0) {
    const Applied<Input, Function> applied{input, function};
    return reduce<T>(memory, bytes, warpmark_lib::Computed<T, Applied<Input, Function>>{applied}, output,
                     count, operation, initial, stream);
  }

  template <typename Keys, typename KeysOut, typename Values, typename Output, typename Runs,
            typename Operation>
  static cudaError_t ReduceByKey(void* memory, size_t& bytes, Keys keys, KeysOut unique, Values values,
                                 Output output, Runs runs, Operation operation, long long count,
                                 cudaStream_t stream = 0, bool = false) {
    using T = detail::Accumulated<Operation, detail::ValueOf<Values>, Values>;
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::reduce_by_key<T>(scratch, keys, values, unique, output, runs, count,
                                            cub::Equality(), operation, stream);
    });
  }

 private:
  template <typename Input, typename Function>
  struct Applied {
    Input input;
    Function function;
    __device__ auto operator()(detail::Index i) const {
      Function copy = function;
      return copy(input[i]);
    }
  };

  // Output iterator that stores the value and the key (position) of a pair to two separate outputs.
  template <typename Value, typename Position>
  struct Apart {
    using value_type = void;
    Value value;
    Position position;
    __host__ __device__ const Apart& operator*() const { return *this; }
    template <typename Pair>
    __device__ const Apart& operator=(const Pair& pair) const {
      *value = pair.value;
      *position = pair.key;
      return *this;
    }
    Apart(const Apart&) = default;
    __host__ __device__ Apart(Value to, Position at) : value(to), position(at) {}
  };

  template <typename Accumulator, typename Input, typename Output, typename Operation, typename Initial>
  static cudaError_t reduce(void* memory, size_t& bytes, Input input, Output output, detail::Index count,
                            Operation operation, Initial initial, cudaStream_t stream) {
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::reduce<Accumulator>(scratch, input, output, count, operation, initial, stream);
    });
  }

  template <typename Operation, typename Input, typename Output, typename T>
  static cudaError_t arg(void* memory, size_t& bytes, Input input, Output output, detail::Index count,
                         T empty, cudaStream_t stream) {
    using Pair = KeyValuePair<int, T>;
    return reduce<Pair>(memory, bytes, ArgIndexInputIterator<Input, int>(input), output, count, Operation(),
                        warpmark_lib::OnlyIfEmpty<Pair>{Pair(1, empty)}, stream);
  }
};

}  // namespace cub
