// The measuring of two versions against each other at one size.
#pragma once

#include <functional>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

// One call each, in milliseconds.
struct Duel {
  std::function<tl::expected<double, Cause>()> first;
  std::function<tl::expected<double, Cause>()> second;
};

// Interleaved rounds, as many as fit. Fills in what is measured, or the note.
ComparedSize fight(const Duel& duel, double seconds);

}  // namespace warpmark::bench
