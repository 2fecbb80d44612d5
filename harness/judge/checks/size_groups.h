// Which groups of input sizes are wholly right, for the points that `correct` gives for them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Returns the position of the group that an input size counts to: the one that names it, else the one that
// names the next larger size, else the one with the largest. Secret sizes are thus part of the groups. At
// least one group; `values_at` returns the number of values at a size.
std::size_t group_of(const std::vector<SizeGroup>& groups, const Size& size,
                     const std::function<std::uint64_t(const Size&)>& values_at);

// Collects the results of the test inputs of one version.
class SizeGroups {
 public:
  // `bench` must outlive this object.
  SizeGroups(const GradingContext& bench, const std::string& version);
  // Records whether the results were right for one of the test inputs; one wrong result spoils its group.
  void note(const Case& which, bool right);
  // Returns the parts of the check's points; empty if the rubric has no groups. A part is reached if the
  // check passed, or if all of the `planned` inputs of its group ran and were right.
  [[nodiscard]] std::vector<PointPart> parts(const std::vector<Case>& planned, bool passed) const;

 private:
  [[nodiscard]] std::size_t position_of(const Case& which) const;

  const GradingContext* bench_;
  std::vector<PointPart> parts_;
  std::vector<std::size_t> right_;  // number of right inputs per group
  std::vector<bool> spoilt_;        // true: at least one input of the group was wrong
};

}  // namespace warpmark::judge
