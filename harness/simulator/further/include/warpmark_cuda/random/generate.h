// Kernels of cuRAND's host API. The output is interleaved over subsequences: turn t, a few consecutive
// results, comes from subsequence t % Order<State>::kSequences. This order is documented for XORWOW; for
// other generators its parameters are those observed on a GPU (toolkit 13.0).
#pragma once

#include "warpmark_cuda/algorithms/run.h"
#include "warpmark_cuda/random/distributions.h"
#include "warpmark_cuda/random/mt19937.h"
#include "warpmark_cuda/random/types.h"

namespace warpmark_random {

using warpmark_lib::Index;

// Output order of a generator: number of interleaved subsequences, and 32-bit words that each turn takes
// from its subsequence.
template <typename State>
struct Order {
  static constexpr unsigned long long kSequences = 4096;
  static constexpr int kWords = 1;
};
template <>
struct Order<curandStateMRG32k3a_t> {
  static constexpr unsigned long long kSequences = 81920;
  static constexpr int kWords = 1;
};
template <>
struct Order<curandStatePhilox4_32_10_t> {
  static constexpr unsigned long long kSequences = 65536;
  static constexpr int kWords = 4;
};

// Functors that make a result from a generator's state. kDraws<State>: maximum number of draws from the
// generator per result. kResults<State>: consecutive results from one subsequence.
struct Bits {
  static constexpr bool kForQuasi = true;
  template <typename State>
  static constexpr int kDraws = 1;
  template <typename State>
  static constexpr int kResults = Order<State>::kWords;
  template <typename State>
  __device__ unsigned int operator()(State* state) const {
    return curand(state);
  }
};
struct LongBits {
  static constexpr bool kForQuasi = false;
  template <typename State>
  static constexpr int kDraws = 2;
  template <typename State>
  static constexpr int kResults = 1;
  template <typename State>
  __device__ unsigned long long operator()(State* state) const {
    const unsigned long long low = curand(state);
    return low | static_cast<unsigned long long>(curand(state)) << 32;
  }
};
template <typename T>
struct Uniform {
  static constexpr bool kForQuasi = true;
  template <typename State>
  static constexpr int kDraws = kIsMrg<State> ? 1 : sizeof(T) / sizeof(float);
  template <typename State>
  static constexpr int kResults = Order<State>::kWords;
  template <typename State>
  __device__ T operator()(State* state) const {
    if constexpr (std::is_same_v<T, float>) {
      return curand_uniform(state);
    } else if constexpr (std::is_same_v<State, curandStatePhilox4_32_10_t>) {
      const unsigned int low = curand(state);
      return unit(low, curand(state));
    } else {
      return curand_uniform_double(state);
    }
  }
};
template <typename T>
struct Normal {
  static constexpr bool kForQuasi = true;
  // Box and Muller's method: a pair of normal results takes as many draws from the generator as two uniform
  // results.
  template <typename State>
  static constexpr int kDraws = Uniform<T>::template kDraws<State>;
  template <typename State>
  static constexpr int kResults = Order<State>::kWords == 1 ? 2 : Order<State>::kWords;
  T mean;
  T deviation;
  bool of_logarithm;
  template <typename State>
  __device__ T operator()(State* state) const {
    T value;
    if constexpr (std::is_same_v<T, float>)
      value = mean + deviation * curand_normal(state);
    else
      value = mean + deviation * curand_normal_double(state);
    return of_logarithm ? static_cast<T>(exp(value)) : value;
  }
};
struct Poisson {
  static constexpr bool kForQuasi = false;
  template <typename State>
  // Poisson: generator draws reserved per result; the rare result that takes more reuses those of later
  // results, which does no harm
  static constexpr int kDraws = 64;
  template <typename State>
  static constexpr int kResults = 1;
  double mean;
  template <typename State>
  __device__ unsigned int operator()(State* state) const {
    return curand_poisson(state, mean);
  }
};

template <typename State, typename T, typename Make>
struct Generate {
  static constexpr unsigned long long kSequences = Order<State>::kSequences;
  static constexpr int kResults = Make::template kResults<State>;
  static constexpr int kDraws = Make::template kDraws<State>;
  unsigned long long seed;
  unsigned long long first;  // turn
  // number of leading results to skip in the first turn (a run of results from one subsequence), because
  // earlier calls have returned them
  Index given;
  Index count;
  T* output;
  Make make;
  __device__ void operator()(Index which) {
    const unsigned long long turn = first + static_cast<unsigned long long>(which);
    const Index skipped = which == 0 ? given : 0;
    State state;
    curand_init(seed, turn % kSequences,
                turn / kSequences * (kResults * kDraws) + static_cast<unsigned long long>(skipped * kDraws),
                &state);
    Index begin = which * kResults - given + skipped;
    Index end = begin + kResults - skipped;
    while (begin < count) {
      for (Index i = begin; i < end && i < count; ++i) output[i] = make(&state);
      end += kSequences * kResults;
      begin = end - kResults;
    }
  }
};

// Kernel functor that generates Sobol numbers for several dimensions: the output has all results of a
// dimension consecutively, and result i of a dimension is number i of that dimension's sequence.
template <typename T, typename Make>
struct GenerateSobol {
  unsigned int position;
  Index of_dimension;
  T* output;
  Make make;
  DirectionVectors vectors;
  __device__ void operator()(Index i) {
    curandStateSobol32_t state;
    curand_init(vectors.of[i / of_dimension], position + static_cast<unsigned int>(i % of_dimension), &state);
    output[i] = make(&state);
  }
};

template <typename T, typename Make>
struct GenerateMt19937 {
  unsigned int seed;
  unsigned long long position;
  Index count;
  T* output;
  Make make;
  __device__ void operator()(Index) {
    curandStateMt19937 state;
    state.words[0] = seed;
    for (int i = 1; i < 624; ++i)
      state.words[i] =
          1812433253u * (state.words[i - 1] ^ (state.words[i - 1] >> 30)) + static_cast<unsigned int>(i);
    state.next = 624;
    state.kept = Kept{};
    for (unsigned long long i = 0; i < position; ++i) curand(&state);
    for (Index i = 0; i < count; ++i) output[i] = make(&state);
  }
};

template <bool in_pairs, typename T, typename Make>
cudaError_t generate_on_device(curandGenerator_t generator, T* output, Index count, const Make& make) {
  using warpmark_lib::for_each_index;
  unsigned long long& position = generator->position;
  const cudaStream_t stream = generator->stream;
  if constexpr (Make::kForQuasi) {
    if (generator->type == CURAND_RNG_QUASI_SOBOL32) {
      const Index of_dimension = count / generator->dimensions;
      const cudaError_t error =
          for_each_index(count, stream,
                         GenerateSobol<T, Make>{static_cast<unsigned int>(position), of_dimension, output,
                                                make, direction_vectors()});
      position += static_cast<unsigned long long>(of_dimension);
      return error;
    }
  }
  if (generator->type == CURAND_RNG_PSEUDO_MT19937) {
    const cudaError_t error = for_each_index(
        1, stream,
        GenerateMt19937<T, Make>{static_cast<unsigned int>(generator->seed), position, count, output, make});
    position += static_cast<unsigned long long>(count) * Make::template kDraws<curandStateMt19937>;
    return error;
  }
  const auto with = [&](auto state) {
    using State = decltype(state);
    constexpr int kResults = Make::template kResults<State>;
    constexpr int kDraws = Make::template kDraws<State>;
    // Number of generator draws per unit of cuRAND's output. A unit is one result or, for normal numbers, a
    // pair of results. A call begins at a multiple of this number, so that it never starts within a unit.
    constexpr int kWhole = kDraws * (in_pairs ? 2 : 1);
    const unsigned long long begin = (position + kWhole - 1) / kWhole * kWhole;
    const auto given = static_cast<Index>(begin % (kResults * kDraws) / kDraws);
    const Index turns = warpmark_lib::parts(given + count, kResults);
    constexpr Index kMost = Order<State>::kSequences;
    position = begin + static_cast<unsigned long long>(count) * kDraws;
    return for_each_index(
        turns < kMost ? turns : kMost, stream,
        Generate<State, T, Make>{generator->seed, begin / (kResults * kDraws), given, count, output, make});
  };
  switch (generator->type) {
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return with(curandStateMRG32k3a_t());
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return with(curandStatePhilox4_32_10_t());
    default:
      return with(curandStateXORWOW_t());
  }
}

// Implements cuRAND's host generation functions: generates into device memory and, for a host generator,
// copies the output to host memory.
template <bool in_pairs, typename T, typename Make>
curandStatus_t generate(curandGenerator_t generator, T* output, size_t count, const Make& make) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool quasi = generator->type == CURAND_RNG_QUASI_SOBOL32;
  if (quasi && !Make::kForQuasi) return CURAND_STATUS_TYPE_ERROR;
  if ((quasi && count % generator->dimensions != 0) || (!quasi && in_pairs && count % 2 != 0))
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  cudaError_t error = cudaSuccess;
  if (generator->in_host_memory) {
    error = warpmark_lib::with_own_memory(generator->stream, [&](warpmark_lib::Scratch& scratch) {
      T* made = scratch.take<T>(static_cast<Index>(count));
      if (scratch.measures()) return cudaSuccess;
      const cudaError_t failed =
          generate_on_device<in_pairs>(generator, made, static_cast<Index>(count), make);
      if (failed != cudaSuccess) return failed;
      return ::cudaMemcpyAsync(output, made, count * sizeof(T), cudaMemcpyDeviceToHost, generator->stream);
    });
    if (error == cudaSuccess) error = ::cudaStreamSynchronize(generator->stream);
  } else {
    error = generate_on_device<in_pairs>(generator, output, static_cast<Index>(count), make);
  }
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

}  // namespace warpmark_random
