// From a folder's name to all that is known of it before anything is built.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "harness/assignments/assignment.h"
#include "harness/base/error.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

struct Opened {
  std::string assignment_name;
  std::unique_ptr<Assignment> assignment;
  Rubric rubric;  // as read
  Submission submission;
};

// assignment: empty to tell it by the files; rubric: empty for the assignment's own. root: of the repository.
// Fails when the folder, the assignment or the rubric cannot be used.
Result<Opened> open_submission(const std::filesystem::path& folder, const std::string& assignment,
                               const std::filesystem::path& rubric, const std::filesystem::path& root);

}  // namespace warpmark::judge
