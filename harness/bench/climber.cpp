#include "harness/bench/climber.h"

#include <utility>

#include <fmt/format.h>

#include "harness/measure/samples.h"

namespace warpmark::bench {

void Climber::give_up(std::string why) {
  samples.clear();
  out = std::move(why);
}

void Climber::take(bool keep, const std::function<double()>& now) {
  if (!climbs()) return;
  const double begin = now();
  const auto milliseconds = time();
  if (!milliseconds) {
    give_up(fmt::format("{}: {}", name_of(milliseconds.error().kind), milliseconds.error().message));
  } else if (keep) {
    samples.push_back(*milliseconds);
    total_seconds += now() - begin;
    seconds = total_seconds / static_cast<double>(samples.size());
  }
}

void Climber::record(std::uint64_t n, const std::string& lacking) {
  LadderTime result;
  result.n = n;
  result.note = out.empty() ? lacking : out;
  result.samples = samples.size();
  if (!samples.empty()) {
    calls.add(n, seconds);
    result.median_ms = measure::median(samples);
    if (const auto interval = measure::sign_test_interval(samples)) {
      result.low_ms = interval->low;
      result.high_ms = interval->high;
    }
  }
  series.times.push_back(std::move(result));
  samples.clear();
  total_seconds = 0;
}

std::vector<Climber> climbers_of(const std::vector<Candidate>& candidates, const Timers& timers) {
  std::vector<Climber> climbers;
  for (const Candidate& candidate : candidates) {
    LadderTimer* const timer = timers.of(candidate);
    if (timer == nullptr) continue;
    Climber climber{{candidate.version, candidate.engine == Engine::host, {}, candidate.way, candidate.ranks},
                    timer};
    climber.out = candidate.obstacle;
    if (candidate.runner) climber.time = [timer, runner = *candidate.runner] { return timer->time(runner); };
    climbers.push_back(std::move(climber));
  }
  return climbers;
}

}  // namespace warpmark::bench
