#include "harness/model/assignment_report.h"

#include <algorithm>

namespace warpmark {

std::size_t AssignmentReport::count(Standing standing) const {
  std::size_t sum = 0;
  for (const auto* findings : {&reading, &expected, &gaps})
    sum += static_cast<std::size_t>(std::ranges::count(*findings, standing, &AssignmentFinding::standing));
  sum += static_cast<std::size_t>(std::ranges::count(worth, standing, &WorthRow::standing));
  if (standing == Standing::open) sum += count(Fate::survived) + count(Fate::undecided);
  return sum;
}

std::size_t AssignmentReport::count(Fate fate) const {
  return static_cast<std::size_t>(std::ranges::count(mutants, fate, &MutantResult::fate));
}

double AssignmentReport::seconds_of_a_grading() const {
  double seconds = 0;
  for (const CheckCost& cost : costs) seconds += cost.seconds;
  return seconds;
}

}  // namespace warpmark
