// Finds kernel files of one submission that are the same code under other names.
#pragma once

#include <map>
#include <string>

#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns the identity of what a version's kernels are and do: two versions have the same one if their
// optimised device code (PTX) differs only in names and all counters of the counted call are equal. Headers,
// macros and templates that expand to the same code make no difference. The counters tell versions apart that
// launch the same kernel differently, where the launch is the lesson.
std::string identity_of(const std::string& ptx, const Counted& counted);

// Maps each kernel file that is the same code as an earlier one to that earlier file: its source differs only
// in comments, layout and declared names, or both have the same entry in `identities` (by version) and the
// rubric limits their work differently. Versions of equal limits, such as a loop and the same loop unrolled,
// may compile to the same code. Ignores files that are missing, unreadable or not implemented.
std::map<std::string, std::string> same_code(const Submission& submission, const Rubric& rubric,
                                             const std::map<std::string, std::string>& identities);

}  // namespace warpmark::judge
