// How a trick is graded: its submission, beside a file that it must not see, and the options of its grade.
#pragma once

#include <filesystem>
#include <string_view>

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "tests/hostile/trick.h"

namespace warpmark::hostile {

// Text of the file that belongs to somebody else. No report may hold it.
inline constexpr std::string_view kSecret = "the-work-of-somebody-else";

// Writes the submission, a rubric with fewer sizes and shorter limits, and somebody else's file below the
// folder. Returns the options to grade the submission with, except for engine and cache.
Result<judge::GradeOptions> prepared(const Trick& trick, const std::filesystem::path& scratch);

}  // namespace warpmark::hostile
