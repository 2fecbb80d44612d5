// Renders the pages about a graded class, from a ClassResult alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/model/class_result.h"

namespace warpmark {

// Returns the instructor's page: one row per student, matters that need attention, files of the input that
// belong to no submission, similar submissions.
std::string to_html(const ClassResult& result);

// Returns the page of a student without a grade, with the reason.
std::string to_html(const StudentResult& student, const std::string& assignment);

// Returns the ranking by speed, which shows pseudonyms only, so that students may see it.
std::string leaders_to_html(const ClassResult& result);

// Two submissions that share code, to be shown side by side to the instructor only. count: total number of
// such pairs, of which the page shows the first ones.
struct LikePair {
  Likeness likeness;
  std::string one_text;
  std::string other_text;
};
std::string alike_to_html(const std::vector<LikePair>& pairs, std::size_t count);

}  // namespace warpmark
