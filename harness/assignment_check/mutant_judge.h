// Grades mutants on the simulator: the cheapest check first, in one process, with inputs and compilers shared
// by all.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/assignment_check/mutants.h"
#include "harness/assignment_check/same_code.h"
#include "harness/assignment_check/setting.h"
#include "harness/base/file.h"
#include "harness/build/builder.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Returns why the mutants of a version cannot be graded on the simulator; empty if they can.
std::string obstacle_to_mutants(const judge::VersionRule& version);

class MutantJudge {
 public:
  // The setting must outlive this object. seconds: how long `correct` of each version's solution takes, by
  // name; a call may take many times as long.
  MutantJudge(const Setting& setting, const std::map<std::string, double>& seconds);

  // Grades a mutant, or returns its cached result. Thread-safe. Throws AssignmentFault.
  MutantResult judge(const Mutant& mutant);

  // Returns true if the mutant fails the check `clean`, whatever `correct` says. Thread-safe.
  bool fails_clean(const Mutant& mutant);

 private:
  // Folder that holds one mutant at a time, so that its compile server serves all of them.
  struct Desk {
    TemporaryFolder folder;
  };
  struct VersionState;

  class Bench;

  VersionState& state_of(const std::string& version);
  MutantResult graded(const Mutant& mutant, VersionState& state);
  [[nodiscard]] std::string key_of(const Mutant& mutant, std::string_view question) const;
  std::unique_ptr<Desk> take_desk();
  void put_back(std::unique_ptr<Desk> desk);

  const Setting& setting_;
  std::map<std::string, double> seconds_;
  judge::Engines engines_;  // the simulator alone
  std::map<Engine, build::Builder> builders_;
  std::shared_ptr<judge::CaseStore> cases_ = std::make_shared<judge::CaseStore>();
  std::string rules_;  // digest of all but the mutant
  std::mutex mutex_;   // guards what follows
  std::map<std::string, std::unique_ptr<VersionState>> states_;
  std::vector<std::unique_ptr<Desk>> desks_;
};

}  // namespace warpmark::assignment_check
