// `warpmark simulate`: runs one CUDA program several times on the GPU simulator and combines the findings.
//
// The program runs once at -O0 in order, with its output shown; then again at -O0 with other schedules and at
// -O2, with the same input and hidden output. A finding of any run counts. Counters come from the run at -O2,
// whose instructions are closest to a GPU's. If the runs' output or exit status differs, two more runs in
// order serve as controls: output that differs between the controls (times, addresses) does not depend on the
// schedule and is ignored.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/model/grade.h"
#include "harness/program_analysis/program_run.h"
#include "reports/reports.h"

namespace warpmark::program_analysis {

struct Options {
  std::vector<std::string> sources;  // paths of the program's source files, as the user wrote them
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> defines;
  std::vector<std::string> arguments;  // argv of the program
  // Number of additional runs of the program, each with another order of blocks and warps.
  int schedules = 3;
  std::chrono::milliseconds timeout{300'000};  // time limit of all simulated runs of the program together
  std::size_t memory = 0;  // memory limit of one run in bytes; 0: half of the machine's memory
  build::Settings build;
  std::filesystem::path device;  // path of warpmark-device
  int devices = 1;               // number of GPUs that the program sees
  // Called with a one-line message for the user before each step, such as "running at -O2".
  std::function<void(const std::string&)> progress;
};

struct ShownFinding {
  CauseKind kind = CauseKind::unsupported;
  bool note = false;   // true: the finding is information for the user, not an error
  std::string kernel;  // kernel in which an error was found; empty: the error is in host code
  std::string file;
  int line = 0;  // source line of the finding; 0: unknown
  int other_line = 0;
  std::string message;
  std::string seen;  // runs in which this finding appeared; empty if it appeared in all
  std::vector<SourceLine> excerpt;
  std::vector<SourceLine> other_excerpt;
};

struct RunSummary {
  ProgramMode mode;
  int status = 0;
  double seconds = 0;
};

struct Simulation {
  int exit_status = 0;  // 1 if there are findings, else the program's exit status
  std::vector<RunSummary> runs;
  std::vector<ShownFinding> findings;  // findings in all runs, errors first
  // One sentence per analysis that was left out (such as other orders of blocks), with the reason.
  std::vector<std::string> remarks;
  std::vector<wire::Launch> launches;     // kernel launches of the run at -O2; empty if there was none
  std::vector<wire::Transfer> transfers;  // host-device and device-device copies of the program's first run
  double seconds = 0;
};

// Result for a program that cannot be built or run.
struct Unusable {
  std::vector<Cause> causes;  // why the program cannot be built: compiler errors
  // Error message if the CUDA program cannot be built or run for another reason than compiler errors
  // (`causes`).
  std::string message;
};

// Builds and runs the program. The outer Result fails for internal errors, the inner one for errors of the
// user's program.
Result<tl::expected<Simulation, Unusable>> simulate(const Options& options);

// Reports of `warpmark simulate`: as JSON of schema "warpmark.simulation/1", or as text for a terminal.
std::string to_json(const Simulation& simulation);
std::string to_json(const Unusable& unusable);
std::string to_text(const Simulation& simulation, const ConsoleStyle& style);
std::string to_text(const Unusable& unusable, const ConsoleStyle& style);

}  // namespace warpmark::program_analysis
