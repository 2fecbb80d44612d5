// Compares the times that a worker reports, which arise beside student code, with the judge's own clock.
#pragma once

#include <cstddef>
#include <span>

namespace warpmark::measure {

// One call as measured by two clocks, in milliseconds.
struct TimedCall {
  double event_ms = 0;  // by the worker's CUDA events
  double judge_ms = 0;  // of the whole request, by the judge's clock
};

// Returns the median over the calls of the request's time minus its events' time: sweep, patches, round-trip,
// and whatever a version hides from the events. `calls` must not be empty.
double beyond_events_ms(std::span<const TimedCall> calls);

// Two requests with the same sweeps, patches and reads, of which one calls the version once and the other
// after every sweep. The difference of their times by the judge's clock is the time of the additional calls
// alone.
struct ClockPair {
  double one_call_ms = 0;   // by the judge's clock
  double all_calls_ms = 0;  // likewise
  double events_ms = 0;     // sum over the additional calls, by the worker's events
  std::size_t calls = 0;    // number of additional calls; above 0
};

// Returns the median over the pairs of the same per call: launch, synchronisation, and anything hidden from
// the events. `pairs` must not be empty.
double beyond_events_ms(std::span<const ClockPair> pairs);

// Tolerance between judge and events: a share of the call's time, plus the uncertainty between two processes'
// clocks.
inline constexpr double kClockTolerance = 0.20;
inline constexpr double kClockSlackMs = 0.03;
// Tolerance if a version takes less time beyond its events than the naive kernel does: the longer a call, the
// later its end is noticed. Versions were 0.02 ms below the naive kernel, never more than 0.075 (H200, 120
// versions measured, 2026-11-21).
inline constexpr double kClockSlackBelowMs = 0.08;

// Returns true if the calls took as long as their events report. excess_ms: time beyond the events, minus
// that of trusted calls (the naive kernel's).
bool clocks_agree(double excess_ms, double event_ms);

// Returns true if the machine can explain the discrepancy `apart_ms`: the reference kernel, in a worker that
// holds no submission, shows at least half of it beyond its own events (`reference_beyond_ms`).
bool machine_explains(double apart_ms, double reference_beyond_ms);

// Upper bound of the bytes per clock that one SM reads from L2: 64 on sm_70 to sm_100 (NVIDIA's tuning guides
// and the A100 whitepaper: 5120 bytes per clock for 108 SMs), doubled to be generous.
inline constexpr double kL2BytesPerSmClock = 128;

// Returns a lower bound in milliseconds of the time to read `bytes` from L2; 0 if the device is not known.
double least_ms(std::size_t bytes, int multiprocessors, double clock_hz);

}  // namespace warpmark::measure
