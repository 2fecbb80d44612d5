#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/simulation_options.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

struct SimulateArguments : SimulationArguments {
  program_analysis::Options options;
  std::vector<std::string> include_folders;
};

int run_simulate(const Context& context, SimulateArguments& arguments) {
  const judge::Installation& installation = context.installation;
  program_analysis::Options& options = arguments.options;
  static_cast<program_analysis::RunOptions&>(options) = run_options(installation, arguments);
  options.arguments = context.program_arguments;
  for (const std::string& folder : arguments.include_folders)
    options.include_folders.push_back(fs::absolute(folder));
  options.build.cache = cache_folder(installation);
  options.build.simulator_include = installation.simulator_headers();
  options.build.simulator_library = installation.libraries / "libwarpmark_cudart.so";
  const auto simulated = program_analysis::simulate(options);
  if (!simulated) return broken("simulate", simulated.error());
  if (!*simulated) return tell(simulated->error(), kUnusable, arguments.json, "simulate");
  return tell(**simulated, (*simulated)->exit_status, arguments.json, "simulate");
}

}  // namespace

Action add_simulate_command(CLI::App& app, const Context& context) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command = app.add_subcommand(
      "simulate", "Build any CUDA program, run it on the simulator, and report its mistakes");
  command->add_option("PROGRAM", arguments->options.sources, "The program's .cu files; one of them has main")
      ->required();
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
  add_simulation_options(*command, arguments);
  command->footer(
      "Arguments after -- go to the program: warpmark simulate sum.cu -- 1000 input.txt\n\nFiles may call "
      "each other's device functions, as with nvcc -rdc=true.\n\nThe program runs several times on the same "
      "input: at -O0 with its output shown, then without output in other\norders of blocks and warps, and at "
      "-O2. The report goes to stderr.\n\nExit status: the program's own, or 1 if there are findings; 2 if "
      "it cannot be built. Notes do not change it.");
  return [arguments, context] { return run_simulate(context, *arguments); };
}

}  // namespace warpmark::cli
