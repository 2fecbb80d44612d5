// A knn task as the judge's Problem: its buffers, and which labels are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/knn/nearest.h"

namespace warpmark::knn {

struct Task {
  std::shared_ptr<const DataSet> data;
  std::vector<float> queries;  // query_count * dims values
  std::size_t k = 1;
  double rounding = 0;  // relative error allowed in squared distances; 0: the arithmetic is exact
  // Returns a replacement for queries[i], drawn from a seed.
  std::function<float(std::uint64_t seed, std::uint64_t i)> other_value;
};

// shift: values by which inputs and answers are offset from a 256-byte boundary.
std::unique_ptr<Problem> make_problem(std::uint64_t shift, Task task);

}  // namespace warpmark::knn
