// How far a program is held off from the rest of the machine, and how far this machine can do it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpmark::sandbox {

enum class Level {
  none,     // ended with its descendants, nothing else: for one's own code
  process,  // and with limits, an environment of its own and no descriptor but those named
  box,      // and in namespaces of its own, behind a system call filter (box.h)
};

const char* name_of(Level level);
std::optional<Level> level_from(std::string_view name);

// What this machine can do, found out by doing it.
struct Machine {
  Level best = Level::process;
  bool other_user = false;  // a box can run as another user of the machine (root's boxes alone)
  std::string bwrap;        // absolute path; empty where there is none
  std::string trouble;      // why there is no box; empty when there is
  std::string remedy;       // of that
};

// Starts a box with a small program in it, the first time that it is called in this process. Safe to call
// from several threads.
const Machine& machine();
inline Level best_level() {
  return machine().best;
}

}  // namespace warpmark::sandbox
