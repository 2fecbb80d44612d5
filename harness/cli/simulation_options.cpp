#include "harness/cli/simulation_options.h"

#include <CLI/CLI.hpp>
#include <chrono>

namespace warpmark::cli {
namespace {

constexpr int kMostSchedules = 1000;
constexpr double kLongestTimeout = 86400;

}  // namespace

void add_simulation_options(CLI::App& command, const std::shared_ptr<SimulationArguments>& arguments) {
  command.add_option("--json", arguments->json, "Write all findings and counts to this file");
  command.add_flag("--quick", arguments->run.once, "One checked run, in order, without counts");
  command
      .add_flag_function(
          "--thorough", [](std::int64_t) {},
          "All runs: in order, in other orders, and with counts. This is the default")
      ->excludes("--quick");
  command
      .add_option("--schedules", arguments->run.schedules, "How many other orders of blocks and warps to try")
      ->check(CLI::Range(0, kMostSchedules))
      ->capture_default_str()
      ->excludes("--quick");
  command.add_option("--timeout", arguments->timeout, "Time limit for all runs together, in seconds")
      ->check(CLI::Range(0.1, kLongestTimeout))
      ->capture_default_str();
  command.add_option("--memory", arguments->memory,
                     "Memory limit of a run, in MiB (default: half of this machine's)");
  command.add_option("--devices", arguments->run.devices, "Number of GPUs that the program sees")
      ->check(CLI::Range(1, kMostDevices))
      ->capture_default_str();
}

program_analysis::RunOptions run_options(const judge::Installation& installation,
                                         const SimulationArguments& arguments) {
  program_analysis::RunOptions options = arguments.run;
  options.timeout = std::chrono::milliseconds(static_cast<long>(arguments.timeout * 1000));
  options.memory = arguments.memory << 20;
  options.device = installation.device();
  // If stderr is no terminal, no progress lines are shown: they would mix with the program's output in a log.
  options.progress = ::isatty(STDERR_FILENO) != 0 ? progress_printer() : [](const std::string&) {};
  return options;
}

int broken(std::string_view command, const Error& error) {
  fmt::print(stderr, "warpmark {}: {}\nThis is a fault of Warpmark or of this machine, not of the program.\n",
             command, error.message);
  return kBroken;
}

}  // namespace warpmark::cli
