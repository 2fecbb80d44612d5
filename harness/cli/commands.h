// The subcommands of `warpmark`. Each AddCommand adds a subcommand and its options to the command line, and
// returns the action that runs the subcommand and returns the exit status.
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

inline constexpr int kBroken = 3;  // exit status: a fault of Warpmark or of this machine
// Exit status: the command line, or the student's folder as a whole, cannot be used.
inline constexpr int kUnusable = 2;

inline constexpr int kInterrupted = 130;  // exit status after Ctrl-C: 128 + SIGINT, as in shells

using Action = std::function<int()>;

struct Context {
  judge::Installation installation;
  std::vector<std::string> program_arguments;  // arguments after "--", for the simulated program
};

// Table of the subcommands in the order of --help; CMake generates its definition.
using AddCommand = Action (*)(CLI::App& app, const Context& context);
std::span<const AddCommand> commands();

}  // namespace warpmark::cli
