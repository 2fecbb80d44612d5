// Isolation levels for programs, and detection of the levels that this machine supports.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::sandbox {

enum class Level {
  // Program runs without isolation, because its code is trusted; descendants that it leaves behind are
  // killed.
  none,
  process,  // program runs with resource limits and a clean environment, and inherits no descriptors
  box,      // program runs in a sandbox: also with namespaces and a system call filter (box.h)
};

const char* name_of(Level level);
std::optional<Level> level_from(std::string_view name);

// Sandboxing capabilities of this machine, found by trial.
struct Machine {
  Level best = Level::process;
  bool other_user = false;  // true if a sandbox can run as another user of the machine (root only)
  std::string bwrap;        // absolute path of bwrap; empty if not installed
  std::string trouble;      // reason why no sandbox can be created; empty if one can
  std::string remedy;       // shell command for the administrator that makes sandboxing possible
};

// Returns the sandboxing capabilities of this machine. The first call in a process tests them by running a
// small program in a sandbox. Thread-safe.
const Machine& machine();
inline Level best_level() {
  return machine().best;
}

}  // namespace warpmark::sandbox
