// Splits the work of the CPU versions among the cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>

#include "harness/base/parallel.h"

namespace warpmark {

inline std::uint64_t shares_of(bool threaded) {
  return threaded ? std::max(1U, std::thread::hardware_concurrency()) : 1;
}

// Calls work(begin, end, share) for consecutive parts of [0, count), one thread per part.
template <class Work>
void in_shares(std::uint64_t count, bool threaded, const Work& work) {
  const std::uint64_t shares = shares_of(threaded);
  in_parallel(shares, static_cast<unsigned>(shares),
              [&](std::size_t share) { work(count * share / shares, count * (share + 1) / shares, share); });
}

}  // namespace warpmark
