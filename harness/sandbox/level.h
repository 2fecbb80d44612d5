// Isolation levels of a program, and which of them this machine supports.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::sandbox {

enum class Level {
  none,     // only killed with its descendants; for trusted code
  process,  // also limits, a clean environment and no inherited descriptors
  box,      // also namespaces and a system call filter (box.h)
};

const char* name_of(Level level);
std::optional<Level> level_from(std::string_view name);

// The machine's sandboxing capabilities, determined by trying them.
struct Machine {
  Level best = Level::process;
  bool other_user = false;  // a box can run as another user of the machine (only if started by root)
  std::string bwrap;        // absolute path; empty if not installed
  std::string trouble;      // why no box can be made; empty if one can
  std::string remedy;       // how to fix that
};

// Probes the machine with a small program in a box, once per process. Thread-safe.
const Machine& machine();
inline Level best_level() {
  return machine().best;
}

}  // namespace warpmark::sandbox
