// Stable merge sort: each thread sorts a short run by insertion, then pairs of runs are merged, one kernel
// per step.
#pragma once

#include "warpmark_cuda/algorithms/run.h"

namespace warpmark_lib {

struct NoValues {};

// Sequence of (key, value) pairs as an array of keys and an optional array of values; set() copies one pair.
template <typename Key, typename Value>
struct Rows {
  Key* keys;
  Value* values;
  template <typename From>
  WARPMARK_LOOK_THROUGH void set(Index to, const From& from, Index i) const {
    keys[to] = from.keys[i];
    if constexpr (!std::is_same_v<Value, NoValues>) values[to] = from.values[i];
  }
};

template <typename Keys, typename Values>
struct Sources {
  Keys keys;
  Values values;
};

// merge sort: number of (key, value) pairs that one thread sorts at first, and merges in each later step
constexpr Index kRun = 8;

// Step of an insertion sort of (key, value) pairs: inserts pair i of `from` into the sorted pairs [begin, i)
// of `to`, after equal keys. `from` may be `to`.
template <typename Key, typename Value, typename From, typename Before>
WARPMARK_LOOK_THROUGH void insert(const Rows<Key, Value>& to, Index begin, Index i, const From& from,
                                  Before& before) {
  const Key key = from.keys[i];
  Value value{};
  if constexpr (!std::is_same_v<Value, NoValues>) value = from.values[i];
  Index at = i;
  for (; at > begin && before(key, to.keys[at - 1]); --at) to.set(at, to, at - 1);
  to.keys[at] = key;
  if constexpr (!std::is_same_v<Value, NoValues>) to.values[at] = value;
}

template <typename Key, typename Value, typename From, typename Before>
struct SortRuns {
  Index count;
  From from;
  Rows<Key, Value> to;
  Before before;
  __device__ void operator()(Index run) {
    const Index begin = run * kRun;
    const Index end = begin + kRun < count ? begin + kRun : count;
    for (Index i = begin; i < end; ++i) insert(to, begin, i, from, before);
  }
};

// Merge path search for the merge of sorted runs [a, b) and [b, c): returns how many of the first `taken`
// elements of the result come from run [a, b).
template <typename Key, typename Before>
WARPMARK_LOOK_THROUGH Index taken_from_first(const Key* keys, Index a, Index b, Index c, Index taken,
                                             Before& before) {
  Index low = taken > c - b ? taken - (c - b) : 0;
  Index high = taken < b - a ? taken : b - a;
  while (low < high) {
    const Index middle = (low + high) / 2;
    if (before(keys[b + (taken - 1 - middle)], keys[a + middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Computes kRun consecutive elements of the merge of sorted runs [a, b) and [b, c), beginning with element
// `first` of the result (fewer at its end). One thread per call.
template <typename Key, typename Value, typename Before>
__device__ void merge_part(const Rows<Key, Value>& from, const Rows<Key, Value>& to, Index a, Index b,
                           Index c, Index first, Before& before) {
  const Index last = first + kRun < c ? first + kRun : c;
  Index left = a + taken_from_first(from.keys, a, b, c, first - a, before);
  Index right = b + (first - left);
  for (Index i = first; i < last; ++i) {
    const bool from_right = left >= b || (right < c && before(from.keys[right], from.keys[left]));
    to.set(i, from, from_right ? right++ : left++);
  }
}

template <typename Key, typename Value, typename Before>
struct MergeRuns {
  Index count;
  Index length;
  Rows<Key, Value> from;
  Rows<Key, Value> to;
  Before before;
  __device__ void operator()(Index part) {
    const Index first = part * kRun;
    const Index a = first / (2 * length) * (2 * length);
    const Index b = a + length < count ? a + length : count;
    const Index c = b + length < count ? b + length : count;
    merge_part(from, to, a, b, c, first, before);
  }
};

// True if merge_sort() leaves its result in the second of its two buffers, which depends on the number of
// merge steps.
inline bool ends_in_second(Index count) {
  bool second = false;
  for (Index length = kRun; length < count; length *= 2) second = !second;
  return second;
}

// Stable merge sort of (key, value) pairs from the sequence `from`, with two buffers, `first` and `second`,
// used alternately. The result is in `second` if ends_in_second(count), else in `first`. `from` may be
// `first`.
template <typename Key, typename Value, typename From, typename Before>
cudaError_t merge_sort(From from, Rows<Key, Value> first, Rows<Key, Value> second, Index count, Before before,
                       cudaStream_t stream) {
  const Index runs = parts(count, kRun);
  cudaError_t error =
      for_each_index(runs, stream, SortRuns<Key, Value, From, Before>{count, from, first, before});
  for (Index length = kRun; length < count && error == cudaSuccess; length *= 2) {
    error = for_each_index(runs, stream, MergeRuns<Key, Value, Before>{count, length, first, second, before});
    const Rows<Key, Value> between = first;
    first = second;
    second = between;
  }
  return error;
}

// Stable merge sort of (key, value) pairs from the sequence `from` into `to`, with a second buffer from
// scratch memory. `from` may be `to`.
template <typename Key, typename Value, typename From, typename Before>
cudaError_t sort(Scratch& scratch, From from, Rows<Key, Value> to, Index count, Before before,
                 cudaStream_t stream) {
  Rows<Key, Value> other{scratch.take<Key>(count), nullptr};
  if constexpr (!std::is_same_v<Value, NoValues>) other.values = scratch.take<Value>(count);
  if (scratch.measures()) return cudaSuccess;
  return ends_in_second(count) ? merge_sort(from, other, to, count, before, stream)
                               : merge_sort(from, to, other, count, before, stream);
}

#if defined(__CUDA__)
// Kernel that sorts segments [begins[s], ends[s]), one block per segment, with block barriers between merge
// steps.
template <typename Key, typename Value, typename From, typename Begins, typename Ends, typename Before>
static __global__ void sort_segments(From from, Rows<Key, Value> to, Rows<Key, Value> other, Begins begins,
                                     Ends ends, Before before) {
  const Index begin = begins[blockIdx.x];
  const Index end = ends[blockIdx.x];
  const Index count = end - begin;
  bool second = false;
  for (Index length = kRun; length < count; length *= 2) second = !second;
  Rows<Key, Value> here = second ? other : to;
  Rows<Key, Value> there = second ? to : other;
  for (Index run = threadIdx.x; run * kRun < count; run += blockDim.x) {
    const Index first = begin + run * kRun;
    const Index last = first + kRun < end ? first + kRun : end;
    for (Index i = first; i < last; ++i) insert(here, first, i, from, before);
  }
  for (Index length = kRun; length < count; length *= 2) {
    __syncthreads();
    for (Index part = threadIdx.x; part * kRun < count; part += blockDim.x) {
      const Index first = part * kRun;
      const Index a = first / (2 * length) * (2 * length);
      const Index b = a + length < count ? a + length : count;
      const Index c = b + length < count ? b + length : count;
      merge_part(here, there, begin + a, begin + b, begin + c, begin + first, before);
    }
    const Rows<Key, Value> between = here;
    here = there;
    there = between;
  }
}

template <typename Key, typename Value, typename From, typename Begins, typename Ends, typename Before>
cudaError_t segmented_sort(Scratch& scratch, From from, Rows<Key, Value> to, Index count, Index segments,
                           Begins begins, Ends ends, Before before, cudaStream_t stream) {
  Rows<Key, Value> other{scratch.take<Key>(count), nullptr};
  if constexpr (!std::is_same_v<Value, NoValues>) other.values = scratch.take<Value>(count);
  if (scratch.measures() || segments <= 0) return cudaSuccess;
  constexpr int kSegmentThreads = 64;
  sort_segments<<<static_cast<unsigned int>(segments), kSegmentThreads, 0, stream>>>(from, to, other, begins,
                                                                                     ends, before);
  return cudaPeekAtLastError();
}
#endif

}  // namespace warpmark_lib
