// Collects the distinct causes (defects) that one check finds over all its calls.
#pragma once

#include <vector>

#include "harness/model/grade.h"

namespace warpmark::judge {

class FoundCauses {
 public:
  // Appends those defects of a call that are not recorded yet. Test inputs come in ascending size, so each
  // defect keeps the smallest size that shows it. Returns true if any was appended.
  bool add(std::vector<Cause> causes);
  [[nodiscard]] const std::vector<Cause>& all() const { return causes_; }
  [[nodiscard]] bool has(CauseKind kind) const;
  // Returns true if at least one of the defects `causes` is not recorded yet, so that add() would append it.
  [[nodiscard]] bool lacks_some_of(const std::vector<Cause>& causes) const;
  // Returns true once ten defects are recorded; more are not reported.
  [[nodiscard]] bool full() const;
  // Returns at most ten defects, worst first. Uninitialised reads precede a fault that ended a call of the
  // same size, because they probably led to it.
  [[nodiscard]] std::vector<Cause> worst_first() &&;

 private:
  std::vector<Cause> causes_;
};

}  // namespace warpmark::judge
