// Why a sum is wrong, from calls with chosen values.
//
// A sum is linear in its values, so a call with one value set shows how often that one counts, and a call
// with random weights in a range shows whether all of the range counts once. Two binary searches over the
// ranges [0, k) and [k, n) find the first and the last value that does not.
#pragma once

#include <optional>

#include "harness/assignments/assignment.h"

namespace warpmark::plain {

std::optional<Explanation> explain_sum(const Case& which, Experiment& experiment);

}  // namespace warpmark::plain
