// Implements cub::DeviceSegmentedReduce for the CUDA simulator.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/reduce.h"

namespace cub {

struct DeviceSegmentedReduce {
  template <typename Input, typename Output, typename Begins, typename Ends, typename Operation, typename T>
  static cudaError_t Reduce(void* memory, size_t& bytes, Input input, Output output, long long segments,
                            Begins begins, Ends ends, Operation operation, T initial, cudaStream_t stream = 0,
                            bool = false) {
    using Accumulator = detail::Accumulated<Operation, T, Input>;
    return reduce<Accumulator>(memory, bytes, input, output, segments, begins, ends, operation, initial,
                               stream);
  }
  template <typename Input, typename Output, typename Begins, typename Ends>
  static cudaError_t Sum(void* memory, size_t& bytes, Input input, Output output, long long segments,
                         Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOr<Output, detail::ValueOf<Input>>;
    return Reduce(memory, bytes, input, output, segments, begins, ends, cub::Sum(), T{}, stream);
  }
  template <typename Input, typename Output, typename Begins, typename Ends>
  static cudaError_t Min(void* memory, size_t& bytes, Input input, Output output, long long segments,
                         Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return reduce<T>(memory, bytes, input, output, segments, begins, ends, cub::Min(),
                     std::numeric_limits<T>::max(), stream);
  }
  template <typename Input, typename Output, typename Begins, typename Ends>
  static cudaError_t Max(void* memory, size_t& bytes, Input input, Output output, long long segments,
                         Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return reduce<T>(memory, bytes, input, output, segments, begins, ends, cub::Max(),
                     std::numeric_limits<T>::lowest(), stream);
  }
  template <typename Input, typename Output, typename Begins, typename Ends>
  static cudaError_t ArgMin(void* memory, size_t& bytes, Input input, Output output, long long segments,
                            Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return arg<cub::ArgMin>(memory, bytes, input, output, segments, begins, ends,
                            std::numeric_limits<T>::max(), stream);
  }
  template <typename Input, typename Output, typename Begins, typename Ends>
  static cudaError_t ArgMax(void* memory, size_t& bytes, Input input, Output output, long long segments,
                            Begins begins, Ends ends, cudaStream_t stream = 0, bool = false) {
    using T = detail::ValueOf<Input>;
    return arg<cub::ArgMax>(memory, bytes, input, output, segments, begins, ends,
                            std::numeric_limits<T>::lowest(), stream);
  }

 private:
  template <typename Accumulator, typename Input, typename Output, typename Begins, typename Ends,
            typename Operation, typename Initial>
  static cudaError_t reduce(void* memory, size_t& bytes, Input input, Output output, detail::Index segments,
                            Begins begins, Ends ends, Operation operation, Initial initial,
                            cudaStream_t stream) {
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      if (scratch.measures()) return cudaSuccess;
      return warpmark_lib::segmented_reduce<Accumulator>(input, output, segments, begins, ends, operation,
                                                         initial, stream);
    });
  }

  // Output iterator for ArgMin and ArgMax: converts the position of each result to one relative to its
  // segment.
  template <typename Output, typename Begins>
  struct WithinSegments {
    struct Place {
      Output output;
      Begins begins;
      detail::Index segment;
      template <typename Pair>
      __device__ const Place& operator=(Pair pair) const {
        if (pair.key < 0)
          pair.key = 1;
        else
          pair.key -= static_cast<int>(begins[segment]);
        output[segment] = pair;
        return *this;
      }
    };
    Output output;
    Begins begins;
    __device__ Place operator[](detail::Index segment) const { return {output, begins, segment}; }
  };

  template <typename Operation, typename Input, typename Output, typename Begins, typename Ends, typename T>
  static cudaError_t arg(void* memory, size_t& bytes, Input input, Output output, detail::Index segments,
                         Begins begins, Ends ends, T empty, cudaStream_t stream) {
    using Pair = KeyValuePair<int, T>;
    return reduce<Pair>(memory, bytes, ArgIndexInputIterator<Input, int>(input),
                        WithinSegments<Output, Begins>{output, begins}, segments, begins, ends, Operation(),
                        warpmark_lib::OnlyIfEmpty<Pair>{Pair(-1, empty)}, stream);
  }
};

}  // namespace cub
