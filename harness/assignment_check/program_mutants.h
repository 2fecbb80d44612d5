// Mutation testing of whole programs on the simulator: a mutant is graded as a submission is, without `fast`.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/base/file.h"
#include "harness/build/compiled_code.h"
#include "harness/judge/programs/program_build.h"
#include "harness/model/assignment_report.h"
#include "harness/source_edits/mutants.h"

namespace warpmark::assignment_check {

class ProgramMutants {
 public:
  // `setting` must outlive the object. seconds: per program, how long `correct` takes for the solution; the
  // time limit of a mutant's run is derived from it. Fails if the solution's outputs cannot be recorded, with
  // which all mutants are compared.
  static Result<std::unique_ptr<ProgramMutants>> make(const Setting& setting,
                                                      const std::map<std::string, double>& seconds);

  // Grades a mutant: its fate is `failed` if its grade is not full. Thread-safe. Throws AssignmentFault if
  // the assignment's own files are wrong.
  MutantResult judge(const source_edits::Mutant& mutant);

 private:
  ProgramMutants(const Setting& setting, const std::map<std::string, double>& seconds);
  Result<void> record_outputs();
  [[nodiscard]] judge::Rubric rules_for(const std::string& version, bool with_clean) const;
  const std::optional<build::Code>& solution_of(const judge::VersionRule& version);
  bool decided_by(const judge::Rubric& rubric, const std::filesystem::path& submission, MutantResult& result);

  const Setting& setting_;
  std::map<std::string, double> seconds_;
  judge::Engines engines_;  // the engines of this machine, reduced to the simulator
  TemporaryFolder course_;  // the assignment's folder, with the solution's outputs in `recorded`
  judge::Rubric rubric_;
  judge::ProgramBuilder builder_;
  std::mutex mutex_;  // guards solutions_
  std::map<std::string, std::optional<build::Code>> solutions_;
};

// Returns the source files of a program's solution, or the one file of a version that is a function.
std::vector<std::string> solution_files(const judge::Rubric& rubric, const judge::VersionRule& version);

}  // namespace warpmark::assignment_check
