// A contender of a ladder: one version or CPU baseline, measured at ascending sizes until it becomes too
// slow.
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
  LadderTimer* timer = nullptr;  // null: a CPU baseline, which needs no worker
  // Makes one call on the current input and returns its milliseconds.
  std::function<tl::expected<double, Cause>()> time = {};
  std::string out = {};              // why it is no longer measured; empty: it still is
  std::vector<double> samples = {};  // at the current size, in milliseconds
  // Mean and sum of the wall time of the kept calls at the current size, including changing the data and
  // checking the answer.
  double seconds = 0;
  double total_seconds = 0;
  Trend calls = {};  // trend of `seconds` over the sizes

  [[nodiscard]] bool climbs() const { return out.empty(); }
  void give_up(std::string why);
  // Makes one call and keeps its time as a sample if `keep`. A call that fails ends this climber. now:
  // returns seconds.
  void take(bool keep, const std::function<double()>& now);
  // Finishes the current size: appends its result to the series. `lacking` is the note if there is no sample
  // for a reason that concerns all climbers.
  void record(std::uint64_t n, const std::string& lacking);
};

// Returns a climber per CPU baseline, then one per candidate whose engine has a timer. input: the current
// input, read at each call; it must outlive the climbers.
std::vector<Climber> climbers_of(std::span<const HostVersion> cpu, const std::vector<Candidate>& candidates,
                                 const Timers& timers, std::optional<Input>& input,
                                 const std::function<double()>& now);

}  // namespace warpmark::bench
