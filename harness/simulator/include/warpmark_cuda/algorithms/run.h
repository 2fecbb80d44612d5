// Building blocks of the simulator's CUB and Thrust: a kernel that calls a functor per index, and temporary
// device memory. The kernels are ordinary ones, so the simulator checks and counts them like the program's.
#pragma once

#include <iterator>
#include <type_traits>

#include "cuda_runtime.h"

// In the simulator's CUB and Thrust kernels, an iterator's value is bound to a variable before it is passed
// to a functor, because Thrust's placeholders accept only lvalues.
namespace warpmark_lib {

using Index = long long;
constexpr int kThreads = 256;
// number of values that one thread processes in CUB and Thrust kernels with several values per thread
constexpr Index kItems = 16;

inline Index parts(Index count, Index size) {
  return (count + size - 1) / size;
}

#if defined(__CUDA__)
template <typename Work>
static __global__ void run(Index count, Work work) {
  const Index i = static_cast<Index>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) work(i);
}

// Launches a kernel that calls work(i) for each i < count. Returns a launch error without clearing it, so
// that the program's cudaGetLastError() returns it, too.
template <typename Work>
cudaError_t for_each_index(Index count, cudaStream_t stream, Work work, size_t shared_bytes = 0) {
  if (count <= 0) return cudaSuccess;
  const int threads = count < kThreads ? static_cast<int>(parts(count, 32) * 32) : kThreads;
  run<<<static_cast<unsigned int>(parts(count, kThreads)), threads, shared_bytes, stream>>>(count, work);
  return cudaPeekAtLastError();
}

// Kernel that calls work(block) from all threads of each block, for CUB and Thrust algorithms that need block
// barriers.
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
#else
// For compilers of host code alone: such a file may name Thrust's vectors and copy them, as with a CUDA
// toolkit, but an algorithm that needs a kernel does not compile.
template <typename Work>
cudaError_t for_each_index(Index, cudaStream_t, Work, size_t = 0) {
  static_assert(sizeof(Work) == 0,
                "an algorithm on the GPU needs a CUDA compiler: compile this file with nvcc as .cu");
  return cudaErrorNotSupported;
}
template <typename Work>
cudaError_t for_each_block(Index count, cudaStream_t stream, Work work) {
  return for_each_index(count, stream, work);
}
#endif

// Arena allocator that divides a memory block into arrays. If base is null, take() returns null and only adds
// up the required size.
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

// Implements CUB's convention for temporary storage: if `memory` is null, only sets `bytes` to the required
// size. algorithm(scratch) must first take its arrays, then return cudaSuccess at once if scratch.measures().
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

// Runs a CUB-style algorithm, which takes its arrays from a Scratch, on temporary memory of its own,
// allocated with cudaMallocAsync and freed with cudaFreeAsync on the stream.
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
// Value type of an output iterator, or Other if the iterator accepts any type (its value type is void).
template <typename Iterator, typename Other>
using ValueOr = std::conditional_t<std::is_void_v<ValueOf<Iterator>>, Other, ValueOf<Iterator>>;

// Function objects for host and device code, in place of those in <functional>, which are host-only.
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

// Random-access iterator whose i-th value is function(i).
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
