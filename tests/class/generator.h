// Makes a class of any size with known verdicts: each student hands in reference versions, some with one
// mistake of the tables in tests/mistakes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "harness/base/error.h"
#include "harness/model/grade.h"

namespace warpmark {

// What a version must get: no failure of `builds`, `correct` and `clean` where there is no mistake, else one
// with the mistake's cause.
struct ExpectedVersion {
  std::string mistake;  // name in the tables; empty: none
  std::string cause;
  std::set<std::string> also;  // kinds that may stand beside it
};
using ExpectedStudent = std::map<std::string, ExpectedVersion>;  // by version

struct GeneratedClass {
  std::map<std::string, ExpectedStudent> students;  // by the name of the student's folder
};

// Writes `<folder>/students/<name>/*.cu` and `<folder>/rubric.toml`. The same count and seed make the same
// class.
Result<GeneratedClass> generate_class(const std::filesystem::path& folder, std::size_t count,
                                      std::uint64_t seed);

// Writes a class whose verdicts nobody knows, to grade it several times and compare:
// `<folder>/students/<name>/*.cu` and
// `<folder>/rubric.toml`, which asks for all checks but `fast`. Of the two versions of each student, about a
// third are right, a third have a mistake of the tables and a third are mutants (tests/mutations). No two
// files of the class are the same code: each student's kernels have names of their own. The same count and
// seed make the same class.
Result<void> generate_students(const std::filesystem::path& folder, std::size_t count, std::uint64_t seed);

// The text with the student's number in the names of its kernels.
std::string with_own_kernels(std::string text, std::size_t student);

// Where a grade says something else than it must, a sentence each.
std::vector<std::string> differences(const ExpectedStudent& expected, const Grade& grade);

}  // namespace warpmark
