// Options of one grading, as the user gave them.
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

// An earlier grade of the same submission under the same rules, and the names of the versions that have not
// changed since: see kept.h.
struct Kept {
  Grade grade;
  std::set<std::string> versions;
};

struct GradeOptions {
  std::string program = "./warpmark";  // command that calls this program from the working directory
  std::filesystem::path submission;    // path as the user typed it
  std::string assignment;              // empty: deduced from the submission's files
  std::optional<Engine> engine;        // nullopt: the GPU if there is one, else the simulator
  bool for_student = false;            // print commands as the student types them, in the submission's folder
  std::string only = "*";              // glob over check ids; a version's name alone means all its checks
  Focus focus;                         // size, seed, type that restrict the grading, to reproduce a cause
  DataFiles data;  // files that replace the generated inputs; without files, the assignment generates them
  std::filesystem::path rubric;      // empty: the assignment's own
  std::filesystem::path cache;       // folder of built libraries
  std::shared_ptr<const Kept> kept;  // results to reuse on the simulator; null: run every check
  unsigned jobs = 0;                 // concurrent builds and simulated checks; 0: one per core
  std::function<void(const std::string&)>
      progress;  // receives one line per call, from any thread; may be empty
};

}  // namespace warpmark::judge
