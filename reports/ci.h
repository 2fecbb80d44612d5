// What CI servers show beside a student's lines. All of it is made of text of unknown origin: nothing in it
// begins a command, a link, a mention or markup.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/model/grade.h"

namespace warpmark {

// GitHub's workflow commands: an ::error a failed check at the line that caused it, a ::warning for what
// could not be decided or broke, as many of a kind as GitHub shows. folder: of the submission, relative to
// the repository's top.
std::string github_annotations(const Grade& grade, const std::filesystem::path& folder);

// An ::error of no file.
std::string github_error(std::string_view message);

// GitHub's step summary, in Markdown: the score, a table of checks, and what failed.
std::string github_summary(const Grade& grade);

// GitLab's code quality report (a JSON array of issues), which merge requests show at the lines.
std::string gitlab_code_quality(const Grade& grade, const std::filesystem::path& folder);

// `text`, which holds anything, between two workflow commands that switch the others off. token: known to
// nobody who had a part in the text.
std::string without_commands(std::string_view text, std::string_view token);

}  // namespace warpmark
