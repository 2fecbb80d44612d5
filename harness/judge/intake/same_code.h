// Versions of one submission that are the same code under other names. Never scored: told to who reads the
// grade.
#pragma once

#include <map>
#include <string>

#include "harness/judge/intake/submission.h"

namespace warpmark::judge {

// For each file that differs from an earlier one in nothing but comments, layout and names that it declares:
// the earlier one. Files with causes are left out.
std::map<std::string, std::string> same_code(const Submission& submission);

}  // namespace warpmark::judge
