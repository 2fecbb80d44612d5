// How a mistake is graded: its submission and the options of its grade.
#pragma once

#include <filesystem>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "tests/mistakes/mistake.h"

namespace warpmark::mistakes {

inline constexpr const char* kAllChecks = "[bc]*";  // `builds`, `correct` and `clean`

// Options that are the same for every grade of this folder, with a fixed seed.
judge::GradeOptions options_for(const std::filesystem::path& submission, const std::string& assignment,
                                const std::string& only, const std::string& type);

// Writes the edited submission, and its rubric if the mistake needs another limit of calls, below the folder.
// Returns the options to grade it with, except for engine and cache.
Result<judge::GradeOptions> prepared(const Mistake& mistake, const std::filesystem::path& scratch);

// Writes the worked examples of new assignments to the folder, under the names of their shapes, where they
// are found like an instructor's own.
Result<void> write_shapes(const std::filesystem::path& folder);

}  // namespace warpmark::mistakes
