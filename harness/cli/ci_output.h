// What a CI job sees of a grade: annotations at the student's lines, a summary, the points.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/model/grade.h"

namespace warpmark::cli {

// The names that --ci takes; empty is none.
inline constexpr const char* kGithub = "github";
inline constexpr const char* kGitlab = "gitlab";

// Prints the grade as that server's log may hold it, with its annotations. folder: of the submission, as the
// user typed it. out: of the reports; GitLab's code quality report goes there. On GitHub, the job's summary
// and its step output `result` (for GitHub Classroom) go to the files that GITHUB_STEP_SUMMARY and
// GITHUB_OUTPUT name.
Result<void> present_to_ci(const std::string& server, const Grade& grade, const std::filesystem::path& folder,
                           const std::filesystem::path& out);

// That there is no grade, and why: an annotation where the server has such.
void say_unusable_to_ci(const std::string& server, const std::string& message);

}  // namespace warpmark::cli
