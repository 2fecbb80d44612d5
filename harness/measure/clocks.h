// The judge's own clock against the times that a worker reports, which arise beside student code.
#pragma once

#include <cstddef>
#include <span>

namespace warpmark::measure {

// One call by two clocks, in milliseconds.
struct TimedCall {
  double event_ms = 0;  // by the worker's events
  double judge_ms = 0;  // of the whole request, by the judge's clock
};

// What requests take beyond their events: sweep, patches, the way there and back, and whatever a version
// hides from the events. The median; not for an empty list.
double beyond_events_ms(std::span<const TimedCall> calls);

// Two requests with the same sweeps, patches and reads: one calls the version once, the other after every
// sweep. What the judge's clock says of the difference belongs to the additional calls alone.
struct ClockPair {
  double one_call_ms = 0;   // by the judge's clock
  double all_calls_ms = 0;  // likewise
  double events_ms = 0;     // of the additional calls, in all, by the worker's events
  std::size_t calls = 0;    // how many more; above 0
};

// The same of one call alone: the launch, the wait for the device, and what is hidden. The median of the
// pairs; not for an empty list.
double beyond_events_ms(std::span<const ClockPair> pairs);

// How far judge and events may be apart: a share of the call, and what the clocks of two processes leave
// open.
inline constexpr double kClockTolerance = 0.20;
inline constexpr double kClockSlackMs = 0.03;
// The longer a call is, the longer it takes until its end is noticed: a version was 0.02 ms below the naive
// kernel, and never more than 0.075 (H200, 120 versions measured, 2026-11-21).
inline constexpr double kClockSlackBelowMs = 0.08;

// Whether calls take as long as their events say. excess_ms: what they have beyond their events, over what
// calls that can be believed have beyond theirs.
bool clocks_agree(double excess_ms, double event_ms);

// Whether a machine whose reference, in a worker without a submission, has so much beyond its own events can
// be why clocks are so far apart: at least half of it is seen there, too.
bool machine_explains(double apart_ms, double reference_beyond_ms);

// Bytes that one SM takes from L2 in a clock, at most: 64 on sm_70 to sm_100 (NVIDIA's tuning guides and the
// A100 whitepaper: 5120 bytes a clock for 108 SMs), doubled to be generous.
inline constexpr double kL2BytesPerSmClock = 128;

// No call can read so many bytes in less. 0 where the device is not known.
double least_ms(std::size_t bytes, int multiprocessors, double clock_hz);

}  // namespace warpmark::measure
