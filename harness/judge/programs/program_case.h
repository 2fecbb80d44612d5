// Runs one program on one case of its assignment, and says what was wrong.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "harness/assignments/program/spec.h"
#include "harness/judge/programs/program_build.h"
#include "harness/judge/programs/program_folder.h"

namespace warpmark::judge {

// Compares an output; returns why it is wrong, without cause kind's file and place in the submission, or
// nullopt if it is right. Throws AssignmentFault if the course's own checker fails.
using CompareOutput =
    std::function<std::optional<Cause>(const program::Output& output, const std::string& actual)>;

struct CaseSettings {
  const Installation& installation;
  const program::Spec& spec;
  std::filesystem::path course;       // the assignment's folder
  int schedules = 3;                  // of `clean`
  int devices = 1;                    // simulated GPUs
  std::chrono::milliseconds left{0};  // time for all runs of the case; the first has spec.run_limit at most
};

// The runs of a program on one case. The first decides whether its outputs are right.
class CaseRuns {
 public:
  // All arguments must outlive this object. Throws AssignmentFault if a file of the case is missing.
  CaseRuns(const CaseSettings& settings, const BuiltProgram& built, const program::Case& one);

  // Runs the program and returns why its result is wrong, the worst first. compare: called for each output.
  std::vector<Cause> correct(const CompareOutput& compare);
  // Returns the output of the first run: its standard output, or a file that it wrote.
  [[nodiscard]] tl::expected<std::string, Cause> output(const program::Output& output) const;
  // Makes further runs, and returns the findings of all as causes and notes.
  struct Findings {
    std::vector<Cause> causes;
    std::vector<Cause> notes;
  };
  Findings clean(const Rubric& rubric);
  [[nodiscard]] const std::optional<program_analysis::ProgramRun>& first_run() const { return first_; }

 private:
  [[nodiscard]] std::optional<Cause> bad_ending() const;
  void add_explanations(std::vector<Cause>& causes) const;
  [[nodiscard]] Cause cause_of(const program_analysis::ShownFinding& finding) const;
  [[nodiscard]] Cause of_this_case(Cause cause) const;

  const CaseSettings& settings_;
  const program::Case& case_;
  ProgramFolders folders_;
  program_analysis::RunOptions options_;
  program_analysis::Analysis analysis_;
  std::optional<program_analysis::ProgramRun> first_;
};

}  // namespace warpmark::judge
