// Recognises what a version computes in place of the right labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nearest.h"

namespace warpmark::knn {

// The labels that a version returned, with its inputs.
struct Answers {
  const DataSet& data;
  std::span<const float> queries;  // dims values each
  std::size_t k = 1;
  double rounding = 0;                        // as Task::rounding
  std::span<const std::int32_t> labels = {};  // one per query
};

// A mistake that gives just these labels.
struct Recognised {
  std::string what;          // a clause: "only the nearest row voted"; empty: none is known
  std::string_view mistake;  // Explanation::mistake
  // True if the list of nearest rows is wrong, rather than the answers that are made of it.
  bool rows_at_fault = false;
};
Recognised recognise(const Answers& answers);

// Returns the queries with wrong labels, ascending.
std::vector<std::size_t> wrong_queries(const Answers& answers);

// Says where the wrong queries lie, ", only queries 65 to 129 of 130 are wrong"; empty if everywhere.
std::string place_of(std::span<const std::size_t> wrong, std::size_t queries);

}  // namespace warpmark::knn
