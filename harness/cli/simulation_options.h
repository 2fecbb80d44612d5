// Options of the commands that run a program on the simulator with all checks: `simulate` and `run`.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/terminal.h"
#include "harness/judge/workers/installation.h"
#include "harness/program_analysis/simulation.h"

namespace warpmark::cli {

struct SimulationArguments {
  program_analysis::RunOptions run;
  std::string json;
  double timeout = 300;    // time limit in seconds of all simulated runs of the program together
  std::size_t memory = 0;  // memory limit of each simulated run in MiB; 0: half of the machine's memory
};

void add_simulation_options(CLI::App& command, const std::shared_ptr<SimulationArguments>& arguments);

// Returns the options of the runs, as the command line set them.
program_analysis::RunOptions run_options(const judge::Installation& installation,
                                         const SimulationArguments& arguments);

// Prints a fault of this program or machine; returns the exit status.
int broken(std::string_view command, const Error& error);

// Prints a report to stderr, because stdout belongs to the simulated program, and writes it to the file of
// --json. Returns `status`.
template <class Told>
int tell(const Told& told, int status, const std::string& json, std::string_view command) {
  end_progress();
  fmt::print(stderr, "{}", program_analysis::to_text(told, style_of_the_terminal(STDERR_FILENO)));
  if (json.empty()) return status;
  if (auto written = write_file(json, program_analysis::to_json(told)); !written)
    return unusable(command, "--json: " + written.error().message);
  return status;
}

}  // namespace warpmark::cli
