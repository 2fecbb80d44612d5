// Builds whole programs, a student's or the course's: for the simulator, or natively for a GPU or the CPU.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/base/file.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/program_analysis/analysis.h"

namespace warpmark::judge {

struct BuiltProgram {
  std::filesystem::path program;  // path of the executable; empty if the build failed
  std::filesystem::path folder;   // folder of the program's sources
  std::vector<Cause> causes;      // why the build failed; empty if it succeeded
  double seconds = 0;
};

// Returns the names of a program's source files in a folder: those that the rubric's list `sources` names or
// whose pattern they match. Does not search subfolders. Always contains the first name of the list.
std::vector<std::string> sources_in(const std::filesystem::path& folder, const VersionRule& version);
// Returns true unless a program consists of C and C++ files alone and no test case asks for kernels: such a
// program runs natively on a machine without a GPU.
bool needs_gpu(const VersionRule& version, const program::Spec& spec);

class ProgramBuilder {
 public:
  // `engine`: the simulator, the GPU (nvcc) or the CPU (g++); it must be usable.
  ProgramBuilder(const Installation& installation, const Rubric& rubric, const Engines& engines,
                 const std::filesystem::path& cache, Engine engine = Engine::simulator);

  // Builds a submitted program from its folder. Headers are searched in that folder, then among those that
  // the assignment gives to students: no source can include another file of the assignment. The
  // ProgramBuilder's destructor deletes the executable. Thread-safe.
  [[nodiscard]] BuiltProgram build(const std::filesystem::path& folder, const VersionRule& version) const;

 private:
  build::Builder builder_;
  TemporaryFolder programs_;
  std::filesystem::path headers_;  // folder with copies of the assignment's headers
  mutable std::atomic<int> count_{0};
};

// The builders of one grading, one for each engine, made when first asked for.
class ProgramBuilders {
 public:
  // Keeps references to its constructor's arguments, which must outlive the object.
  ProgramBuilders(const Installation& installation, const Rubric& rubric, const Engines& engines,
                  const std::filesystem::path& cache)
      : installation_(installation), rubric_(rubric), engines_(engines), cache_(cache) {}
  // Returns the builder of a usable engine. Thread-safe.
  const ProgramBuilder& of(Engine engine);

 private:
  const Installation& installation_;
  const Rubric& rubric_;
  const Engines& engines_;
  const std::filesystem::path& cache_;
  std::mutex mutex_;
  std::map<Engine, std::unique_ptr<ProgramBuilder>> made_;
};

}  // namespace warpmark::judge
