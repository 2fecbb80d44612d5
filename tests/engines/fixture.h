// A submission of one of the corpora in tests/, and how it is graded: what the corpus's own test and the
// table of differences between the engines share.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"

namespace warpmark::engines {

struct Fixture {
  std::string corpus;  // "mistakes"
  std::string name;    // unique in its corpus: "bounds_less_or_equal"
  // Writes the submission, and the rubric if the corpus has one of its own, below the folder. Returns the
  // options to grade it with, except for engine and cache.
  std::function<Result<judge::GradeOptions>(const std::filesystem::path& scratch)> prepare;

  [[nodiscard]] std::string id() const { return corpus + "/" + name; }
};

// All cases of the tables of tests/mistakes (of which the right ones are the corpus "odd"), tests/hostile (of
// which honest.toml and honest_forms.toml are the corpus "honest"), tests/submissions and tests/pictures.
// Fails if a table cannot be read.
Result<std::vector<Fixture>> all_fixtures();

}  // namespace warpmark::engines
