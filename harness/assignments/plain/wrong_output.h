// The output of a trial that holds its first wrong number, beside the expected one.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/assignments/plain/laboratory.h"

namespace warpmark::plain::look {

// Fewest numbers of an output whose order or difference shows a pattern rather than chance.
inline constexpr std::size_t kFewest = 5;

// The numbers of one output of a trial.
struct Output {
  const Trial& trial;
  std::size_t buffer;
  std::vector<long double> expected, actual;
  std::vector<Cell> wrong;

  [[nodiscard]] const Specimen& specimen() const { return *trial.specimen; }
  [[nodiscard]] std::uint64_t size() const { return expected.size(); }
};

// Returns the output that holds the trial's first wrong number; without numbers if its rows have padding.
Output first_wrong_output(const Trial& trial);

// The trials, the one with the most wrong numbers that are easy to survey first.
std::vector<const Trial*> by_survey(const Laboratory& laboratory);

}  // namespace warpmark::plain::look
