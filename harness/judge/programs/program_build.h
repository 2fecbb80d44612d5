// Builds whole programs for the simulator: students' and the course's.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/program_analysis/analysis.h"

namespace warpmark::judge {

struct BuiltProgram {
  std::filesystem::path program;  // empty if `causes` is not
  std::filesystem::path folder;   // of its sources
  std::vector<Cause> causes;      // why it cannot be built
  double seconds = 0;
};

// Returns the sources of a version that a folder holds, by name: those that `sources` names or its patterns
// match. Not recursive; the first is always among them.
std::vector<std::string> sources_in(const std::filesystem::path& folder, const VersionRule& version);

class ProgramBuilder {
 public:
  ProgramBuilder(const Installation& installation, const Rubric& rubric, const Engines& engines,
                 const std::filesystem::path& cache);

  // Builds a version of the program in a folder. Headers are searched in that folder, then among those that
  // the assignment gives to students: no source can include another file of the assignment. The program is
  // removed with this object. Thread-safe.
  [[nodiscard]] BuiltProgram build(const std::filesystem::path& folder, const VersionRule& version) const;

 private:
  build::Builder builder_;
  TemporaryFolder programs_;
  std::filesystem::path headers_;  // copies of the assignment's headers
  mutable std::atomic<int> count_{0};
};

}  // namespace warpmark::judge
