#include "harness/measure/clocks.h"

#include <cmath>
#include <vector>

#include "harness/measure/samples.h"

namespace warpmark::measure {

double beyond_events_ms(std::span<const TimedCall> calls) {
  std::vector<double> beyond;
  beyond.reserve(calls.size());
  for (const TimedCall& call : calls) beyond.push_back(call.judge_ms - call.event_ms);
  return median(std::move(beyond));
}

double beyond_events_ms(std::span<const ClockPair> pairs) {
  std::vector<double> beyond;
  beyond.reserve(pairs.size());
  for (const ClockPair& pair : pairs) {
    beyond.push_back((pair.all_calls_ms - pair.one_call_ms - pair.events_ms) /
                     static_cast<double>(pair.calls));
  }
  return median(std::move(beyond));
}

bool clocks_agree(double excess_ms, double event_ms) {
  const double slack_ms = excess_ms > 0 ? kClockSlackMs : kClockSlackBelowMs;
  return std::abs(excess_ms) <= kClockTolerance * event_ms + slack_ms;
}

bool machine_explains(double apart_ms, double reference_beyond_ms) {
  return 2 * std::abs(reference_beyond_ms) >= std::abs(apart_ms);
}

double least_ms(std::size_t bytes, int multiprocessors, double clock_hz) {
  const double rate = kL2BytesPerSmClock * multiprocessors * clock_hz;
  return rate > 0 ? static_cast<double>(bytes) / rate * 1e3 : 0;
}

}  // namespace warpmark::measure
