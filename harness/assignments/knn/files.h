// Tasks of knn from files, and files of any size to try it with.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/knn/problem.h"
#include "harness/base/error.h"

namespace warpmark::knn {

// Two ARFF files: the data set and the queries, whose labels are not looked at. k is 5 where none is given.
// The error names file, line, rule and remedy.
Result<Task> task_of(const DataFiles& files);

// train.arff and test.arff: a cloud of rows round a centre for each label.
Result<std::vector<std::filesystem::path>> write_data(const DataShape& shape,
                                                      const std::filesystem::path& folder);

}  // namespace warpmark::knn
