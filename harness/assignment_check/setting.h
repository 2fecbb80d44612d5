// What all steps of a check share: the assignment, this machine and the user's options.
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
  std::string assignment;        // folder or name
  std::filesystem::path cache;   // of built libraries and of mutants' results
  std::size_t mutants = 200;     // that are graded at most; 0: all
  std::uint64_t seed = 1;        // of inputs and of the sample of mutants
  std::size_t class_size = 100;  // students, for the costs
  unsigned jobs = 1;             // threads
  bool verbose = false;          // show the generated adapter
  bool propose = false;          // only propose limits of work
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

// Returns true if students write the version.
inline bool is_to_write(const judge::VersionRule& version) {
  return !version.given && !version.reference_only;
}

}  // namespace warpmark::assignment_check
