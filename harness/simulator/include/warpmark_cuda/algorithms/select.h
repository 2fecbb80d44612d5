// Stream compaction: values selected by a predicate, one value per run of equal keys, one reduced result per
// run.
#pragma once

#include "warpmark_cuda/algorithms/scan.h"

namespace warpmark_lib {

// Functor that returns 1 if the predicate accepts value i, else 0.
template <typename Input, typename Predicate>
struct KeepIf {
  Input input;
  mutable Predicate predicate;
  __device__ Index operator()(Index i) const {
    auto&& value = input[i];
    return predicate(value) ? 1 : 0;
  }
};
template <typename Flags>
struct KeepFlagged {
  Flags flags;
  __device__ Index operator()(Index i) const { return flags[i] ? 1 : 0; }
};
template <typename Keys, typename KeysEqual>
struct KeepHeads {
  Keys keys;
  mutable KeysEqual equal;
  __device__ Index operator()(Index i) const { return i == 0 || !equal(keys[i - 1], keys[i]) ? 1 : 0; }
};

// Functor of a stream compaction: writes input[i] to the output if it is kept. ranks[i]: number of kept
// values among input[0] to input[i]. With keeps_rest, rejected values go to `rest`, from its end backwards if
// rest_backwards.
template <bool keeps_rest, bool rest_backwards, typename Input, typename Output, typename Rest>
struct Scatter {
  const Index* ranks;
  Index count;
  Input input;
  Output output;
  Rest rest;
  __device__ void operator()(Index i) {
    const Index before = i == 0 ? 0 : ranks[i - 1];
    if (ranks[i] != before) {
      output[before] = input[i];
    } else if constexpr (keeps_rest) {
      const Index place = i - before;
      rest[rest_backwards ? count - 1 - place : place] = input[i];
    }
  }
};

template <typename Count>
struct StoreCount {
  const Index* ranks;
  Index count;
  Count output;
  __device__ void operator()(Index) { *output = count == 0 ? 0 : ranks[count - 1]; }
};

template <typename Keep>
cudaError_t rank(Scratch& scratch, Index count, Keep keep, Index*& ranks, cudaStream_t stream) {
  ranks = scratch.take<Index>(count);
  return inclusive_scan<Index>(scratch, Computed<Index, Keep>{keep}, ranks, count, Plus(), stream);
}

// Copies the input before an in-place selection, which would otherwise overwrite values that other threads
// have not read yet.
template <typename Value, typename Input>
struct CopyAll {
  Input input;
  Value* output;
  __device__ void operator()(Index i) { output[i] = input[i]; }
};

template <typename Keep, typename Input, typename Output, typename Count>
cudaError_t select(Scratch& scratch, Input input, Output output, Count selected, Index count, Keep keep,
                   bool in_place, cudaStream_t stream) {
  using Value = ValueOf<Input>;
  Index* ranks = nullptr;
  cudaError_t error = rank(scratch, count, keep, ranks, stream);
  Value* copy = in_place ? scratch.take<Value>(count) : nullptr;
  if (error != cudaSuccess || scratch.measures()) return error;
  if (in_place) {
    error = for_each_index(count, stream, CopyAll<Value, Input>{input, copy});
    if (error == cudaSuccess)
      error = for_each_index(
          count, stream,
          Scatter<false, false, const Value*, Output, int*>{ranks, count, copy, output, nullptr});
  } else {
    error = for_each_index(count, stream,
                           Scatter<false, false, Input, Output, int*>{ranks, count, input, output, nullptr});
  }
  if (error != cudaSuccess) return error;
  return for_each_index(1, stream, StoreCount<Count>{ranks, count, selected});
}

// Partition: kept values in their order, followed by the rejected values in reverse order.
template <typename Keep, typename Input, typename Output, typename Count>
cudaError_t partition(Scratch& scratch, Input input, Output output, Count selected, Index count, Keep keep,
                      cudaStream_t stream) {
  Index* ranks = nullptr;
  cudaError_t error = rank(scratch, count, keep, ranks, stream);
  if (error != cudaSuccess || scratch.measures()) return error;
  error = for_each_index(count, stream,
                         Scatter<true, true, Input, Output, Output>{ranks, count, input, output, output});
  if (error != cudaSuccess) return error;
  return for_each_index(1, stream, StoreCount<Count>{ranks, count, selected});
}

// Functor of reduce by key: stores one key and one result per run of equal keys. The run's first element
// stores its key, the last one the reduced value.
template <typename T, typename Keys, typename KeysOut, typename Output>
struct StoreRuns {
  const Index* ranks;
  const Flagged<T>* scanned;
  Index count;
  Keys keys;
  KeysOut keys_out;
  Output output;
  __device__ void operator()(Index i) {
    const Index run = ranks[i] - 1;
    if (i == 0 || ranks[i - 1] != ranks[i]) keys_out[run] = keys[i];
    if (i + 1 == count || ranks[i + 1] != ranks[i]) output[run] = scanned[i].value;
  }
};

template <typename T, typename Keys, typename Values, typename KeysOut, typename Output, typename Count,
          typename KeysEqual, typename Operation>
cudaError_t reduce_by_key(Scratch& scratch, Keys keys, Values values, KeysOut keys_out, Output output,
                          Count runs, Index count, KeysEqual equal, Operation operation,
                          cudaStream_t stream) {
  using Function = FlagOfKey<T, Keys, Values, KeysEqual>;
  Index* ranks = nullptr;
  cudaError_t error = rank(scratch, count, KeepHeads<Keys, KeysEqual>{keys, equal}, ranks, stream);
  if (error != cudaSuccess) return error;
  Flagged<T>* scanned = scratch.take<Flagged<T>>(count);
  error = inclusive_scan<Flagged<T>>(scratch, Computed<Flagged<T>, Function>{Function{keys, values, equal}},
                                     scanned, count, FlaggedOperation<T, Operation>{operation}, stream);
  if (error != cudaSuccess || scratch.measures()) return error;
  error = for_each_index(count, stream,
                         StoreRuns<T, Keys, KeysOut, Output>{ranks, scanned, count, keys, keys_out, output});
  if (error != cudaSuccess) return error;
  return for_each_index(1, stream, StoreCount<Count>{ranks, count, runs});
}

}  // namespace warpmark_lib
