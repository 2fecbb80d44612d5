// Expected outputs of an assignment whose submissions are whole programs, and the comparison of a program's
// outputs with them. An expected output comes from a file of the course or from a run of the reference
// solution.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/judge/programs/program_case.h"

namespace warpmark::judge {

// Subfolder of an assignment with outputs of the reference solution, recorded when the files for students
// (the handout) are made. Layout: name of the program/name of the test case/output file.
inline constexpr const char* kRecorded = "recorded";
// Returns the path of a recorded output of the reference solution, relative to the assignment's folder.
std::filesystem::path recorded_place(const std::string& version, const program::Case& one,
                                     const program::Output& output);

class ExpectedOutputs {
 public:
  // ExpectedOutputs keeps references to its constructor's arguments, which must outlive the object.
  ExpectedOutputs(const CaseSettings& settings, const Rubric& rubric, const ProgramBuilder& builder)
      : settings_(settings), rubric_(rubric), builder_(builder) {}

  // Returns a test case's expected output. If no file holds it, builds and runs the reference solution once.
  // Throws AssignmentFault if the output cannot be obtained. Thread-safe.
  std::string of(const VersionRule& version, const program::Case& one, const program::Output& output);
  // Compares a program's output with the expected one, by the course's checker if there is one. Throws
  // AssignmentFault if the checker fails. Thread-safe.
  std::optional<Cause> compare(const VersionRule& version, const program::Case& one,
                               const program::Output& output, const std::string& actual);

 private:
  const BuiltProgram& reference(const VersionRule& version);
  const std::vector<std::string>& outputs_of_reference(const VersionRule& version, const program::Case& one);
  std::optional<Cause> check(const program::Case& one, const std::string& expected,
                             const std::string& actual);
  const std::filesystem::path& checker();

  const CaseSettings& settings_;
  const Rubric& rubric_;
  const ProgramBuilder& builder_;
  std::mutex mutex_;  // guards the caches of built references and their outputs, also during builds and runs
  std::map<std::string, BuiltProgram> references_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> outputs_;
  BuiltProgram checker_;
};

}  // namespace warpmark::judge
