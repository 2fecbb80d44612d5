// A task of knn as a problem for the judge: buffers, and which labels are right.
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
  std::vector<float> queries;  // of the data set's dimension
  std::size_t k = 1;
  double rounding = 0;  // of squared distances, relative; 0: nothing is rounded
  // Another value for place i of the queries, drawn from a seed.
  std::function<float(std::uint64_t seed, std::uint64_t i)> other_value;
};

// shift: values by which inputs and answers begin past a 256-byte boundary.
std::unique_ptr<Problem> make_problem(std::uint64_t shift, Task task);

}  // namespace warpmark::knn
