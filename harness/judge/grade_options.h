// What the user asks of one grading.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "harness/base/engine.h"
#include "harness/judge/rules/plan.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// An earlier grade of the same submission by the same rules, and those of its versions that have not changed:
// see kept.h.
struct Kept {
  Grade grade;
  std::set<std::string> versions;
};

struct GradeOptions {
  std::string program = "./warpmark";  // how to call this program from the working directory
  std::filesystem::path submission;    // as the user typed it
  std::string assignment;              // empty: told by the files
  std::optional<Engine> engine;        // empty: the GPU if there is one, else the simulator
  bool for_student = false;      // commands in the grade are typed by its student, in the submission's folder
  std::string only = "*";        // glob over check ids; a version's name alone means all its checks
  Focus focus;                   // what the user wants to see again
  DataFiles data;                // in place of inputs that are made; no files: the assignment's own
  std::filesystem::path rubric;  // empty: the assignment's own
  std::filesystem::path cache;   // of built libraries
  std::shared_ptr<const Kept> kept;  // results to take over on the simulator; null: everything is asked
  unsigned jobs = 0;                 // builds and simulated checks at a time; 0: one a core
  std::function<void(const std::string&)> progress;  // one line at a time, from any thread; may be empty
};

}  // namespace warpmark::judge
