// Runs one submitted program on one test case of its assignment, and returns the reasons for a failure.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "harness/assignments/program/spec.h"
#include "harness/judge/programs/program_build.h"
#include "harness/judge/programs/program_folder.h"

namespace warpmark::judge {

// Compares a program's output with the expected one. Returns the reason why the output is wrong, without a
// source file and line, or nullopt if it is right. Throws AssignmentFault if the course's own checker fails.
using CompareOutput =
    std::function<std::optional<Cause>(const program::Output& output, const std::string& actual)>;

struct CaseSettings {
  const Installation& installation;
  const program::Spec& spec;
  std::filesystem::path course;  // folder with the assignment's files
  int schedules = 3;             // number of block and warp orders in which `clean` runs a program
  int devices = 1;               // simulated GPUs
  // time limit of all runs of a program on one test case; the first run is also limited by spec.run_limit
  std::chrono::milliseconds left{0};
  // Engine for which the programs are built: the simulator, or Engine::gpu and Engine::host, natively.
  Engine engine = Engine::simulator;
};

// All runs of one program on one test case. The first run decides whether the outputs are right; the later
// ones, under other schedules, only search for errors such as races.
class CaseRuns {
 public:
  // A CaseRuns object keeps references to its constructor's arguments, which must outlive it. Throws
  // AssignmentFault if a file of the test case is missing.
  CaseRuns(const CaseSettings& settings, const BuiltProgram& built, const program::Case& one);

  // Runs the program and returns why its result is wrong, the worst first. compare: called for each output.
  // The number of kernels is required on the simulator alone: a native run does not show its launches.
  std::vector<Cause> correct(const CompareOutput& compare);
  // Returns the program's first run. Not before correct().
  [[nodiscard]] const program_analysis::ProgramRun& first() const { return *first_; }
  // Returns a cause of kind no_kernel if the first run launched fewer kernels than the test case requires.
  // Not before correct() or clean(), on the simulator.
  [[nodiscard]] std::optional<Cause> too_few_kernels() const;
  // Returns the output of a program's first run on the test case: its standard output, or a file that it
  // wrote.
  [[nodiscard]] tl::expected<std::string, Cause> output(const program::Output& output) const;
  // Simulator findings (races, invalid accesses, ...) of all runs of a program on one test case: as failure
  // causes and as notes. clean() makes the runs after the first one.
  struct Findings {
    std::vector<Cause> causes;
    std::vector<Cause> notes;
  };
  Findings clean(const Rubric& rubric);

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
