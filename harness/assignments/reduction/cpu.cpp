// CPU baselines for the sum, single-threaded and on all cores; benchmarks compare GPU versions with them.
#include <algorithm>
#include <thread>
#include <type_traits>
#include <vector>

#include "reduction.h"

extern "C" {
reduce_fn cpu_one_thread;
reduce_fn cpu_threads;
reduce_fn cpu_openmp;
}

namespace {

// Unsigned, because signed overflow is undefined; double, because a float accumulator loses half of 2^26
// ones.
using Sum = typename std::conditional_t<std::is_integral_v<value_t>, std::make_unsigned<value_t>,
                                        std::common_type<value_t, double>>::type;

// Several partial sums at once: a single one would wait four cycles for each addition.
Sum sum_of(const value_t* values, std::size_t begin, std::size_t end) {
  Sum sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = begin; i < end; ++i) sum += static_cast<Sum>(values[i]);
  return sum;
}

}  // namespace

extern "C" void cpu_one_thread(const value_t* values, std::size_t n, value_t* sum, Workspace, cudaStream_t) {
  *sum = static_cast<value_t>(sum_of(values, 0, n));
}

// CPU baseline that creates and joins its threads in every call, as beginners' threaded programs do.
extern "C" void cpu_threads(const value_t* values, std::size_t n, value_t* sum, Workspace, cudaStream_t) {
  const std::size_t count = std::max(1U, std::thread::hardware_concurrency());
  std::vector<Sum> sums(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t which = 0; which < count; ++which) {
      threads.emplace_back(
          [=, &sums] { sums[which] = sum_of(values, n * which / count, n * (which + 1) / count); });
    }
  }
  Sum all = 0;
  for (const Sum part : sums) all += part;
  *sum = static_cast<value_t>(all);
}

// CPU baseline with OpenMP, which keeps its threads alive between calls.
extern "C" void cpu_openmp(const value_t* values, std::size_t n, value_t* sum, Workspace, cudaStream_t) {
  Sum all = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : all)
  for (std::size_t i = 0; i < n; ++i) all += static_cast<Sum>(values[i]);
  *sum = static_cast<value_t>(all);
}
