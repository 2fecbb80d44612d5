// Explains wrong labels of a version by a further call.
#pragma once

#include <optional>

#include "problem.h"

namespace warpmark::knn {

// Calls the version for a case, whose task is `task`. Returns nullopt if the call fails or all labels are
// right; without `mistake` if no known mistake gives the labels.
std::optional<Explanation> explain_labels(const Task& task, const Case& which, Experiment& experiment);

}  // namespace warpmark::knn
