// Renders the pages of a class from the model alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark {

// The instructor's page: one row per student, what needs attention, what was not understood, similar
// submissions.
std::string to_html(const ClassResult& result);

// The page of a student without a grade, with the reason.
std::string to_html(const StudentResult& student, const std::string& assignment);

// The ranking by speed, with pseudonyms only, so that it may be shown to students.
std::string leaders_to_html(const ClassResult& result);

// Two submissions that share code, side by side, for the instructor only. count: the total number of pairs,
// of which the page shows the first ones.
struct LikePair {
  Likeness likeness;
  std::string one_text;
  std::string other_text;
};
std::string alike_to_html(const std::vector<LikePair>& pairs, std::size_t count);

}  // namespace warpmark
