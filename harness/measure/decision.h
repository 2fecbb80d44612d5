// Decides from timing samples whether a student's kernel reaches the required speedup; pure functions. A
// round is four timed calls: naive kernel, student's kernel, naive, student's.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/measure/samples.h"

namespace warpmark::measure {

// Number of rounds (of four timed calls each) between two attempts to decide; a confidence interval needs at
// least 11 rounds.
inline constexpr std::size_t kLookEvery = 12;
// Maximum number of rounds (of four timed calls), a multiple of kLookEvery.
inline constexpr std::size_t kMostRounds = 96;
// Without a decision after kMostRounds, a median speedup of at least this share of the required one passes.
inline constexpr double kAtTheCap = 0.98;
// A kernel fails at once if it was slower than the naive kernel in each of the first kHopelessAfter rounds
// of timed calls.
inline constexpr std::size_t kHopelessAfter = 3;

// Limit on the half width of the control interval: the confidence interval of the naive kernel's log time
// ratio to itself, whose true value is 0. On a quiet H200, 12 rounds gave ratios of [0.9963, 1.0019]
// (2026-11-21, 2^26 ints), far wider with another process on the GPU.
inline constexpr double kControlWidth = 0.01;

// Limit on the half width of the control interval (naive code's log time ratio to itself) for plain C++ code,
// whose threads share cores, caches and memory with the rest of the system. On an idle server 24 rounds gave
// [0.944, 1.046] on 16 cores (2026-11-22, a sort of 2^20 keys). Required speedups of threaded code are a
// factor of several, so this suffices.
inline constexpr double kHostControlWidth = 0.10;

// Parameters of the decision whether a kernel reaches the required speedup: admitted noise, and maximum
// number of rounds.
struct Rigour {
  double control_width = kControlWidth;
  // Maximum number of rounds (of four timed calls), a multiple of kLookEvery.
  std::size_t most_rounds = kMostRounds;
};

// Tolerance between three times of the naive kernel: beside student code, in a worker process without it, and
// in the calibration. When another process distorted a ratio, the time was twice as long.
inline constexpr double kNaiveTolerance = 0.10;

// Returns true if the control interval (naive kernel against itself) contains 0 and lies within [-width,
// width].
bool is_quiet(const std::optional<Interval>& control, double width = kControlWidth);

// Returns true if code that uses all cores might have reached the required speedup without other processes'
// load. `cores_taken` is the processor time that other processes took, in cores (1: all of one core). Worst
// case assumed: one core had all of it, and all other threads waited for that core. An idle system takes less
// than kLeastTaken.
inline constexpr double kLeastTaken = 0.05;
bool others_explain(double cores_taken, double speedup, double threshold);

// Returns true if multithreaded code that missed the required speedup might have reached it with one core per
// thread. Other processes left it only `cores_had` cores' worth of processor time, so its speedup is scaled
// by threads / cores_had. Even an idle system takes up to 5 % of the time, hence kWholeCores.
inline constexpr double kWholeCores = 0.95;
bool cores_explain(double cores_had, unsigned threads, double speedup, double threshold);

// Returns true if two medians of the naive kernel's time are within kNaiveTolerance of each other.
bool agree(double one_ms, double other_ms);

enum class Decision { passed, failed, more_rounds, noise };

// Rule by which it was decided from timing samples whether a kernel reaches the required speedup.
enum class Ground {
  interval,  // the whole confidence interval lies on one side of the required speedup
  cap,       // undecided after the last round: the median decides, see kAtTheCap
  // The student's kernel was slower than the naive kernel in each of the first rounds of timed calls.
  hopeless,
  control,  // the control interval (naive kernel against itself) is too wide or excludes a ratio of 1
};

struct Look {
  Decision decision = Decision::more_rounds;  // `passed`: all required speedups are reached
  Ground ground = Ground::interval;
  std::size_t reached = 0;  // number of required speedups that are reached, once decided
};

// Decides from the rounds of timed calls so far whether a kernel reaches the required speedups; to be called
// after every round. `steps` are the required speedups, above 0 and ascending, at least one. One confidence
// interval decides all of them; more rounds follow while it contains one of them. Returns `more_rounds`
// between two evaluations, except for a kernel that is slower in all of the first rounds.
Look look_at(std::span<const Round> rounds, std::span<const double> steps, const Rigour& rigour = {});
// Decides from the rounds of timed calls so far whether a kernel reaches one required speedup.
inline Look look_at(std::span<const Round> rounds, double threshold, const Rigour& rigour = {}) {
  return look_at(rounds, std::span(&threshold, 1), rigour);
}

// Returns how many steps of a class's speed contest a submission reaches. A step is reached if the class's
// fastest submission is at most as many times as fast as the step's ratio in `within`, which descends. Both
// speedups were measured over the same baseline, in rounds of their own: `own` and `best` are the confidence
// intervals of their logarithms, `own_median` and `best_median` the medians. If the intervals are
// inconclusive, the medians decide, with the tolerance kAtTheCap.
std::size_t within_of_fastest(const Interval& own, double own_median, const Interval& best,
                              double best_median, std::span<const double> within);

}  // namespace warpmark::measure
