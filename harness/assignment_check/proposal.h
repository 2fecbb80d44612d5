// Proposes limits on kernels' work counters (atomics, memory requests, ...) between the simulator's counts
// for the reference solution and those for the naive version.
#pragma once

#include <string>
#include <string_view>

#include "harness/assignment_check/setting.h"

namespace warpmark::assignment_check {

// The value of one work counter for the reference solution of a version of the exercise, and for the naive
// version.
struct CountedPair {
  judge::WorkCounter counter = judge::WorkCounter::launches;
  double reference = 0;
  double naive = 0;
};

// Returns a limit on a work counter that the reference solution keeps with a margin and the naive version
// exceeds; nullopt if their counts are too close. other: who exceeds it, for the text of the lesson.
std::optional<judge::WorkLimit> limit_between(const CountedPair& pair,
                                              std::string_view other = "the naive version");

// Returns TOML text with a proposed [[version.work]] table for each version that has a kernel but no such
// table; TOML comments show the simulator's counts. Throws AssignmentFault.
Result<std::string> propose_limits(const Setting& setting);

}  // namespace warpmark::assignment_check
