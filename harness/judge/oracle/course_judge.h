// Loads the judge.cpp of an assignment: a class that makes inputs and decides which answers are right.
#pragma once

#include <memory>

#include "harness/assignments/assignment.h"
#include "harness/judge/oracle/course_build.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::judge {

// Returns the assignment that a judge.cpp in the folder defines. It runs in the judge process, guarded
// (course_guard.h). Its library comes with the tool, or is built and kept by its contents. Fails if it does
// not build or defines no assignment.
Result<std::unique_ptr<Assignment>> load_course_judge(const Rubric& rubric, const CourseFolder& course);

}  // namespace warpmark::judge
