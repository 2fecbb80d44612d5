// Grades one submission of a class: a process of its own, by the command that everybody uses, so that
// whatever happens to it costs one student one attempt. Its grade.json is all that comes back.
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
  std::filesystem::path submissions;  // the folder that holds `taken->id`
  std::filesystem::path work;         // for its reports; emptied first
  std::filesystem::path rubric;       // empty: the assignment's own
  std::string assignment;
  std::string seed;
  std::string rules;  // digest, for the outcome
  unsigned jobs = 1;
};

// Nothing when it was stopped before there was an outcome. Throws std::system_error when this machine has no
// room left.
std::optional<Outcome> grade_one(const ClassOptions& options, const std::string& sandbox,
                                 const GradeTask& task, const std::stop_token& stop);

// Why a grade's points are open, for reasons other than a missing GPU: "2 points open: noise (v07.fast)".
// Empty when there is nothing for an instructor to look at.
std::string doubt_of(const Grade& grade);

}  // namespace warpmark::classroom
