// One contender of a ladder on its way up the sizes.
#pragma once

#include <functional>
#include <memory>
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
  LadderTimer* timer = nullptr;                            // null: a sum on the CPU, which no worker makes
  std::function<tl::expected<double, Cause>()> time = {};  // milliseconds of one call on the present input
  std::string out = {};                                    // why it is asked no more
  std::vector<double> samples = {};                        // at the present size
  // What a kept call at the present size took with all that belongs to it (changed data, a checked answer),
  // and the sum of those.
  double seconds = 0;
  double total_seconds = 0;
  Trend calls = {};  // `seconds` of each size

  [[nodiscard]] bool climbs() const { return out.empty(); }
  void give_up(std::string why);
  // One call; a sample where `keep` says so. One that fails is its last. `now`: seconds.
  void take(bool keep, const std::function<double()>& now);
  // Ends the present size: the series gets its result, or `lacking` where there is none for that reason.
  void record(std::uint64_t n, const std::string& lacking);
};

// Of the sums on the CPU, then of the candidates whose engine has a timer. `input`: the present one; it is
// read when a climber is timed.
std::vector<Climber> climbers_of(std::span<const HostVersion> cpu, const std::vector<Candidate>& candidates,
                                 const Timers& timers, std::optional<Input>& input,
                                 const std::function<double()>& now);

}  // namespace warpmark::bench
