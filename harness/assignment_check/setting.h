// State shared by all steps of checking an assignment: its rubric, this machine's engines and the user's
// options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "harness/assignments/assignment.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/installation.h"

namespace warpmark::assignment_check {

struct CheckOptions {
  std::string assignment;        // folder or name of the assignment to check
  std::filesystem::path cache;   // folder that caches built libraries and mutants' results
  std::size_t mutants = 200;     // maximum number of mutants to grade; 0: all
  std::uint64_t seed = 1;        // seed of the test inputs and of the sample of mutants
  std::size_t class_size = 100;  // number of students for the estimate of a class's grading time
  unsigned jobs = 1;             // threads
  bool verbose = false;          // true: report the source of the generated adapter
  bool propose = false;          // true: only propose limits on work counters
  bool record = false;           // true: only count the solutions' work, for reference.json
  std::string program = "./warpmark";
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct Setting {
  const judge::Installation& installation;
  const CheckOptions& options;
  judge::Rubric rubric;
  judge::Engines engines;
  std::shared_ptr<Assignment> assignment;

  [[nodiscard]] bool has_gpu() const { return engines.has(Engine::gpu); }
};

// Returns true if students write this version of the exercise: its code is neither given to them nor kept for
// the reference solution alone.
inline bool is_to_write(const judge::VersionRule& version) {
  return !version.given && !version.reference_only;
}

// Returns the engines without all but the simulator, on which mutants are graded.
inline judge::Engines simulator_alone(judge::Engines engines) {
  std::erase_if(engines.toolchains, [](const auto& entry) { return entry.first != Engine::simulator; });
  return engines;
}

}  // namespace warpmark::assignment_check
