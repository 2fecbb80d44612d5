// Parallel loop: calls a function for each index of a range, on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpmark {

// Parallel loop: calls work(0) ... work(count - 1), at most `jobs` concurrently, and returns after all calls
// have finished. Rethrows the first exception; calls that had not begun by then are skipped.
template <class Work>
void in_parallel(std::size_t count, unsigned jobs, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::once_flag first;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      std::call_once(first, [&] { failure = std::current_exception(); });
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned k = 1; k < jobs && k < count; ++k) threads.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace warpmark
