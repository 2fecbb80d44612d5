// Merges findings with a common cause: findings that one source change would fix become one, with that
// remedy.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "harness/simulator/engine/machine/conflict.h"
#include "harness/simulator/engine/machine/finding.h"

namespace warpmark::simulator {

class Causes {
 public:
  void add(Finding finding, std::optional<Conflict> conflict);

  // Returns the merged findings and clears the list. Conflicts on one array with the same cause become one
  // finding of the most severe kind, with a remedy appended to its message. Drops an uninitialised read that
  // a race explains.
  [[nodiscard]] std::vector<Finding> take();

 private:
  struct Cause {
    Finding finding;
    std::optional<Conflict> conflict;
    std::set<int> lines;      // of all findings merged into this one
    bool read = false;        // some conflict on a single line includes a read of the word
    bool read_other = false;  // ... of an element that another thread computes
    bool overwrite = false;   // some conflict on a single line overwrites another thread's value
    // Line at which several threads store the same value to one of its elements; 0: none
    int filled_at = 0;
  };
  void find_shared_indices();
  [[nodiscard]] static bool covers(const Cause& worse, const Cause& other);
  [[nodiscard]] static bool is_worse(const Cause& a, const Cause& b);
  static void absorb(Cause& into, const Cause& other);
  static void finish(Cause& cause);

  std::vector<Cause> all_;
};

}  // namespace warpmark::simulator
