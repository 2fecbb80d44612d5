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
  LadderTimer* timer = nullptr;
  // Makes one call on the current input and returns its milliseconds.
  std::function<tl::expected<double, Cause>()> time = {};
  std::string out = {};              // reason why measuring stopped; empty while it continues
  std::vector<double> samples = {};  // timed calls at the current size, in milliseconds
  // Mean and sum, in seconds, of the wall time of the calls in `samples`, including changing the input and
  // checking the output.
  double seconds = 0;
  double total_seconds = 0;
  Trend calls = {};  // extrapolates `seconds` over the sizes

  [[nodiscard]] bool climbs() const { return out.empty(); }
  void give_up(std::string why);
  // Makes one call and appends its time to `samples` if `keep`. If the call fails, gives up. now: clock, in
  // seconds.
  void take(bool keep, const std::function<double()>& now);
  // Appends the result at size n to the series. lacking: the note to record if there are no samples, for a
  // reason that concerns all implementations.
  void record(std::uint64_t n, const std::string& lacking);
};

// Returns a climber per candidate whose engine has a timer.
std::vector<Climber> climbers_of(const std::vector<Candidate>& candidates, const Timers& timers);

}  // namespace warpmark::bench
