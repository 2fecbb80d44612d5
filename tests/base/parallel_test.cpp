#include "harness/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <mutex>
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

TEST(InParallelWhenReady, begins_with_the_first_that_is_ready) {
  for (const unsigned jobs : {1U, 4U}) {
    std::atomic<int> produced{0};
    std::vector<std::size_t> order;
    std::mutex mutex;
    // 0 waits for three of the others, which come in their order.
    const auto is_ready = [&](std::size_t i) { return i != 0 || produced >= 3; };
    in_parallel_when_ready(6, jobs, is_ready, [&](std::size_t i) {
      if (i != 0) ++produced;
      const std::scoped_lock lock(mutex);
      order.push_back(i);
    });
    ASSERT_EQ(order.size(), 6U) << jobs;
    if (jobs == 1) {
      EXPECT_EQ(order, (std::vector<std::size_t>{1, 2, 3, 0, 4, 5}));
    }
  }
}

TEST(InParallelWhenReady, does_every_piece_once_where_threads_have_to_wait) {
  std::atomic<int> done{0};
  in_parallel_when_ready(
      200, 8, [&](std::size_t i) { return static_cast<std::size_t>(done) + 1 >= i; },
      [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 200);
}

TEST(InParallelWhenReady, wakes_those_that_wait_when_a_piece_throws) {
  const auto work = [](std::size_t) { throw std::runtime_error("no memory"); };
  EXPECT_THROW(in_parallel_when_ready(
                   5, 4, [](std::size_t i) { return i == 0; }, work),
               std::runtime_error);
}

}  // namespace
}  // namespace warpmark
