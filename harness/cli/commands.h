// The commands. Each registers itself with the command line; if chosen, it runs and returns the exit status.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/judge/workers/installation.h"

namespace CLI {  // NOLINT(readability-identifier-naming): of CLI11
class App;
}

namespace warpmark::cli {

inline constexpr int kBroken = 3;    // a fault of Warpmark or of this machine
inline constexpr int kUnusable = 2;  // the command, or the whole submission, cannot be used

using Action = std::function<int()>;

struct Context {
  judge::Installation installation;
  std::vector<std::string> program_arguments;  // the arguments after "--"
};

// The table of the program's commands, in the order of --help. CMake generates it.
using AddCommand = Action (*)(CLI::App& app, const Context& context);
std::span<const AddCommand> commands();

}  // namespace warpmark::cli
