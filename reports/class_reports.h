// The pages of a class. Each is a projection of the model alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark {

// The instructor's page: a row a student, what to look at, what was not understood, who is alike.
std::string to_html(const ClassResult& result);

// The page of a student who has no grade, and why.
std::string to_html(const StudentResult& student, const std::string& assignment);

// Two submissions that share code, side by side, for the instructor alone. count: of all pairs, of which the
// page shows the first.
struct LikePair {
  Likeness likeness;
  std::string one_text;
  std::string other_text;
};
std::string alike_to_html(const std::vector<LikePair>& pairs, std::size_t count);

}  // namespace warpmark
