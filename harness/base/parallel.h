// Independent pieces of work on a few threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpmark {

// Calls work(0) ... work(count - 1), at most `jobs` at a time, and returns when all are done. What one of
// them throws is thrown on; the others may then not have been called.
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
