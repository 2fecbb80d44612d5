// The measuring of a ladder, without what finds and builds things: for timers and a list of versions.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/bench/stage.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

// Seconds since whenever.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct LadderPlan {
  std::vector<std::uint64_t> sizes;  // rising
  std::string type;
  double seconds = 1;               // for all sizes together, starting the workers included
  std::uint64_t largest_bytes = 0;  // of an input
  std::function<double()> now = seconds_now;
};

// What is measured, without names and machine.
struct LadderRun {
  std::vector<LadderSeries> series;
  std::vector<LadderWork> work;
  std::string precision;
};

// Series of the CPU's sums, then of the candidates whose engine has a timer. What does not fit into the
// plan's seconds is left out, the large sizes of slow versions first, and its note says so. The smallest size
// is measured whatever it takes: every version once to warm up and once more at least.
LadderRun run_ladder(const LadderPlan& plan, const Assignment& assignment, std::span<const HostVersion> cpu,
                     const std::vector<Candidate>& candidates, const Timers& timers,
                     const std::function<void(const std::string&)>& progress);

}  // namespace warpmark::bench
