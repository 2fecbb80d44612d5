// Implements cub::DeviceSelect and cub::DevicePartition for the CUDA simulator.
#pragma once

#include "cub/device/common.h"
#include "warpmark_cuda/algorithms/select.h"

namespace cub {

struct DeviceSelect {
  template <typename Input, typename Flags, typename Output, typename Count>
  static cudaError_t Flagged(void* memory, size_t& bytes, Input input, Flags flags, Output output,
                             Count selected, long long count, cudaStream_t stream = 0, bool = false) {
    return select(memory, bytes, input, output, selected, count, warpmark_lib::KeepFlagged<Flags>{flags},
                  false, stream);
  }
  template <typename Values, typename Flags, typename Count>
  static cudaError_t Flagged(void* memory, size_t& bytes, Values values, Flags flags, Count selected,
                             long long count, cudaStream_t stream = 0) {
    return select(memory, bytes, values, values, selected, count, warpmark_lib::KeepFlagged<Flags>{flags},
                  true, stream);
  }
  template <typename Input, typename Output, typename Count, typename Predicate>
  static cudaError_t If(void* memory, size_t& bytes, Input input, Output output, Count selected,
                        long long count, Predicate predicate, cudaStream_t stream = 0, bool = false) {
    return select(memory, bytes, input, output, selected, count,
                  warpmark_lib::KeepIf<Input, Predicate>{input, predicate}, false, stream);
  }
  template <typename Values, typename Count, typename Predicate>
  static cudaError_t If(void* memory, size_t& bytes, Values values, Count selected, long long count,
                        Predicate predicate, cudaStream_t stream = 0) {
    return select(memory, bytes, values, values, selected, count,
                  warpmark_lib::KeepIf<Values, Predicate>{values, predicate}, true, stream);
  }
  template <typename Input, typename Output, typename Count>
  static cudaError_t Unique(void* memory, size_t& bytes, Input input, Output output, Count selected,
                            long long count, cudaStream_t stream = 0, bool = false) {
    return select(memory, bytes, input, output, selected, count,
                  warpmark_lib::KeepHeads<Input, Equality>{input, Equality()}, false, stream);
  }
  template <typename Keys, typename Values, typename KeysOut, typename ValuesOut, typename Count>
  static cudaError_t UniqueByKey(void* memory, size_t& bytes, Keys keys, Values values, KeysOut keys_out,
                                 ValuesOut values_out, Count selected, long long count,
                                 cudaStream_t stream = 0) {
    const warpmark_lib::KeepHeads<Keys, Equality> heads{keys, Equality()};
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      const cudaError_t error =
          warpmark_lib::select(scratch, keys, keys_out, selected, count, heads, false, stream);
      if (error != cudaSuccess) return error;
      return warpmark_lib::select(scratch, values, values_out, selected, count, heads, false, stream);
    });
  }

 private:
  template <typename Input, typename Output, typename Count, typename Keep>
  static cudaError_t select(void* memory, size_t& bytes, Input input, Output output, Count selected,
                            detail::Index count, Keep keep, bool in_place, cudaStream_t stream) {
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::select(scratch, input, output, selected, count, keep, in_place, stream);
    });
  }
};

struct DevicePartition {
  template <typename Input, typename Flags, typename Output, typename Count>
  static cudaError_t Flagged(void* memory, size_t& bytes, Input input, Flags flags, Output output,
                             Count selected, long long count, cudaStream_t stream = 0, bool = false) {
    return partition(memory, bytes, input, output, selected, count, warpmark_lib::KeepFlagged<Flags>{flags},
                     stream);
  }
  template <typename Input, typename Output, typename Count, typename Predicate>
  static cudaError_t If(void* memory, size_t& bytes, Input input, Output output, Count selected,
                        long long count, Predicate predicate, cudaStream_t stream = 0, bool = false) {
    return partition(memory, bytes, input, output, selected, count,
                     warpmark_lib::KeepIf<Input, Predicate>{input, predicate}, stream);
  }

 private:
  template <typename Input, typename Output, typename Count, typename Keep>
  static cudaError_t partition(void* memory, size_t& bytes, Input input, Output output, Count selected,
                               detail::Index count, Keep keep, cudaStream_t stream) {
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      return warpmark_lib::partition(scratch, input, output, selected, count, keep, stream);
    });
  }
};

}  // namespace cub
