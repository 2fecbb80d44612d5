// What the libraries of the simulator are made of: a functor that runs for each index, and memory for what
// lies between two steps. The steps are plain kernels, checked and counted like any other.
#pragma once

#include <iterator>
#include <type_traits>

#include "cuda_runtime.h"

// A value that an iterator gives is passed by a name: thrust's placeholders take no other.
namespace warpmark_lib {

using Index = long long;
constexpr int kThreads = 256;
constexpr Index kItems = 16;  // that a thread takes where each thread takes several

template <typename Work>
static __global__ void run(Index count, Work work) {
  const Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) work(i);
}

inline Index parts(Index count, Index size) {
  return (count + size - 1) / size;
}

// work(i) for each i below count. The error is left for the program's cudaGetLastError.
template <typename Work>
cudaError_t for_each_index(Index count, cudaStream_t stream, Work work, size_t shared_bytes = 0) {
  if (count <= 0) return cudaSuccess;
  const int threads = count < kThreads ? static_cast<int>(parts(count, 32) * 32) : kThreads;
  run<<<static_cast<unsigned int>(parts(count, kThreads)), threads, shared_bytes, stream>>>(count, work);
  return cudaPeekAtLastError();
}

// work(block) by all threads of each block, for algorithms that have steps.
template <typename Work>
static __global__ void run_blocks(Work work) {
  work(static_cast<Index>(blockIdx.x));
}
template <typename Work>
cudaError_t for_each_block(Index count, cudaStream_t stream, Work work) {
  if (count <= 0) return cudaSuccess;
  run_blocks<<<static_cast<unsigned int>(count), kThreads, 0, stream>>>(work);
  return cudaPeekAtLastError();
}

// Memory cut into arrays. Without a base it measures: every array is null.
class Scratch {
 public:
  static constexpr size_t kAlignment = 256;
  explicit Scratch(void* base) : base_(static_cast<char*>(base)) {}

  template <typename T>
  T* take(Index count) {
    const size_t at = used_;
    used_ += (static_cast<size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + at);
  }
  bool measures() const { return base_ == nullptr; }
  size_t used() const { return used_ == 0 ? 1 : used_; }

 private:
  char* base_;
  size_t used_ = 0;
};

// The protocol of CUB: without memory a call says how much it needs, and does nothing else.
// algorithm(scratch) takes its memory first, and returns cudaSuccess at once where it measures.
template <typename Algorithm>
cudaError_t with_memory_of_caller(void* memory, size_t& bytes, const Algorithm& algorithm) {
  Scratch measured(nullptr);
  const cudaError_t error = algorithm(measured);
  if (error != cudaSuccess) return error;
  if (memory == nullptr) {
    bytes = measured.used();
    return cudaSuccess;
  }
  if (bytes < measured.used()) return cudaErrorInvalidValue;
  Scratch scratch(memory);
  return algorithm(scratch);
}

// The same with memory of its own, which is given back in the stream's order.
template <typename Algorithm>
cudaError_t with_own_memory(cudaStream_t stream, const Algorithm& algorithm) {
  Scratch measured(nullptr);
  cudaError_t error = algorithm(measured);
  if (error != cudaSuccess) return error;
  void* memory = nullptr;
  error = ::cudaMallocAsync(&memory, measured.used(), stream);
  if (error != cudaSuccess) return error;
  Scratch scratch(memory);
  error = algorithm(scratch);
  const cudaError_t freed = ::cudaFreeAsync(memory, stream);
  return error != cudaSuccess ? error : freed;
}

template <typename Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;
// What an output takes; other for one that takes anything.
template <typename Iterator, typename Other>
using ValueOr = std::conditional_t<std::is_void_v<ValueOf<Iterator>>, Other, ValueOf<Iterator>>;

// Without <functional>: its types have no device code.
struct Plus {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};
struct Equal {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH bool operator()(const A& a, const B& b) const {
    return a == b;
  }
};
struct Less {
  template <typename A, typename B>
  __host__ WARPMARK_LOOK_THROUGH bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};
struct Same {
  template <typename T>
  __host__ WARPMARK_LOOK_THROUGH T operator()(const T& value) const {
    return value;
  }
};

// A sequence computed from its index.
template <typename T, typename Function>
struct Computed {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = Index;
  using pointer = const T*;
  using reference = T;
  Function function;
  Index at = 0;
  __host__ WARPMARK_LOOK_THROUGH T operator*() const { return function(at); }
  __host__ WARPMARK_LOOK_THROUGH T operator[](Index i) const { return function(at + i); }
  __host__ WARPMARK_LOOK_THROUGH Computed operator+(Index i) const { return {function, at + i}; }
};

}  // namespace warpmark_lib
