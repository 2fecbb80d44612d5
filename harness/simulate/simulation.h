// `warpmark simulate`: one program, several runs, what they showed.
//
// The program runs once at -O0 in order, as its user sees it; then again at -O0 in other orders and at -O2,
// with the same input and unseen. A finding of any run counts; counts come from the run at -O2, which
// executes what a GPU would. Runs whose answers differ are compared with two more runs of the first kind:
// what differs between those is no matter of the order (times, addresses).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/build/builder.h"
#include "harness/model/grade.h"
#include "harness/simulate/program_run.h"
#include "reports/reports.h"

namespace warpmark::simulate {

struct Options {
  std::vector<std::string> sources;  // as the user named them
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> defines;
  std::vector<std::string> arguments;          // of the program
  int schedules = 3;                           // how many other orders
  std::chrono::milliseconds timeout{300'000};  // of all runs together
  std::size_t memory = 0;                      // bytes that a run may take; 0: half of what the machine has
  build::Settings build;
  std::filesystem::path device;                      // warpmark-device
  int devices = 1;                                   // that the program finds
  std::function<void(const std::string&)> progress;  // one line at a time
};

struct ShownFinding {
  CauseKind kind = CauseKind::unsupported;
  bool note = false;   // shown, but no error
  std::string kernel;  // empty: about host code alone
  std::string file;
  int line = 0;  // 0: not known
  int other_line = 0;
  std::string message;
  std::string seen;  // in which runs, where it was not in all; empty otherwise
  std::vector<SourceLine> excerpt;
  std::vector<SourceLine> other_excerpt;
};

struct RunSummary {
  ProgramMode mode;
  int status = 0;
  double seconds = 0;
};

struct Simulation {
  int exit_status = 0;  // 1: findings; else the program's own
  std::vector<RunSummary> runs;
  std::vector<ShownFinding> findings;     // errors first
  std::vector<std::string> remarks;       // what was not done, and why
  std::vector<wire::Launch> launches;     // of the run at -O2, where there is one
  std::vector<wire::Transfer> transfers;  // of the first run
  double seconds = 0;
};

// A program that cannot be built, or cannot be asked.
struct Unusable {
  std::vector<Cause> causes;  // of the compiler
  std::string message;        // else
};

// Fails for our own faults; the inner result for the user's.
Result<tl::expected<Simulation, Unusable>> simulate(const Options& options);

// The projections. JSON has schema "warpmark.simulation/1".
std::string to_json(const Simulation& simulation);
std::string to_json(const Unusable& unusable);
std::string to_text(const Simulation& simulation, const ConsoleStyle& style);
std::string to_text(const Unusable& unusable, const ConsoleStyle& style);

}  // namespace warpmark::simulate
