// One benchmarked implementation, a student's version or a CPU baseline, measured at ascending input sizes
// until it becomes too slow.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/budget.h"
#include "harness/bench/ladder_timer.h"
#include "harness/bench/stage.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

struct Climber {
  LadderSeries series;
  LadderTimer* timer = nullptr;  // times the implementation in a worker process
  // Calls the implementation once on the current test input and returns the milliseconds it took.
  std::function<tl::expected<double, Cause>()> time = {};
  std::string out = {};  // reason why the implementation is no longer measured; empty while it is
  // Milliseconds of each timed call of the implementation at the current input size.
  std::vector<double> samples = {};
  // Mean and sum of the calls' wall time in seconds at the current input size. Unlike the timed milliseconds,
  // these include changing the input and checking the output, and so determine what fits into the time
  // budget.
  double seconds = 0;
  double total_seconds = 0;
  Trend calls = {};  // predicts a call's wall time at larger input sizes

  [[nodiscard]] bool climbs() const { return out.empty(); }
  void give_up(std::string why);
  // Calls the implementation once and, if `keep`, records its time. If the call fails, the implementation is
  // not measured any further. now: the clock, in seconds.
  void take(bool keep, const std::function<double()>& now);
  // Appends the implementation's result at input size n to its series in the report. lacking: note to report
  // if there are no samples for a reason that concerns all implementations, such as too little memory.
  void record(std::uint64_t n, const std::string& lacking);
};

// Returns the measuring state of each benchmarked implementation (student's version or CPU baseline) whose
// engine can be timed.
std::vector<Climber> climbers_of(const std::vector<Candidate>& candidates, const Timers& timers);

}  // namespace warpmark::bench
