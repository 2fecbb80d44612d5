// From single findings to causes: what one change of the source cures is one finding, and says which change.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "harness/simulator/machine/conflict.h"
#include "harness/simulator/machine/finding.h"

namespace warpmark::simulator {

class Causes {
 public:
  void add(Finding finding, std::optional<Conflict> conflict);

  // Conflicts of one array that have the same cause become one, named after the worst; a remedy is added to
  // its message. An uninitialised read that a race explains is left out. Leaves nothing.
  [[nodiscard]] std::vector<Finding> take();

 private:
  struct Cause {
    Finding finding;
    std::optional<Conflict> conflict;
    std::set<int> lines;      // of all that it stands for
    bool read = false;        // at the one line that reads and writes ...
    bool read_other = false;  // ... elements that other threads compute ...
    bool overwrite = false;   // ... values get lost
    int filled_at = 0;        // line at which several threads store the same to one of its elements
  };
  void find_shared_indices();
  [[nodiscard]] static bool covers(const Cause& worse, const Cause& other);
  [[nodiscard]] static bool is_worse(const Cause& a, const Cause& b);
  static void absorb(Cause& into, const Cause& other);
  static void finish(Cause& cause);

  std::vector<Cause> all_;
};

}  // namespace warpmark::simulator
