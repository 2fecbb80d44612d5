// Collects the distinct causes of one check over all its calls.
#pragma once

#include <vector>

#include "harness/model/grade.h"

namespace warpmark::judge {

class FoundCauses {
 public:
  // Keeps the causes that are new; cases come in ascending size, so each cause has the smallest size that
  // shows it. Returns true if any was new.
  bool add(std::vector<Cause> causes);
  [[nodiscard]] const std::vector<Cause>& all() const { return causes_; }
  [[nodiscard]] bool has(CauseKind kind) const;
  // Returns true if add() would keep at least one of them.
  [[nodiscard]] bool lacks_some_of(const std::vector<Cause>& causes) const;
  // Returns true once there are ten causes, more than anybody reads.
  [[nodiscard]] bool full() const;
  // Returns at most ten causes, worst first. If a call was ended by a fault, the uninitialised reads of the
  // same case precede that fault.
  [[nodiscard]] std::vector<Cause> worst_first() &&;

 private:
  std::vector<Cause> causes_;
};

}  // namespace warpmark::judge
