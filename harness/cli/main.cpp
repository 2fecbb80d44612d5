// warpmark: grades CUDA coursework. The wrapper script of the same name at the top of the repository builds
// and runs this.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/cli/manual.h"
#include "harness/cli/places.h"

namespace {

// Commands whose arguments all belong to another program: nvcc's options, make's targets. A lone --help is
// theirs no longer.
constexpr std::array<std::string_view, 3> kPassOn{"nvcc", "make", "cmake"};

// Removes from argv the arguments that belong to another program, and returns them: those after "--" of
// `simulate`, and all of the commands that pass on.
std::vector<std::string> take_program_arguments(int& argc, char** argv) {
  const bool helps = argc == 3 && std::string_view(argv[2]) == "--help";
  if (argc >= 2 && !helps && std::ranges::find(kPassOn, std::string_view(argv[1])) != kPassOn.end()) {
    std::vector<std::string> taken(argv + 2, argv + argc);
    argc = 2;
    return taken;
  }
  if (argc < 2 || std::string_view(argv[1]) != "simulate") return {};
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    std::vector<std::string> taken(argv + i + 1, argv + argc);
    argc = i;
    return taken;
  }
  return {};
}

std::vector<const CLI::App*> listed_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<std::string> long_options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Returns a hint for an unknown option: a similar option of the command, or the commands that have it.
// command: null if no command was given. Empty if there is no hint.
std::string about_option(const CLI::App& app, const CLI::App* command, std::string word) {
  word.resize(std::min(word.find('='), word.size()));
  std::vector<std::string> known = long_options_of(command == nullptr ? app : *command);
  std::vector<std::string> takers;
  for (const CLI::App* each : listed_commands(app)) {
    const auto options = long_options_of(*each);
    if (std::ranges::find(options, word) != options.end()) takers.push_back(each->get_name());
    if (command == nullptr) known.insert(known.end(), options.begin(), options.end());
  }
  if (!takers.empty()) {
    return fmt::format("{} is an option of {}: warpmark {} {} ...", word, fmt::join(takers, ", "),
                       takers.front(), word);
  }
  const auto meant = warpmark::nearest_word(word, known);
  if (!meant) return {};
  const auto own = long_options_of(app);
  if (command != nullptr || std::ranges::find(own, *meant) != own.end())
    return fmt::format("Did you mean {}?", *meant);
  return fmt::format("Did you mean {}? {}", *meant, about_option(app, nullptr, *meant));
}

// Returns the message for an invalid command line: the error and the correct usage.
std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* chosen = app;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  const CLI::App& command = *chosen;
  const auto page = warpmark::cli::manual_page_of(command);
  std::string hints;
  for (const std::string& word : command.remaining()) {
    if (word.size() < 2 || word.front() != '-') continue;
    if (const std::string hint = about_option(*app, &command, word); !hint.empty()) hints += hint + "\n";
  }
  return fmt::format("{}: {}\n{}Usage: {}\nFor details: {} --help\n", page.name, error.what(), hints,
                     page.synopsis, page.name);
}

// Returns the message for a command line without a valid command.
std::string no_command_message(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* each : listed_commands(app)) names.push_back(each->get_name());
  if (word.empty()) return fmt::format("name a command: {}; see warpmark --help", fmt::join(names, ", "));
  if (word.front() == '-') {
    const std::string hint = about_option(app, nullptr, word);
    return fmt::format("{} stands where a command is expected{}{}; see warpmark --help", word,
                       hint.empty() ? "" : ". ", hint);
  }
  const auto meant = warpmark::nearest_word(word, names);
  return fmt::format("no command is called {}{}; see warpmark --help", word,
                     meant ? fmt::format("; did you mean {}?", *meant) : "");
}

int run(int argc, char** argv) {
  warpmark::cli::Context context;
  context.program_arguments = take_program_arguments(argc, argv);
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  warpmark::judge::Installation& installed = context.installation;
  installed = warpmark::cli::installation_at(program.parent_path(), WARPMARK_ROOT);
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
    auto command = add(app, context);
    commands[app.get_subcommands(nullptr).back()] = std::move(command);
  }
  auto manual = warpmark::cli::add_manual_command(app, WARPMARK_VERSION);
  commands[app.get_subcommands(nullptr).back()] = std::move(manual);
  warpmark::cli::use_manual(app);
  app.failure_message(failure_message);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // True if the text is the output of --help or --version.
    const bool is_asked = error.get_exit_code() == 0;
    if (!is_asked && app.get_subcommands().empty()) {
      fmt::print(stderr, "warpmark: {}\n", no_command_message(app, argc > 1 ? argv[1] : ""));
      return warpmark::cli::kUnusable;
    }
    return app.exit(error) == 0 ? 0 : warpmark::cli::kUnusable;
  }
  return commands.at(app.get_subcommands().front())();
}

}  // namespace

int main(int argc, char** argv) {
  // The judge process makes itself non-dumpable: worker processes run student code, possibly as the same
  // user, and must not read its memory or descriptors through /proc.
  ::prctl(PR_SET_DUMPABLE, 0);
  warpmark::sweep_temporary_folders();
  try {
    // The stand-in for a CUDA toolkit names this program nvcc.
    std::vector<char*> words(argv, argv + argc);
    std::string command = "nvcc";
    if (std::filesystem::path(argv[0]).filename() == command) words.insert(words.begin() + 1, command.data());
    words.push_back(nullptr);
    return run(static_cast<int>(words.size()) - 1, words.data());
  } catch (const warpmark::AssignmentFault& fault) {
    fmt::print(stderr, "warpmark: {}\n", fault.what());
    return warpmark::cli::kUnusable;
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpmark: {}\nThis is a fault of Warpmark or of this machine, not of a submission.\n",
               error.what());
    return 3;
  }
}
