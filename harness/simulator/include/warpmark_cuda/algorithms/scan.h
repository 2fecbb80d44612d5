// Scan in three steps: reduce each chunk, scan the sums of the chunks, scan each chunk starting from the sum
// of all chunks before. Output and input may be the same array, because a thread reads each value before it
// overwrites it.
#pragma once

#include "warpmark_cuda/algorithms/reduce.h"

namespace warpmark_lib {

template <typename Accumulator, typename Before, typename Input, typename Output, typename Operation>
struct InclusiveChunks {
  Index count;
  Input input;
  Output output;
  Operation operation;
  // inclusive scan of the sums of all chunks of the input: chunk c's scan starts from before[c - 1]
  Before before;
  __device__ void operator()(Index chunk) {
    const Index begin = chunk * kItems;
    const Index end = begin + kItems < count ? begin + kItems : count;
    Accumulator sum = input[begin];
    if (chunk > 0) sum = operation(before[chunk - 1], sum);
    output[begin] = sum;
    for (Index i = begin + 1; i < end; ++i) {
      auto&& value = input[i];
      sum = operation(sum, value);
      output[i] = sum;
    }
  }
};

template <typename Accumulator, typename Initial, typename Input, typename Output, typename Operation>
struct ExclusiveChunks {
  Index count;
  Input input;
  Output output;
  Operation operation;
  Initial initial;
  const Accumulator* before;
  __device__ void operator()(Index chunk) {
    const Index begin = chunk * kItems;
    const Index end = begin + kItems < count ? begin + kItems : count;
    Accumulator sum = initial;
    if (chunk > 0) sum = operation(sum, before[chunk - 1]);
    for (Index i = begin; i < end; ++i) {
      const Accumulator value = input[i];
      output[i] = sum;
      sum = operation(sum, value);
    }
  }
};

template <typename Accumulator, typename Input, typename Output, typename Operation>
cudaError_t inclusive_scan(Scratch& scratch, Input input, Output output, Index count, Operation operation,
                           cudaStream_t stream);

// Middle step of a scan in chunks: computes in scratch memory the inclusive scan of the chunks' sums. Sets
// `before` to null if there is a single chunk, which needs none.
template <typename Accumulator, typename Input, typename Operation>
cudaError_t scan_of_chunks(Scratch& scratch, Input input, Index count, Operation operation,
                           Accumulator*& before, cudaStream_t stream) {
  const Index chunks = chunks_of(count);
  before = nullptr;
  if (chunks <= 1) return cudaSuccess;
  before = scratch.take<Accumulator>(chunks);
  if (!scratch.measures()) {
    const cudaError_t error = for_each_index(
        chunks, stream,
        ReduceChunks<Accumulator, Input, Accumulator*, Operation>{count, input, before, operation});
    if (error != cudaSuccess) return error;
  }
  return inclusive_scan<Accumulator>(scratch, before, before, chunks, operation, stream);
}

template <typename Accumulator, typename Input, typename Output, typename Operation>
cudaError_t inclusive_scan(Scratch& scratch, Input input, Output output, Index count, Operation operation,
                           cudaStream_t stream) {
  Accumulator* before = nullptr;
  const cudaError_t error = scan_of_chunks(scratch, input, count, operation, before, stream);
  if (error != cudaSuccess || scratch.measures()) return error;
  return for_each_index(chunks_of(count), stream,
                        InclusiveChunks<Accumulator, const Accumulator*, Input, Output, Operation>{
                            count, input, output, operation, before});
}

template <typename Accumulator, typename Initial, typename Input, typename Output, typename Operation>
cudaError_t exclusive_scan(Scratch& scratch, Input input, Output output, Index count, Operation operation,
                           Initial initial, cudaStream_t stream) {
  Accumulator* before = nullptr;
  const cudaError_t error = scan_of_chunks(scratch, input, count, operation, before, stream);
  if (error != cudaSuccess || scratch.measures()) return error;
  return for_each_index(chunks_of(count), stream,
                        ExclusiveChunks<Accumulator, Initial, Input, Output, Operation>{
                            count, input, output, operation, initial, before});
}

// Flag that is as large as the alignment of the value next to it, so that the pair has no uninitialised
// padding bytes, which the simulator would report.
template <unsigned int Bytes>
struct Flag {
  unsigned char bytes[Bytes];
  __host__ __device__ Flag(bool set = false) {
    for (unsigned int i = 0; i < Bytes; ++i) bytes[i] = set;
  }
  __host__ __device__ operator bool() const { return bytes[0] != 0; }
};

// Operand of a segmented scan: a value, and a flag that is set for the first value of a segment.
template <typename T>
struct Flagged {
  T value;
  Flag<alignof(T)> head;
};
template <typename T, typename Operation>
struct FlaggedOperation {
  mutable Operation operation;
  __host__ __device__ Flagged<T> operator()(const Flagged<T>& a, const Flagged<T>& b) const {
    return b.head ? b : Flagged<T>{operation(a.value, b.value), a.head};
  }
};

// Functor of a scan by key: returns, for index i, the value and a flag that is set if key i differs from key
// i - 1.
template <typename T, typename Keys, typename Values, typename KeysEqual>
struct FlagOfKey {
  Keys keys;
  Values values;
  mutable KeysEqual equal;
  __device__ Flagged<T> operator()(Index i) const {
    return {static_cast<T>(values[i]), i == 0 || !equal(keys[i - 1], keys[i])};
  }
};

template <typename T, typename Keys, typename Output>
struct KeepValues {
  const Flagged<T>* scanned;
  Output output;
  __device__ void operator()(Index i) { output[i] = scanned[i].value; }
};

template <typename T, typename Keys, typename Values, typename Output, typename KeysEqual, typename Operation>
cudaError_t inclusive_scan_by_key(Scratch& scratch, Keys keys, Values values, Output output, Index count,
                                  KeysEqual equal, Operation operation, cudaStream_t stream) {
  using Function = FlagOfKey<T, Keys, Values, KeysEqual>;
  Flagged<T>* scanned = scratch.take<Flagged<T>>(count);
  const cudaError_t error =
      inclusive_scan<Flagged<T>>(scratch, Computed<Flagged<T>, Function>{Function{keys, values, equal}},
                                 scanned, count, FlaggedOperation<T, Operation>{operation}, stream);
  if (error != cudaSuccess || scratch.measures()) return error;
  return for_each_index(count, stream, KeepValues<T, Keys, Output>{scanned, output});
}

template <typename T, typename Keys, typename Output, typename KeysEqual, typename Operation,
          typename Initial>
struct ShiftByKey {
  const Flagged<T>* scanned;
  Keys keys;
  Output output;
  mutable KeysEqual equal;
  Operation operation;
  Initial initial;
  __device__ void operator()(Index i) {
    if (i == 0 || !equal(keys[i - 1], keys[i]))
      output[i] = initial;
    else
      output[i] = operation(initial, scanned[i - 1].value);
  }
};

template <typename T, typename Keys, typename Values, typename Output, typename KeysEqual, typename Operation,
          typename Initial>
cudaError_t exclusive_scan_by_key(Scratch& scratch, Keys keys, Values values, Output output, Index count,
                                  KeysEqual equal, Operation operation, Initial initial,
                                  cudaStream_t stream) {
  using Function = FlagOfKey<T, Keys, Values, KeysEqual>;
  Flagged<T>* scanned = scratch.take<Flagged<T>>(count);
  const cudaError_t error =
      inclusive_scan<Flagged<T>>(scratch, Computed<Flagged<T>, Function>{Function{keys, values, equal}},
                                 scanned, count, FlaggedOperation<T, Operation>{operation}, stream);
  if (error != cudaSuccess || scratch.measures()) return error;
  return for_each_index(count, stream,
                        ShiftByKey<T, Keys, Output, KeysEqual, Operation, Initial>{
                            scanned, keys, output, equal, operation, initial});
}

}  // namespace warpmark_lib
