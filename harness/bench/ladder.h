// The measuring of a ladder, without what finds and builds things: for a timer and a list of versions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/bench/stage.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

struct LadderPlan {
  std::vector<std::uint64_t> sizes;  // rising
  std::string type;
  double seconds_a_size = 1;
  std::uint64_t largest_bytes = 0;  // of an input
};

// What is measured, without names and machine.
struct LadderRun {
  std::vector<LadderSeries> series;
  std::vector<LadderWork> work;
  std::string precision;
};

// Series of the CPU's sums, then of the candidates whose engine has a timer.
LadderRun run_ladder(const LadderPlan& plan, const Assignment& assignment, std::span<const HostVersion> cpu,
                     const std::vector<Candidate>& candidates, const Timers& timers,
                     const std::function<void(const std::string&)>& progress);

}  // namespace warpmark::bench
