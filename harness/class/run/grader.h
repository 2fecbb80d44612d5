// Grades one submission of a class in a separate `warpmark grade` process, so that a crash costs one student
// one attempt. Reads nothing but the grade.json that this process writes.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "harness/class/journal/journal.h"
#include "harness/class/run/options.h"

namespace warpmark::classroom {

struct GradeTask {
  const Taken* taken = nullptr;
  std::filesystem::path submissions;  // folder that contains one folder per student ID
  std::filesystem::path work;         // folder for the reports of a grading process, emptied before it starts
  std::filesystem::path rubric;       // path of the rubric; empty: the assignment's default
  std::string assignment;
  std::string seed;
  std::string rules;  // digest of the grading rules, stored with the result
  unsigned jobs = 1;
  std::string device;  // value of CUDA_VISIBLE_DEVICES; empty: inherited from this process
};

// Grades one submission. Returns nullopt if stopped before there was a result. Throws std::system_error if
// the machine has no resources left.
std::optional<Outcome> grade_one(const ClassOptions& options, const std::string& sandbox,
                                 const GradeTask& task, const std::stop_token& stop);

// Returns the result for a submission that was not graded, with the reason.
Outcome without_grade(const GradeTask& task, StudentState state, std::string kind, std::string message);

// Returns why points of a grade are undecided for reasons other than a missing GPU: "2 points open: noise
// (v07.fast)". Empty if the instructor need not look at the grade.
std::string doubt_of(const Grade& grade);

}  // namespace warpmark::classroom
