// Measures two versions against each other at one size.
#pragma once

#include <functional>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

// The two versions to compare; each function makes one call and returns its milliseconds.
struct Duel {
  std::function<tl::expected<double, Cause>()> first;
  std::function<tl::expected<double, Cause>()> second;
};

// Measures as many interleaved rounds as fit into `seconds`. If a call fails, the result holds only a note
// with the reason.
ComparedSize fight(const Duel& duel, double seconds);

}  // namespace warpmark::bench
