// Compares the CUDA event times that a worker process reports, and that student code in the process may
// falsify, with the judge process's own clock.
#pragma once

#include <cstddef>
#include <span>

namespace warpmark::measure {

// Duration of one timed kernel call by two clocks, CUDA events and the judge process's own, in milliseconds.
struct TimedCall {
  double event_ms = 0;  // the kernel call's duration by CUDA events, which the worker process reports
  double judge_ms = 0;  // duration of the whole request around the kernel call, by the judge process's clock
};

// Returns the median over the calls of request duration minus event time, in milliseconds. This difference
// contains the L2 eviction, the changes of input data, the round trip, and any work that student code hides
// from the CUDA events. `calls` must not be empty.
double beyond_events_ms(std::span<const TimedCall> calls);

// Pair of requests to time a kernel, with the same number of L2 evictions, input changes and reads. One calls
// the kernel only once, the other after every eviction, so the difference of their durations by the judge
// process's clock is the time of the additional calls alone.
struct ClockPair {
  double one_call_ms = 0;  // milliseconds for the request with one kernel call, by the judge process's clock
  // Milliseconds for the request that calls the kernel after every L2 eviction, by the judge process's clock.
  double all_calls_ms = 0;
  // Milliseconds by CUDA events of the calls that only the second request makes, together.
  double events_ms = 0;
  std::size_t calls = 0;  // number of kernel calls that only the second request makes; above 0
};

// Returns the time per kernel call that CUDA events do not show (launch, synchronisation, and work that
// student code hides from the events), as a median over pairs of requests with one and with many calls.
// `pairs` must not be empty.
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
