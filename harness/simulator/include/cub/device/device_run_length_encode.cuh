// Implements cub::DeviceRunLengthEncode for the CUDA simulator.
#pragma once

#include "cub/device/device_reduce.cuh"

namespace cub {

struct DeviceRunLengthEncode {
  template <typename Input, typename Unique, typename Lengths, typename Runs>
  static cudaError_t Encode(void* memory, size_t& bytes, Input input, Unique unique, Lengths lengths,
                            Runs runs, long long count, cudaStream_t stream = 0, bool = false) {
    using Length = detail::ValueOr<Lengths, int>;
    return DeviceReduce::ReduceByKey(memory, bytes, input, unique, ConstantInputIterator<Length>(1), lengths,
                                     runs, cub::Sum(), count, stream);
  }

  // Returns offset and length of each run of at least two equal values.
  template <typename Input, typename Offsets, typename Lengths, typename Runs>
  static cudaError_t NonTrivialRuns(void* memory, size_t& bytes, Input input, Offsets offsets,
                                    Lengths lengths, Runs runs, long long count, cudaStream_t stream = 0,
                                    bool = false) {
    const LongHeads<Input> heads{input, count};
    const LengthAt<Input> length{input, count};
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      const cudaError_t error = warpmark_lib::select(scratch, CountingInputIterator<detail::Index>(0),
                                                     offsets, runs, count, heads, false, stream);
      if (error != cudaSuccess) return error;
      return warpmark_lib::select(scratch, warpmark_lib::Computed<detail::Index, LengthAt<Input>>{length},
                                  lengths, runs, count, heads, false, stream);
    });
  }

 private:
  template <typename Input>
  struct LongHeads {
    Input input;
    detail::Index count;
    __device__ detail::Index operator()(detail::Index i) const {
      const bool head = i == 0 || !(input[i - 1] == input[i]);
      return head && i + 1 < count && input[i] == input[i + 1] ? 1 : 0;
    }
  };
  template <typename Input>
  struct LengthAt {
    Input input;
    detail::Index count;
    __device__ detail::Index operator()(detail::Index i) const {
      detail::Index end = i + 1;
      while (end < count && input[i] == input[end]) ++end;
      return end - i;
    }
  };
};

}  // namespace cub
