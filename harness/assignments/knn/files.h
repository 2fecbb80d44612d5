// Reads knn tasks from files and generates such files.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/error.h"
#include "problem.h"

namespace warpmark::knn {

// Reads two ARFF files: the data set and the queries, whose labels are ignored. The default k is 5. Errors
// name file, line, rule and remedy.
Result<Task> task_of(const DataFiles& files);

// Writes train.arff and test.arff: per label, a cloud of rows around a centre. Returns their paths.
Result<std::vector<std::filesystem::path>> write_data(const DataShape& shape,
                                                      const std::filesystem::path& folder);

}  // namespace warpmark::knn
