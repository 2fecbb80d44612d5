// Presents a grade to a CI server: annotations at the student's lines, a summary, the points.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/model/grade.h"

namespace warpmark::cli {

// Values of the option --ci; empty: not run by a CI server.
inline constexpr const char* kGithub = "github";
inline constexpr const char* kGitlab = "gitlab";

// Prints a grade with annotations to the job log of the CI server named by `server`. folder: the submission,
// as the user typed it. out: folder of the reports, which also receives GitLab's code quality report. On
// GitHub, writes the step summary and the step output `result` (for GitHub Classroom) to the files named by
// GITHUB_STEP_SUMMARY and GITHUB_OUTPUT.
Result<void> present_to_ci(const std::string& server, const Grade& grade, const std::filesystem::path& folder,
                           const std::filesystem::path& out);

// Prints the reason why a submission could not be graded to a CI server's job log, as an annotation if the
// server supports annotations.
void say_unusable_to_ci(const std::string& server, const std::string& message);

}  // namespace warpmark::cli
