// The files that learning platforms import. Pure functions of the grades; what is written where is the
// command's.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/class/roster/csv.h"
#include "harness/model/class_result.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {

// A single grade as a table, a row a check.
std::string checks_csv(const Grade& grade);

// An instructor's own file with one column filled.
struct Filled {
  Csv csv;
  std::string column;
  std::size_t filled = 0;
  std::vector<std::string> left_alone;  // a sentence a row or student that was not filled
};

// Canvas's gradebook: students by ID, SIS numbers, login, then name; nothing of the file changes but cells of
// the assignment's column. column: its title; empty where there is one only. Fails when the column cannot be
// told or is out of other points than the class.
Result<Filled> fill_canvas(Csv gradebook, const ClassResult& result, const std::string& column);

// Moodle's offline grading worksheet, or its gradebook as CSV. column: "Grade" in the teacher's language.
Result<Filled> fill_moodle(Csv worksheet, const ClassResult& result, const std::string& column);

}  // namespace warpmark::classroom
