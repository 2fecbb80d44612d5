// Grades one submission of a class in a separate `warpmark grade` process, so that a crash costs one student
// one attempt. Only its grade.json is read.
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
  std::filesystem::path submissions;  // folder that contains `taken->id`
  std::filesystem::path work;         // for its reports; emptied first
  std::filesystem::path rubric;       // empty: the assignment's default
  std::string assignment;
  std::string seed;
  std::string rules;  // digest that is stored in the outcome
  unsigned jobs = 1;
  std::string device;  // value of CUDA_VISIBLE_DEVICES; empty: inherited from this process
};

// Returns nullopt if it was stopped before there was an outcome. Throws std::system_error if the machine has
// no resources left.
std::optional<Outcome> grade_one(const ClassOptions& options, const std::string& sandbox,
                                 const GradeTask& task, const std::stop_token& stop);

// Returns the outcome of a submission that was not graded, with the reason.
Outcome without_grade(const GradeTask& task, StudentState state, std::string kind, std::string message);

// Returns why points of a grade are undecided for reasons other than a missing GPU: "2 points open: noise
// (v07.fast)". Empty if the instructor need not look at it.
std::string doubt_of(const Grade& grade);

}  // namespace warpmark::classroom
