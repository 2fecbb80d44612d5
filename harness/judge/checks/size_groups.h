// Determines which of the rubric's groups of input sizes a student's kernel computes without a wrong result:
// the check `correct` gives points per group.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Returns the index of the rubric's group of input sizes to which a tested size counts: the group that names
// the size, else the one that names the next larger size, else the one with the largest size. Secret sizes
// thus belong to a group, too. `groups` must not be empty; `values_at` returns the number of values at a
// size.
std::size_t group_of(const std::vector<SizeGroup>& groups, const Size& size,
                     const std::function<std::uint64_t(const Size&)>& values_at);

// Collects the results of one kernel file's test inputs, by the rubric's groups of input sizes.
class SizeGroups {
 public:
  // Keeps a reference to `bench`, which must outlive the SizeGroups object.
  SizeGroups(const GradingContext& bench, const std::string& version);
  // Records whether the results were right for one of the test inputs; one wrong result spoils its group.
  void note(const Case& which, bool right);
  // Returns the parts of the points of `correct`, one per group of input sizes; empty if the rubric has no
  // groups. A part is reached if the check passed, or if all of the group's inputs in `planned` ran and were
  // right.
  [[nodiscard]] std::vector<PointPart> parts(const std::vector<Case>& planned, bool passed) const;

 private:
  [[nodiscard]] std::size_t position_of(const Case& which) const;

  const GradingContext* bench_;
  std::vector<PointPart> parts_;
  std::vector<std::size_t> right_;  // per group of input sizes: number of test inputs with a right result
  std::vector<bool> spoilt_;        // per group of input sizes: true if any test input had a wrong result
};

}  // namespace warpmark::judge
