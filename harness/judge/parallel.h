// Independent pieces of work on a few threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace warpmark::judge {

// Calls work(0) ... work(count - 1), at most `jobs` at a time, and returns when all are done. work does not
// throw.
template <class Work>
void in_parallel(std::size_t count, unsigned jobs, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> threads;
  for (unsigned k = 1; k < jobs && k < count; ++k) threads.emplace_back(run);
  run();
}

}  // namespace warpmark::judge
