// warpmark: grades CUDA coursework. The wrapper script of the same name at the top of the repository builds
// and runs this.
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/prctl.h>

#include "harness/base/file.h"
#include "harness/cli/commands.h"
#include "harness/cli/manual.h"
#include "harness/cli/places.h"

namespace {

// Takes what stands behind "--" off the arguments, for the command that starts a program of the user's.
std::vector<std::string> take_program_arguments(int& argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "simulate") return {};
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    std::vector<std::string> taken(argv + i + 1, argv + argc);
    argc = i;
    return taken;
  }
  return {};
}

// Of a command line that is not understood: what is wrong with it, and how it is written.
std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  const auto chosen = app->get_subcommands();
  const auto page = warpmark::cli::manual_page_of(chosen.empty() ? *app : *chosen.front());
  return fmt::format("{}: {}\nUsage: {}\nAll of it is explained by: {} --help\n", page.name, error.what(),
                     page.synopsis, page.name);
}

int run(int argc, char** argv) {
  std::vector<std::string> program_arguments = take_program_arguments(argc, argv);
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  auto installed = warpmark::cli::installation_at(program.parent_path(), WARPMARK_ROOT);
  installed.made = warpmark::cli::made_workers(installed, WARPMARK_VERSION);
  installed.progress = [](const std::string& text) { fmt::print(stderr, "warpmark: {}\n", text); };
  CLI::App app{"Grades CUDA coursework on a GPU or, where there is none, on a simulator.", "warpmark"};
  app.set_version_flag("--version", WARPMARK_VERSION);
  app.add_flag_callback(
      "--home",
      [&installed] {
        fmt::print("{}\n", installed.root.string());
        throw CLI::Success();
      },
      "Print the folder that holds the assignments and the simulator's headers, for editors and scripts");
  app.require_subcommand(1);
  app.footer(
      "`./warpmark test [CTEST OPTIONS]` of a clone builds everything and runs all tests, `./warpmark "
      "package "
      "DIR` makes packages of it. `./warpmark "
      "--no-install "
      "COMMAND` installs nothing.\n\n"
      "Exit status: 0 all checks passed or could not be asked here; 1 the submission failed a check; 2 the "
      "command or the submission cannot be used; 3 a check was inconclusive, or broke by a fault of "
      "Warpmark.\n\n"
      "Files: caches in build/ of a clone, else $XDG_CACHE_HOME/warpmark or ~/.cache/warpmark; reports, "
      "where no folder "
      "is named, in reports/out of a clone, else in warpmark-out.");
  std::map<CLI::App*, warpmark::cli::Action> commands;
  for (const auto add : warpmark::cli::commands()) {
    auto command = add(app, installed);
    commands[app.get_subcommands(nullptr).back()] = std::move(command);
  }
  auto simulate = warpmark::cli::add_simulate_command(app, installed, std::move(program_arguments));
  commands[app.get_subcommands(nullptr).back()] = std::move(simulate);
  auto manual = warpmark::cli::add_manual_command(app, WARPMARK_VERSION);
  commands[app.get_subcommands(nullptr).back()] = std::move(manual);
  warpmark::cli::use_manual(app);
  app.failure_message(failure_message);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (argc > 1 && argv[1][0] != '-' && app.get_subcommands().empty()) {
      fmt::print(stderr, "warpmark: no command is called {}; see warpmark --help\n", argv[1]);
      return warpmark::cli::kUnusable;
    }
    return app.exit(error) == 0 ? 0 : warpmark::cli::kUnusable;
  }
  return commands.at(app.get_subcommands().front())();
}

}  // namespace

int main(int argc, char** argv) {
  // A worker runs as the same user: it shall not reach our memory or descriptors through /proc.
  ::prctl(PR_SET_DUMPABLE, 0);
  warpmark::sweep_temporary_folders();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpmark: {}\nThis is a fault of Warpmark or of this machine, not of a submission.\n",
               error.what());
    return 3;
  }
}
