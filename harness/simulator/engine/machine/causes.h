// Merges findings (reported defects) with a common cause: those that one source change would fix become one
// finding, which recommends that change.
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

  // Returns the findings, merged by cause, and clears the list. Races on one array with the same cause
  // become one finding of the most severe kind, with a remedy appended to its message. Drops an
  // uninitialised read that a race explains.
  [[nodiscard]] std::vector<Finding> take();

 private:
  struct Cause {
    Finding finding;
    std::optional<Conflict> conflict;
    // Source lines of all findings that were merged into one because they have a common cause.
    std::set<int> lines;
    // True if a reported race (several with the same cause merged into one) is between two accesses at one
    // source line, at least one of them a read.
    bool read = false;
    // True if a reported race (several with the same cause merged into one) is between two accesses at one
    // source line, one of which is a pure read: the reading thread does not store to the word that it
    // reads.
    bool read_other = false;
    // True if a reported race (several with the same cause merged into one) is between two non-atomic
    // stores at one source line, so that one thread's value overwrites another's.
    bool overwrite = false;
    // Source line at which several threads store equal values to one element of the array; 0: none
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
