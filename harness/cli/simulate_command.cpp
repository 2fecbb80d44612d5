#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/engine.h"
#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/terminal.h"
#include "harness/program_analysis/simulation.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSchedules = 1000;
constexpr double kLongestTimeout = 86400;

struct SimulateArguments {
  program_analysis::Options options;
  std::string json;
  double timeout = 300;    // time limit in seconds of all simulated runs of the program together
  std::size_t memory = 0;  // memory limit of each simulated run in MiB; 0: half of the machine's memory
  std::vector<std::string> include_folders;
};

int broken(const Error& error) {
  fmt::print(stderr,
             "warpmark simulate: {}\nThis is a fault of Warpmark or of this machine, not of the program.\n",
             error.message);
  return 3;
}

// Prints the findings of `warpmark simulate` to stderr, because stdout belongs to the simulated program.
template <class Told>
int tell(const Told& told, int status, const std::string& json) {
  end_progress();
  fmt::print(stderr, "{}", program_analysis::to_text(told, style_of_the_terminal(STDERR_FILENO)));
  if (json.empty()) return status;
  if (auto written = write_file(json, program_analysis::to_json(told)); !written) {
    return unusable("simulate", "--json: " + written.error().message);
  }
  return status;
}

int run(const judge::Installation& installation, SimulateArguments& arguments) {
  program_analysis::Options& options = arguments.options;
  options.timeout = std::chrono::milliseconds(static_cast<long>(arguments.timeout * 1000));
  options.memory = arguments.memory << 20;
  for (const std::string& folder : arguments.include_folders)
    options.include_folders.push_back(fs::absolute(folder));
  options.build.cache = cache_folder(installation);
  options.build.simulator_include = installation.simulator_headers();
  options.build.simulator_library = installation.libraries / "libwarpmark_cudart.so";
  options.device = installation.device();
  // If stderr is no terminal, `warpmark simulate` shows no progress lines: they would mix with the simulated
  // program's output in a log.
  options.progress = ::isatty(STDERR_FILENO) != 0 ? progress_printer() : [](const std::string&) {};
  const auto simulated = program_analysis::simulate(options);
  if (!simulated) return broken(simulated.error());
  if (!*simulated) return tell(simulated->error(), kUnusable, arguments.json);
  return tell(**simulated, (*simulated)->exit_status, arguments.json);
}

}  // namespace

Action add_simulate_command(CLI::App& app, const Context& context) {
  const judge::Installation& installation = context.installation;
  auto arguments = std::make_shared<SimulateArguments>();
  arguments->options.arguments = context.program_arguments;
  CLI::App* command = app.add_subcommand(
      "simulate", "Build any CUDA program, run it on the simulator, and report its mistakes");
  command->add_option("PROGRAM", arguments->options.sources, "The program's .cu files; one of them has main")
      ->required();
  command->add_option("--json", arguments->json, "Write all findings and counts to this file");
  command->add_option("-I", arguments->include_folders, "Search this folder for headers, too")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  command->add_option("-D", arguments->options.defines, "NAME or NAME=VALUE: define a macro")
      ->allow_extra_args(false);
  command
      ->add_option_function<std::string>(
          "--default-stream",
          [arguments](const std::string& which) {
            if (which == "per-thread")
              arguments->options.defines.emplace_back("CUDA_API_PER_THREAD_DEFAULT_STREAM");
          },
          "legacy or per-thread, as for nvcc")
      ->check(CLI::IsMember({"legacy", "per-thread"}));
  command
      ->add_option("--schedules", arguments->options.schedules,
                   "How many other orders of blocks and warps to try")
      ->check(CLI::Range(0, kMostSchedules))
      ->capture_default_str();
  command->add_option("--timeout", arguments->timeout, "Time limit for all runs together, in seconds")
      ->check(CLI::Range(0.1, kLongestTimeout))
      ->capture_default_str();
  command->add_option("--memory", arguments->memory,
                      "Memory limit of a run, in MiB (default: half of this machine's)");
  command->add_option("--devices", arguments->options.devices, "Number of GPUs that the program sees")
      ->check(CLI::Range(1, kMostDevices))
      ->capture_default_str();
  command->footer(
      "Arguments after -- go to the program: warpmark simulate sum.cu -- 1000 input.txt\n\nFiles may call "
      "each other's device functions, as with nvcc -rdc=true.\n\nThe program runs several times on the same "
      "input: at -O0 with its output shown, then without output in other\norders of blocks and warps, and at "
      "-O2. The report goes to stderr.\n\nExit status: the program's own, or 1 if there are findings; 2 if "
      "it cannot be built. Notes do not change it.");
  return [arguments, installation] { return run(installation, *arguments); };
}

}  // namespace warpmark::cli
