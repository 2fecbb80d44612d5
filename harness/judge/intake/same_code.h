// Finds versions of one submission that are the same code under other names. It never affects the score; it
// is a note in the grade.
#pragma once

#include <map>
#include <string>

#include "harness/judge/intake/submission.h"

namespace warpmark::judge {

// Maps each version whose file differs from an earlier one only in comments, layout and declared names, to
// that earlier version. Ignores files with causes.
std::map<std::string, std::string> same_code(const Submission& submission);

}  // namespace warpmark::judge
