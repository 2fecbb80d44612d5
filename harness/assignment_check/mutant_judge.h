// Mutation testing on the simulator: grades mutants, the cheapest check first, in one process, so that they
// share test inputs and compile servers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/build/compiled_code.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/model/assignment_report.h"
#include "harness/source_edits/mutants.h"

namespace warpmark::assignment_check {

// Returns why the mutants of a version of the exercise cannot be graded on the simulator; empty if they can.
std::string obstacle_to_mutants(const judge::VersionRule& version);

class MutantJudge {
 public:
  // Constructor of MutantJudge: `setting` must outlive the object. seconds: per kernel version, how long the
  // check `correct` takes for the reference solution; the time limit of a mutant's call is derived from it.
  MutantJudge(const Setting& setting, const std::map<std::string, double>& seconds);

  // Grades a mutant, or returns its cached result. Thread-safe. Throws AssignmentFault if the assignment's
  // own files are wrong.
  MutantResult judge(const source_edits::Mutant& mutant);

  // Returns true if a mutant fails the check `clean` (no races, no invalid accesses), even if it also fails
  // `correct`. Thread-safe.
  bool fails_clean(const source_edits::Mutant& mutant);

 private:
  // A folder that holds one mutant's files at a time. Mutants reuse it, so that the compile server started
  // for this folder serves all of them.
  struct Desk {
    TemporaryFolder folder;
  };
  struct VersionState;

  class Bench;

  VersionState& state_of(const std::string& version);
  MutantResult graded(const source_edits::Mutant& mutant, VersionState& state);
  // Returns the context in which checks stop at the first failure; refers to its arguments.
  [[nodiscard]] judge::GradingContext context_of(const judge::Course& course,
                                                 const judge::Submission& submission) const;
  [[nodiscard]] std::string key_of(const source_edits::Mutant& mutant, std::string_view question) const;
  std::unique_ptr<Desk> take_desk();
  void put_back(std::unique_ptr<Desk> desk);

  const Setting& setting_;
  std::map<std::string, double> seconds_;
  judge::Engines engines_;  // the engines of this machine, reduced to the simulator
  std::map<Engine, build::Builder> builders_;
  std::shared_ptr<judge::CaseStore> cases_ = std::make_shared<judge::CaseStore>();
  std::string rules_;  // digest of the grading rules, a part of a mutant's cache key
  std::mutex mutex_;   // guards the maps of version states and of reusable folders
  std::map<std::string, std::unique_ptr<VersionState>> states_;
  std::vector<std::unique_ptr<Desk>> desks_;
};

}  // namespace warpmark::assignment_check
