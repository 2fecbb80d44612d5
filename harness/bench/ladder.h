// Benchmarks a student's implementations and CPU baselines at many input sizes with given timers; set_stage()
// (stage.h) creates the timers.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/bench/stage.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

// Returns the steady clock's time in seconds; only differences are meaningful.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct LadderPlan {
  std::vector<std::uint64_t> sizes;  // ascending
  std::string type;
  // Time budget of the whole benchmark in seconds, including the start of the worker processes.
  double seconds = 1;
  std::uint64_t largest_bytes = 0;  // upper limit of an input's size, in bytes
  std::function<double()> now = seconds_now;
};

// Result of a benchmark: the times of all implementations at all input sizes, without the names of the
// submission and the machine, which harness/model/ladder.h's Ladder adds.
struct LadderRun {
  std::vector<LadderSeries> series;
  std::vector<LadderWork> work;
  std::string precision;
};

// Returns one series of times per implementation (student's version or CPU baseline) whose engine has a
// timer. Measurements that exceed the time budget are skipped, the largest sizes of the slowest
// implementations first, and their notes say so. The smallest size is always measured: one warm-up call and
// at least one timed call per implementation.
LadderRun run_ladder(const LadderPlan& plan, const Assignment& assignment,
                     const std::vector<Candidate>& candidates, const Timers& timers,
                     const std::function<void(const std::string&)>& progress);

}  // namespace warpmark::bench
