// Proposes limits of work from what the simulator counts of the reference and of the naive version.
#pragma once

#include <string>

#include "harness/assignment_check/setting.h"

namespace warpmark::assignment_check {

// A counter's value for the reference of a version and for the naive version.
struct CountedPair {
  judge::WorkCounter counter = judge::WorkCounter::launches;
  double reference = 0;
  double naive = 0;
};

// Returns the limit that the reference keeps with a margin and the naive version breaks; nullopt if the two
// are too close.
std::optional<judge::WorkLimit> limit_between(const CountedPair& pair);

// Returns [[version.work]] tables in TOML for the versions with kernels of their own that have none, with the
// counted values as comments. Throws AssignmentFault.
Result<std::string> propose_limits(const Setting& setting);

}  // namespace warpmark::assignment_check
