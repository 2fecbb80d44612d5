// Reductions in levels: each thread reduces consecutive values, until one value is left. The order of
// operands is preserved, so the operation need only be associative, not commutative.
#pragma once

#include "warpmark_cuda/algorithms/run.h"

namespace warpmark_lib {

// Returns the number of values that remain after one level of a reduction, or the number of chunks of a scan:
// each thread processes kItems consecutive values.
inline Index chunks_of(Index count) {
  return parts(count, kItems);
}

template <typename Accumulator, typename Input, typename Output, typename Operation>
struct ReduceChunks {
  Index count;
  Input input;
  Output output;
  Operation operation;
  __device__ void operator()(Index chunk) {
    const Index begin = chunk * kItems;
    const Index end = begin + kItems < count ? begin + kItems : count;
    Accumulator sum = input[begin];
    for (Index i = begin + 1; i < end; ++i) {
      auto&& value = input[i];
      sum = operation(sum, value);
    }
    output[chunk] = sum;
  }
};

// Wraps an initial value of a reduction that is the result for empty input and is otherwise ignored.
template <typename T>
struct OnlyIfEmpty {
  T value;
};
template <typename T>
constexpr bool kIsOnlyIfEmpty = false;
template <typename T>
constexpr bool kIsOnlyIfEmpty<OnlyIfEmpty<T>> = true;

// Last step of a reduction: computes *output = initial op input[0] op input[1] ...; for empty input, *output
// = initial.
template <typename Accumulator, typename Initial, typename Input, typename Output, typename Operation>
struct ReduceLast {
  Index count;
  Input input;
  Output output;
  Operation operation;
  Initial initial;
  __device__ void operator()(Index) {
    if constexpr (kIsOnlyIfEmpty<Initial>) {
      Accumulator sum = count == 0 ? initial.value : Accumulator(input[0]);
      for (Index i = 1; i < count; ++i) {
        auto&& value = input[i];
        sum = operation(sum, value);
      }
      *output = sum;
    } else {
      Accumulator sum = initial;
      for (Index i = 0; i < count; ++i) {
        auto&& value = input[i];
        sum = operation(sum, value);
      }
      *output = sum;
    }
  }
};

template <typename Accumulator, typename Initial, typename Input, typename Output, typename Operation>
cudaError_t reduce(Scratch& scratch, Input input, Output output, Index count, Operation operation,
                   Initial initial, cudaStream_t stream) {
  const bool measures = scratch.measures();
  if (count <= kItems) {
    if (measures) return cudaSuccess;
    return for_each_index(
        1, stream,
        ReduceLast<Accumulator, Initial, Input, Output, Operation>{count, input, output, operation, initial});
  }
  Index chunks = chunks_of(count);
  Accumulator* sums = scratch.take<Accumulator>(chunks);
  if (!measures) {
    const cudaError_t error = for_each_index(
        chunks, stream,
        ReduceChunks<Accumulator, Input, Accumulator*, Operation>{count, input, sums, operation});
    if (error != cudaSuccess) return error;
  }
  return reduce<Accumulator, Initial, Accumulator*>(scratch, sums, output, chunks, operation, initial,
                                                    stream);
}

template <typename Accumulator, typename Initial>
__device__ Accumulator value_of_empty(const Initial& initial) {
  if constexpr (kIsOnlyIfEmpty<Initial>)
    return initial.value;
  else
    return initial;
}

#if defined(__CUDA__)
// Segmented reduction with one block of kSegmentThreads threads per segment [begins[s], ends[s]).
constexpr int kSegmentThreads = 128;

template <typename Accumulator, typename Initial, typename Input, typename Output, typename Begins,
          typename Ends, typename Operation>
static __global__ void reduce_segments(Input input, Output output, Begins begins, Ends ends,
                                       Operation operation, Initial initial) {
  __shared__ __align__(alignof(Accumulator)) unsigned char memory[kSegmentThreads * sizeof(Accumulator)];
  Accumulator* sums = reinterpret_cast<Accumulator*>(memory);
  const Index segment = blockIdx.x;
  const Index begin = begins[segment];
  const Index end = ends[segment];
  if (end <= begin) {
    if (threadIdx.x == 0) output[segment] = value_of_empty<Accumulator>(initial);
    return;
  }
  // Segmented reduction: each thread reduces consecutive values of the segment, so that the order of operands
  // is preserved.
  const Index share = (end - begin + kSegmentThreads - 1) / kSegmentThreads;
  const Index used = (end - begin + share - 1) / share;
  const Index first = begin + threadIdx.x * share;
  const Index last = first + share < end ? first + share : end;
  if (first < end) {
    Accumulator sum = input[first];
    for (Index i = first + 1; i < last; ++i) sum = operation(sum, input[i]);
    sums[threadIdx.x] = sum;
  }
  for (Index step = 1; step < used; step *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * step) == 0 && threadIdx.x + step < used)
      sums[threadIdx.x] = operation(sums[threadIdx.x], sums[threadIdx.x + step]);
  }
  if (threadIdx.x != 0) return;
  if constexpr (kIsOnlyIfEmpty<Initial>)
    output[segment] = sums[0];
  else
    output[segment] = operation(initial, sums[0]);
}

template <typename Accumulator, typename Initial, typename Input, typename Output, typename Begins,
          typename Ends, typename Operation>
cudaError_t segmented_reduce(Input input, Output output, Index segments, Begins begins, Ends ends,
                             Operation operation, Initial initial, cudaStream_t stream) {
  if (segments <= 0) return cudaSuccess;
  reduce_segments<Accumulator><<<static_cast<unsigned int>(segments), kSegmentThreads, 0, stream>>>(
      input, output, begins, ends, operation, initial);
  return cudaPeekAtLastError();
}
#endif

// Combines two (position, value) pairs into the one with the smaller value; of equal values the first
// position wins.
template <typename Pair>
struct ArgMinOf {
  __host__ __device__ Pair operator()(const Pair& a, const Pair& b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
template <typename Pair>
struct ArgMaxOf {
  __host__ __device__ Pair operator()(const Pair& a, const Pair& b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

}  // namespace warpmark_lib
