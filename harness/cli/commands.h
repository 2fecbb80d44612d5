// The commands. Each registers itself with the command line; if chosen, it runs and returns the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/judge/workers/worker_client.h"

namespace warpmark::cli {

inline constexpr int kBroken = 3;    // a fault of Warpmark or of this machine
inline constexpr int kUnusable = 2;  // the command, or the whole submission, cannot be used

using Action = std::function<int()>;

// The table of commands, in the order of --help. CMake generates it from the files in this folder.
using AddCommand = Action (*)(CLI::App& app, const judge::Installation& installation);
std::span<const AddCommand> commands();

// program_arguments: the arguments after "--".
Action add_simulate_command(CLI::App& app, const judge::Installation& installation,
                            std::vector<std::string> program_arguments);

}  // namespace warpmark::cli
