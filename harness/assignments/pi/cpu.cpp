// CPU baselines for the area below 4 / (1 + x * x), single-threaded and on all cores; benchmarks compare GPU
// versions with them.
#include "pi.h"

extern "C" {
area_fn cpu_one_thread;
area_fn cpu_threads;
}

namespace {

value_t height(value_t from, value_t width, std::size_t i) {
  const value_t x = from + (static_cast<value_t>(i) + 0.5) * width;
  return 4 / (1 + x * x);
}

value_t width_of(const value_t* limits, std::size_t n) {
  return n == 0 ? 0 : (limits[1] - limits[0]) / static_cast<value_t>(n);
}

}  // namespace

// Several partial sums at once: a single one would wait four cycles for each addition.
extern "C" void cpu_one_thread(const value_t* limits, std::size_t n, value_t* area, Workspace, cudaStream_t) {
  const value_t from = limits[0];
  const value_t width = width_of(limits, n);
  value_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += height(from, width, i);
  *area = width * sum;
}

extern "C" void cpu_threads(const value_t* limits, std::size_t n, value_t* area, Workspace, cudaStream_t) {
  const value_t from = limits[0];
  const value_t width = width_of(limits, n);
  value_t sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += height(from, width, i);
  *area = width * sum;
}
