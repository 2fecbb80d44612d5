// Whether a version reaches its threshold, round after round: pure functions of samples.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/measure/samples.h"

namespace warpmark::measure {

inline constexpr std::size_t kLookEvery = 12;     // rounds; the fewest that have an interval are 11
inline constexpr std::size_t kMostRounds = 96;    // eight looks
inline constexpr double kAtTheCap = 0.98;         // of the threshold passes where 96 rounds do not tell
inline constexpr std::size_t kHopelessAfter = 3;  // rounds that are all slower than the naive kernel

// Naive against naive must come out as 1, and to within 1 %: on a quiet H200 12 rounds gave [0.9963, 1.0019]
// (2026-11-21, 2^26 ints), with another process on the GPU far more.
inline constexpr double kControlWidth = 0.01;

// Of versions in C++: threads share cores, caches and memory with the rest of the system. With nothing else
// running 24 rounds gave [0.944, 1.046] on 16 cores of a server (2026-11-22, a sort of 2^20 keys); what is
// asked of threads is a factor of several.
inline constexpr double kHostControlWidth = 0.10;

// How much is asked of rounds before they decide.
struct Rigour {
  double control_width = kControlWidth;
  std::size_t most_rounds = kMostRounds;  // a multiple of kLookEvery
};

// How far the naive kernel's time may be from that in a worker without a submission, and from the calibrated
// one. Beside another process it was 2 times as long where the ratio came out wrong.
inline constexpr double kNaiveTolerance = 0.10;

// Whether the interval holds 0 and stays within the width of it.
bool is_quiet(const std::optional<Interval>& control, double width = kControlWidth);

// Whether a version that uses all cores could have reached the threshold, had others not taken so much of
// them (1: all of one core's time). At worst all of it was one core's, and the other threads waited for that
// one's. Less than a twentieth of a core is what an idle system does.
inline constexpr double kLeastTaken = 0.05;
bool others_explain(double cores_taken, double speedup, double threshold);

// Whether a version with that many threads, which is below the threshold, could have reached it, had they got
// that many cores' work done where others' threads got only `cores_had` cores' done. A twentieth less than
// all is what the system itself takes.
inline constexpr double kWholeCores = 0.95;
bool cores_explain(double cores_had, unsigned threads, double speedup, double threshold);

// Whether two medians of the naive kernel's time agree.
bool agree(double one_ms, double other_ms);

enum class Decision { passed, failed, more_rounds, noise };

// What a decision rests on.
enum class Ground {
  interval,  // the whole interval lies on one side of the threshold
  cap,       // the last round leaves it open: 98 % of the threshold is enough
  hopeless,  // slower than the naive kernel in every one of the first rounds
  control,   // the naive kernel against itself is not 1
};

struct Look {
  Decision decision = Decision::more_rounds;
  Ground ground = Ground::interval;
};

// What the rounds so far decide. threshold: a ratio, above 0. Asked after every round; between two looks it
// is `more_rounds` unless the version is hopeless.
Look look_at(std::span<const Round> rounds, double threshold, const Rigour& rigour = {});

}  // namespace warpmark::measure
