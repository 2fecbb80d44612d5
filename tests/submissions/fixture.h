// A wrong submission of the tables beside this file: what is asked of its grade, and how it is graded.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "tests/edits/edits.h"

namespace warpmark::submissions {

// Of one check.
struct Expectation {
  std::string id;
  std::string engine;  // empty: whichever decided
  std::string verdict;
  std::string cause;
  std::string file;
  std::string line;  // part of the line's text
  std::string also;  // a kind that some other cause has; empty: no matter
};

struct Fixture {
  std::string name;
  edits::Edits edits;
  std::string only;
  std::vector<Expectation> expectations;

  [[nodiscard]] bool asks_for_upload() const {
    return std::ranges::any_of(expectations, [&](const Expectation& expected) {
      return expected.id == edits::check_id(edits, "upload_once");
    });
  }
};

// The cases of all tables of a folder, by name. Fails if a table cannot be read.
Result<std::vector<Fixture>> read_fixtures(const std::filesystem::path& folder);

// Writes the submission and the course's rubric with short limits below the folder: a fixture that never ends
// shall not cost 20 seconds each time. Returns the options to grade it with, except for engine and cache.
Result<judge::GradeOptions> prepared(const Fixture& fixture, const std::filesystem::path& scratch);

}  // namespace warpmark::submissions
