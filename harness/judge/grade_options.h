// Options of one grading, as the user entered them.
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

// An earlier grade of the same submission under the same rules, and the names of the kernel files unchanged
// since then: see kept.h.
struct Kept {
  Grade grade;
  std::set<std::string> versions;
};

struct GradeOptions {
  std::string program = "./warpmark";  // shell command for this program, used in messages
  std::filesystem::path submission;    // path of the submission as the user typed it
  std::string assignment;              // name of the assignment; empty: recognised by the submission's files
  std::optional<Engine> engine;  // engine to grade with; nullopt: the GPU if there is one, else the simulator
  // Number of the student's attempt, if the grade is to be the copy for the student that [feedback] of the
  // rubric describes; nullopt: the whole grade.
  std::optional<std::uint64_t> attempt;
  bool for_student = false;  // print commands as a student types them in the submission's folder
  // glob over check ids; a kernel file's name alone selects all its checks
  std::string only = "*";
  // size, seed, type to which the grading is restricted, to reproduce a failure
  Focus focus;
  DataFiles data;                // files used as input instead of generated data; may be empty
  std::filesystem::path rubric;  // path of the rubric; empty: the assignment's own
  std::filesystem::path cache;   // folder that caches compiled libraries
  // results of an earlier grade to reuse, on the simulator only; null: run every check
  std::shared_ptr<const Kept> kept;
  // True where one file stands under the names of several versions on purpose: none loses points for that.
  bool ignores_same_code = false;
  // True: run only the checks that a GPU decides, and none of the simulator's runs beside them. Another
  // machine makes the rest of the grade: see joined.h.
  bool gpu_part = false;
  // Where the GPU part runs: "ssh:HOST" or "slurm"; empty: here. Only for commands in messages.
  std::string on;
  unsigned jobs = 0;  // concurrent builds and simulated checks; 0: one per core
  // Receives one line of progress per call, from any thread; may be empty.
  std::function<void(const std::string&)> progress;
};

}  // namespace warpmark::judge
