#include "harness/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace warpmark {
namespace {

TEST(InParallel, does_every_piece_once_whatever_the_number_of_jobs) {
  for (const unsigned jobs : {0U, 1U, 2U, 7U, 100U}) {
    std::vector<std::atomic<int>> calls(50);
    in_parallel(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const auto& count) { return count == 1; }))
        << jobs;
  }
}

TEST(InParallel, does_no_more_than_the_jobs_at_a_time) {
  std::atomic<int> running{0};
  std::atomic<int> most{0};
  in_parallel(1000, 3, [&](std::size_t) {
    const int now = ++running;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    --running;
  });
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 3);
}

TEST(InParallel, of_nothing_does_nothing) {
  in_parallel(0, 4, [](std::size_t) { FAIL(); });
}

TEST(InParallel, throws_on_what_a_piece_throws) {
  for (const unsigned jobs : {1U, 4U}) {
    for (const std::size_t bad : {0, 9}) {
      const auto work = [&](std::size_t i) {
        if (i == bad) throw std::runtime_error("no memory");
      };
      EXPECT_THROW(in_parallel(10, jobs, work), std::runtime_error) << jobs;
    }
  }
}

}  // namespace
}  // namespace warpmark
