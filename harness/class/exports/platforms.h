// Produces the contents of files that learning platforms import, as pure functions.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/class/roster/csv.h"
#include "harness/model/class_result.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {

// Returns a single grade as a CSV table with one row per check.
std::string checks_csv(const Grade& grade);

// The instructor's own gradebook file with one column filled in.
struct Filled {
  Csv csv;
  std::string column;
  std::size_t filled = 0;
  // Rows and students that were not filled in, with the reason; one sentence each.
  std::vector<std::string> left_alone;
};

// Fills in a Canvas gradebook. Students are matched by ID, SIS numbers, login, then name; only cells of the
// assignment's column change. column: header of that column; empty if the file has only one candidate. Fails
// if the column is ambiguous or its maximum differs from the class's points.
Result<Filled> fill_canvas(Csv gradebook, const ClassResult& result, const std::string& column);

// Fills in Moodle's offline grading worksheet or its gradebook exported as CSV. column: header of the grade
// column, which is "Grade" in the teacher's language.
Result<Filled> fill_moodle(Csv worksheet, const ClassResult& result, const std::string& column);

}  // namespace warpmark::classroom
