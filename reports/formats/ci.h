// Renders a grade for CI servers, which show it beside a student's lines. All text is untrusted: it is
// escaped so that it cannot start a command, a link, a mention or markup.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/model/grade.h"

namespace warpmark {

// Returns GitHub workflow commands: an ::error per failed check at the line that caused it, a ::warning for
// checks that are undecided or broken, as many of each kind as GitHub shows. folder: the submission, relative
// to the repository's root.
std::string github_annotations(const Grade& grade, const std::filesystem::path& folder);

// Returns a GitHub workflow command that reports an error ("::error::message") without reference to a source
// line.
std::string github_error(std::string_view message);

// Returns GitHub's step summary in Markdown: the score, a table of checks, and the failures.
std::string github_summary(const Grade& grade);

// Returns GitLab's code quality report (a JSON array of issues), which merge requests show at the lines.
std::string gitlab_code_quality(const Grade& grade, const std::filesystem::path& folder);

// Wraps untrusted text in two workflow commands that disable command processing in between. token: must not
// be predictable by anybody who contributed to the text.
std::string without_commands(std::string_view text, std::string_view token);

}  // namespace warpmark
