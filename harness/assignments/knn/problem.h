// A knn task as the judge's Problem: its buffers, and which labels are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/assignments/assignment.h"
#include "nearest.h"

namespace warpmark::knn {

// Indices of buffers in the adapter's order.
inline constexpr std::size_t kRowsBuffer = 0;
inline constexpr std::size_t kLabelsBuffer = 1;
inline constexpr std::size_t kQueriesBuffer = 2;
inline constexpr std::size_t kAnswersBuffer = 3;
inline constexpr std::size_t kNearestBuffer = 5;

struct Task {
  std::shared_ptr<const DataSet> data;
  std::vector<float> queries;  // values of all queries, row-major: query_count * dims
  std::size_t k = 1;
  double rounding = 0;  // relative rounding error allowed in squared distances; 0: arithmetic is exact
  // Returns a replacement for queries[i] between timed calls, drawn from a seed.
  std::function<float(std::uint64_t seed, std::uint64_t i)> other_value;
};

// Creates a knn problem. shift: by how many values the inputs and answers are offset from a 256-byte
// boundary.
std::unique_ptr<Problem> make_problem(std::uint64_t shift, Task task);

}  // namespace warpmark::knn
