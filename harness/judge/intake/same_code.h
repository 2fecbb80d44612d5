// Finds kernel files of one submission that are the same code under other names. Never affects the score; the
// grade contains a note.
#pragma once

#include <map>
#include <string>

#include "harness/judge/intake/submission.h"

namespace warpmark::judge {

// Maps each kernel file that differs from an earlier file only in comments, layout and declared names to that
// earlier file. Ignores files that are missing, unreadable or not implemented.
std::map<std::string, std::string> same_code(const Submission& submission);

}  // namespace warpmark::judge
