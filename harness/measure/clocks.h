// Compares the CUDA event times that a worker process reports, and that student code in the process may
// falsify, with the judge process's own clock.
#pragma once

#include <cstddef>
#include <span>

namespace warpmark::measure {

// One call as measured by two clocks, in milliseconds.
struct TimedCall {
  double event_ms = 0;  // duration by CUDA events in the worker process
  double judge_ms = 0;  // duration of the whole request by the judge process's clock
};

// Returns the median over the calls of request duration minus event time, in milliseconds. This difference
// contains L2 eviction, patches, the round trip, and any work that student code hides from the CUDA events.
// `calls` must not be empty.
double beyond_events_ms(std::span<const TimedCall> calls);

// Two requests with the same L2 evictions, patches and reads; one calls the kernel once, the other after
// every eviction. The difference of their durations by the judge process's clock is the time of the
// additional calls alone.
struct ClockPair {
  double one_call_ms = 0;   // milliseconds for a request with one call, by the judge process's clock
  double all_calls_ms = 0;  // milliseconds for a request with all calls, by the judge process's clock
  double events_ms = 0;     // milliseconds of the additional calls together, by CUDA events
  std::size_t calls = 0;    // number of additional calls; above 0
};

// Returns, as a median over the pairs, the time per additional call that the events do not show: launch,
// synchronisation, and hidden work. `pairs` must not be empty.
double beyond_events_ms(std::span<const ClockPair> pairs);

// Tolerance between the judge process's clock and event times: a share of the call's time, plus the
// uncertainty between two processes' clocks.
inline constexpr double kClockTolerance = 0.20;
inline constexpr double kClockSlackMs = 0.03;
// Tolerance in milliseconds if a student's calls spend less time outside of their CUDA events than the naive
// kernel's calls do, because the end of a longer call is noticed later. Student kernels were 0.02 ms below
// the naive kernel, never more than 0.075 (H200, 120 kernels measured, 2026-11-21).
inline constexpr double kClockSlackBelowMs = 0.08;

// Returns true if the calls took as long as their events report. `excess_ms` is the time beyond the events
// minus the same for trusted calls (the naive kernel's).
bool clocks_agree(double excess_ms, double event_ms);

// Returns true if noise of the machine can explain that the clocks disagree by `apart_ms`: the naive kernel,
// in a worker process without student code, takes at least half of that beyond its own events
// (`reference_beyond_ms`).
bool machine_explains(double apart_ms, double reference_beyond_ms);

// Generous upper bound of the bytes per clock that one SM reads from L2: twice the 64 of sm_70 to sm_100
// (NVIDIA's tuning guides and the A100 whitepaper: 5120 bytes per clock for 108 SMs).
inline constexpr double kL2BytesPerSmClock = 128;

// Returns a lower bound in milliseconds of the time to read `bytes` from L2; 0 if the GPU is unknown.
double least_ms(std::size_t bytes, int multiprocessors, double clock_hz);

}  // namespace warpmark::measure
