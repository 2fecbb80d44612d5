// `warpmark simulate`: builds one CUDA program of the user's and analyses it (analysis.h), with the first
// run's output shown.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/model/grade.h"
#include "harness/program_analysis/analysis.h"
#include "reports/reports.h"

namespace warpmark::program_analysis {

struct Options : RunOptions {
  std::vector<std::string> sources;  // paths of the program's source files, as the user wrote them
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> defines;
  build::Settings build;
};

// Result for a program that cannot be built or run.
struct Unusable {
  std::vector<Cause> causes;  // why the program cannot be built: compiler errors
  std::string message;        // why the program cannot be built or run; set if `causes` is empty
};

// Builds and runs the program. The outer Result fails for internal errors, the inner one for errors of the
// user's program.
Result<tl::expected<Simulation, Unusable>> simulate(const Options& options);

// Reports of a simulation. The JSON schema is "warpmark.simulation/1".
std::string to_json(const Simulation& simulation);
std::string to_json(const Unusable& unusable);
std::string to_text(const Simulation& simulation, const ConsoleStyle& style);
std::string to_text(const Unusable& unusable, const ConsoleStyle& style);

}  // namespace warpmark::program_analysis
