#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/ranges.h>

#include "harness/cli/commands.h"
#include "harness/cli/places.h"
#include "harness/cli/simulation_options.h"
#include "harness/program_analysis/project.h"
#include "harness/sandbox/process.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kLongestBuild{1};

struct SimulateArguments : SimulationArguments {
  program_analysis::Options options;
  std::vector<std::string> include_folders;
  std::string target;  // name of the program to run, if a folder has several
};

// Builds a folder with its own Makefile or CMakeLists.txt, output to stderr. Returns the exit status.
int build_folder(const judge::Installation& installation, const fs::path& folder, bool by_cmake) {
  const std::string warpmark = (installation.programs / "warpmark-cli").string();
  const std::string place = folder.string();
  const std::string jobs = "-j" + std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  const std::string build = (folder / "build-warpmark").string();
  std::vector<std::vector<std::string>> commands{{warpmark, "make", "-C", place, jobs}};
  if (by_cmake)
    commands = {{warpmark, "cmake", "-S", place, "-B", build}, {warpmark, "cmake", "--build", build, jobs}};
  for (const std::vector<std::string>& words : commands) {
    sandbox::Command command;
    command.argv = words;
    command.environment = program_analysis::environment_of_user();
    command.folder = fs::current_path();
    command.standard_fds = {-1, STDERR_FILENO, STDERR_FILENO};
    const auto built = sandbox::run(command, kLongestBuild);
    if (!built) return broken("simulate", built.error());
    if (built->timed_out || built->ending.kind != sandbox::Ending::Kind::exited || built->ending.code != 0)
      return unusable("simulate", fmt::format("the folder was not built: {}", fmt::join(words, " ")));
  }
  return 0;
}

// Returns the programs below a folder that are linked to the simulator, by path.
std::vector<fs::path> simulated_programs(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const bool executable = it->is_regular_file(error) && ::access(it->path().c_str(), X_OK) == 0;
    const auto bytes = executable ? read_file(it->path()) : fail("");
    if (bytes &&
        bytes->starts_with("\x7f"
                           "ELF") &&
        bytes->find("libwarpmark_cudart.so") != std::string::npos && it->path().extension() != ".so")
      found.push_back(it->path());
  }
  std::ranges::sort(found);
  return found;
}

// Returns the index of the one that is asked for: the only one, or that with the name of --target. The error
// lists what there is.
Result<std::size_t> chosen(const std::vector<std::string>& names, const std::string& target,
                           const std::string& folder) {
  if (names.empty()) return fail(fmt::format("{} has no CUDA program: no file defines main", folder));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == target || fs::path(names[i]).filename() == target || fs::path(names[i]).stem() == target)
      return i;
  if (target.empty() && names.size() == 1) return 0;
  return fail(fmt::format("{}; choose one with --target: {}",
                          target.empty() ? fmt::format("{} has {} programs", folder, names.size())
                                         : fmt::format("{} has no program {}", folder, target),
                          fmt::join(names, ", ")));
}

std::vector<std::string> below(const fs::path& folder, const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.lexically_relative(folder).string());
  return names;
}

// Runs a program that the folder's own build made, in the folder.
int run_built(const judge::Installation& installation, const Context& context,
              const SimulateArguments& arguments, const fs::path& folder) {
  const std::vector<fs::path> programs = simulated_programs(folder);
  const auto which = chosen(below(folder, programs), arguments.target, folder.string());
  if (!which) return unusable("simulate", which.error().message);
  program_analysis::RunOptions options = run_options(installation, arguments);
  options.arguments = context.program_arguments;
  options.working = [folder](int) { return folder; };
  fmt::print(stderr, "running {}\n", programs[*which].lexically_relative(folder).string());
  const auto simulated = program_analysis::analyse(options, programs[*which], {folder});
  if (!simulated) return broken("simulate", simulated.error());
  return tell(*simulated, simulated->exit_status, arguments.json, "simulate");
}

// Finds the sources of the program in a folder without a build system, and says what was found as a command.
Result<void> find_sources(SimulateArguments& arguments) {
  const std::string folder = arguments.options.sources.front();
  const auto programs = program_analysis::programs_in(program_analysis::sources_in(folder));
  std::vector<std::string> names;
  for (const auto& program : programs) names.push_back(program.sources.front());
  const auto which = chosen(names, arguments.target, folder);
  if (!which) return tl::unexpected<Error>(which.error());
  const program_analysis::ProjectProgram& program = programs[*which];
  arguments.options.sources.clear();
  std::string shown = "warpmark simulate";
  for (const std::string& source : program.sources) {
    arguments.options.sources.push_back((fs::path(folder) / source).lexically_normal().string());
    shown += " " + arguments.options.sources.back();
  }
  for (const std::string& each : program.include_folders) {
    arguments.include_folders.push_back((fs::path(folder) / each).lexically_normal().string());
    shown += " -I " + arguments.include_folders.back();
  }
  fmt::print(stderr, "{}\n", shown);
  return {};
}

int run_simulate(const Context& context, SimulateArguments& arguments) {
  const judge::Installation& installation = context.installation;
  program_analysis::Options& options = arguments.options;
  std::error_code error;
  if (options.sources.size() == 1 && fs::is_directory(options.sources.front(), error)) {
    const fs::path folder = fs::absolute(options.sources.front()).lexically_normal();
    const auto has = [&](const char* name) { return fs::exists(folder / name, error); };
    const bool by_cmake = has("CMakeLists.txt");
    if (by_cmake || has("Makefile") || has("makefile") || has("GNUmakefile")) {
      if (const int status = build_folder(installation, folder, by_cmake); status != 0) return status;
      return run_built(installation, context, arguments, folder);
    }
    if (auto found = find_sources(arguments); !found) return unusable("simulate", found.error().message);
  }
  static_cast<program_analysis::RunOptions&>(options) = run_options(installation, arguments);
  options.arguments = context.program_arguments;
  for (const std::string& folder : arguments.include_folders)
    options.include_folders.push_back(fs::absolute(folder));
  // Last, so that a program's own copies of the samples' headers are taken.
  options.include_folders.push_back(installation.root / "harness/nvcc/samples");
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
  command
      ->add_option("PROGRAM", arguments->options.sources,
                   "The program's .cu files, of which one has main, or a folder that holds a project")
      ->required();
  command->add_option("-I", arguments->include_folders, "Search this folder for headers, too")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  command->add_option("--target", arguments->target, "The program to run, if the folder has several");
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
      "each other's device functions, as with nvcc -rdc=true.\n\nA folder with a Makefile or CMakeLists.txt "
      "is built "
      "by it, as with warpmark make or warpmark cmake (into build-warpmark), and its program run in it. In "
      "another "
      "folder the files that belong together are found; the command that names them is printed.\n\nThe "
      "program runs several times on the same "
      "input: at -O0 with its output shown, then without output in other\norders of blocks and warps, and at "
      "-O2. The report goes to stderr.\n\nExit status: the program's own, or 1 if there are findings; 2 if "
      "it cannot be built. Notes do not change it.");
  return [arguments, context] { return run_simulate(context, *arguments); };
}

}  // namespace warpmark::cli
