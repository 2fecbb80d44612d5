// The commands. Each adds itself to the command line and, when it was chosen, runs and returns the exit
// status.
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

// The table of commands, in the order of --help, made by CMake from the files beside this one.
using AddCommand = Action (*)(CLI::App& app, const judge::Installation& installation);
std::span<const AddCommand> commands();

// program_arguments: what the user wrote behind "--".
Action add_simulate_command(CLI::App& app, const judge::Installation& installation,
                            std::vector<std::string> program_arguments);

}  // namespace warpmark::cli
