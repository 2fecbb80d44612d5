// Decides from the rounds measured so far whether a version reaches its threshold: pure functions of samples.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/measure/samples.h"

namespace warpmark::measure {

inline constexpr std::size_t kLookEvery = 12;   // rounds between two looks; an interval needs at least 11
inline constexpr std::size_t kMostRounds = 96;  // eight looks
// Without a decision after kMostRounds, a median of at least this share of the threshold passes.
inline constexpr double kAtTheCap = 0.98;
// Fails a version that is slower than the naive kernel in each of its first rounds.
inline constexpr std::size_t kHopelessAfter = 3;

// Half width that the control's confidence interval (log ratio of naive kernel to itself, true value 0) may
// have. On a quiet H200, 12 rounds gave ratios of [0.9963, 1.0019] (2026-11-21, 2^26 ints), far more with
// another process on the GPU.
inline constexpr double kControlWidth = 0.01;

// The same for C++ versions, whose threads share cores, caches and memory with the rest of the system. On an
// idle server 24 rounds gave [0.944, 1.046] on 16 cores (2026-11-22, a sort of 2^20 keys). Thresholds of
// threaded versions are a factor of several, so this suffices.
inline constexpr double kHostControlWidth = 0.10;

// How strict the decision is.
struct Rigour {
  double control_width = kControlWidth;
  std::size_t most_rounds = kMostRounds;  // a multiple of kLookEvery
};

// Tolerance between the naive kernel's time beside a submission, its time in a worker without one, and its
// calibrated time. When another process distorted the ratio, the time was twice as long.
inline constexpr double kNaiveTolerance = 0.10;

// Returns true if the control interval contains 0 and lies within [-width, width].
bool is_quiet(const std::optional<Interval>& control, double width = kControlWidth);

// Returns true if a version that uses all cores might have reached the threshold without the load of other
// processes. cores_taken: processor time that they took, in cores (1: all of one core). In the worst case it
// was all on one core, and the version's other threads waited for that core's. An idle system takes less than
// kLeastTaken.
inline constexpr double kLeastTaken = 0.05;
bool others_explain(double cores_taken, double speedup, double threshold);

// Returns true if a version with that many threads, which missed the threshold, might have reached it with a
// core per thread: it got only `cores_had` cores' worth of work, so its speedup is scaled by threads /
// cores_had. The system itself takes up to a twentieth, hence kWholeCores.
inline constexpr double kWholeCores = 0.95;
bool cores_explain(double cores_had, unsigned threads, double speedup, double threshold);

// Returns true if two medians of the naive kernel's time are within kNaiveTolerance of each other.
bool agree(double one_ms, double other_ms);

enum class Decision { passed, failed, more_rounds, noise };

// The rule that a decision rests on.
enum class Ground {
  interval,  // the whole interval lies on one side of the threshold
  cap,       // open after the last round: the median reaches 98 % of the threshold, or it does not
  hopeless,  // slower than the naive kernel in each of the first rounds
  control,   // the control interval (naive kernel against itself) is too wide or excludes a ratio of 1
};

struct Look {
  Decision decision = Decision::more_rounds;
  Ground ground = Ground::interval;
};

// Decides from the rounds so far; call it after every round. threshold: a speedup, above 0. Between two looks
// the result is `more_rounds`, unless the version is hopeless.
Look look_at(std::span<const Round> rounds, double threshold, const Rigour& rigour = {});

}  // namespace warpmark::measure
