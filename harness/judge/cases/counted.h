// From what a worker says it counted to what the grade may hold.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/assignments/assignment.h"
#include "harness/judge/intake/submission.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// The launches of one call, summed by kernel and by line of the submission's own files. Student code may have
// written any of it: names that no engine counts, numbers that are none, and more kernels or lines than a
// person reads are left out. Nothing when nothing is left.
std::optional<Counted> counted_by(const nlohmann::json& launches, const Submission& submission,
                                  const std::string& version, const Case& which);

}  // namespace warpmark::judge
