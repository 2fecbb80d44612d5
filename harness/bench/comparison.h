// Compares the speed of two of a student's kernels on one input.
#pragma once

#include <functional>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

// Two kernels to compare; each function calls its kernel once and returns the milliseconds.
struct Duel {
  std::function<tl::expected<double, Cause>()> first;
  std::function<tl::expected<double, Cause>()> second;
};

// Calls two kernels alternately, in as many rounds as fit into `seconds`, and returns the ratio of their
// times. If a call fails, the result holds only a note with the reason.
ComparedSize fight(const Duel& duel, double seconds);

}  // namespace warpmark::bench
