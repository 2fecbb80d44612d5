// A failing submission of pictures.toml: what its page has to draw, and how it is graded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "tests/edits/edits.h"

namespace warpmark::pictures {

struct Drawn {
  std::string name;
  edits::Edits edits;
  std::string check;
  std::string type;
  std::vector<std::string> draws;
  std::vector<std::string> not_drawn;
};

Result<std::vector<Drawn>> read_cases(const std::filesystem::path& table);

// Writes the submission below the folder. Returns the options to grade it with, except for engine and cache.
Result<judge::GradeOptions> prepared(const Drawn& drawn, const std::filesystem::path& scratch);

}  // namespace warpmark::pictures
