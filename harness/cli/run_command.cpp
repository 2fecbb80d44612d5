#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "harness/cli/commands.h"
#include "harness/cli/simulation_options.h"
#include "harness/program_analysis/analysis.h"
#include "harness/program_analysis/simulation.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

int run_program(const judge::Installation& installation, const SimulationArguments& arguments,
                std::vector<std::string> words) {
  std::error_code error;
  if (words.empty()) return unusable("run", "name a program that `warpmark nvcc` made");
  const fs::path program = fs::absolute(words.front());
  if (!fs::is_regular_file(program, error))
    return unusable("run", fmt::format("there is no {}", words.front()));
  words.erase(words.begin());
  if (!words.empty() && words.front() == "--") words.erase(words.begin());
  program_analysis::RunOptions options = run_options(installation, arguments);
  options.arguments = std::move(words);
  const auto simulated =
      program_analysis::analyse(options, program, {fs::current_path(), program.parent_path()});
  if (!simulated) return broken("run", simulated.error());
  return tell(*simulated, simulated->exit_status, arguments.json, "run");
}

}  // namespace

Action add_run_command(CLI::App& app, const Context& context) {
  auto arguments = std::make_shared<SimulationArguments>();
  CLI::App* command = app.add_subcommand(
      "run", "Run a program that `warpmark nvcc` made with all checks, and report its mistakes");
  add_simulation_options(*command, arguments);
  command->prefix_command();
  command->footer(
      "warpmark run [OPTIONS] PROGRAM [ARGUMENTS]: what stands behind PROGRAM goes to it.\n\nThe report is "
      "that of "
      "warpmark simulate, on stderr.\n\nExit status: the program's own, or 1 if there are findings. Notes do "
      "not "
      "change it.");
  return [arguments, command, installation = context.installation] {
    return run_program(installation, *arguments, command->remaining());
  };
}

}  // namespace warpmark::cli
