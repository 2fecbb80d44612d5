// The right outputs of an assignment whose submissions are programs: files of the course, or what the
// reference puts out; and the comparison with them.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/judge/programs/program_case.h"

namespace warpmark::judge {

// Folder of an assignment with outputs that the reference gave when a handout was made: version/case/output.
inline constexpr const char* kRecorded = "recorded";
// Returns the path of a recorded output, relative to the assignment's folder.
std::filesystem::path recorded_place(const std::string& version, const program::Case& one,
                                     const program::Output& output);

class ExpectedOutputs {
 public:
  // All arguments must outlive this object.
  ExpectedOutputs(const CaseSettings& settings, const Rubric& rubric, const ProgramBuilder& builder)
      : settings_(settings), rubric_(rubric), builder_(builder) {}

  // Returns the right output. The reference is built and run for it once, if no file holds it. Throws
  // AssignmentFault if it cannot be had. Thread-safe.
  std::string of(const VersionRule& version, const program::Case& one, const program::Output& output);
  // Compares an output, by the course's checker if there is one. Throws AssignmentFault if the checker fails.
  // Thread-safe.
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
  std::mutex mutex_;  // guards all below, also while the reference runs
  std::map<std::string, BuiltProgram> references_;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> outputs_;
  BuiltProgram checker_;
};

}  // namespace warpmark::judge
