// Data of an evaluation: compares one version of each approach to an assignment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/model/ladder.h"
#include "reports/drawing/plot.h"

namespace warpmark {

struct EvaluationWay {
  std::string name;  // "one core", "16 threads", "MPI, 2 ranks", "GPU", "MPI, 2 GPUs"
  const LadderSeries* series =
      nullptr;          // fastest version of this approach at the largest size with a time; may be null
  std::string missing;  // sizes without a time, and why: "not run: no CUDA device (...)"; empty: none
};

// Returns the approaches in the course's order: one core, threads, MPI by rank count, one GPU, several GPUs.
// Holds pointers into the ladder.
std::vector<EvaluationWay> ways_of(const Ladder& ladder);

// Returns the baseline of the speedups: one core, else the first version. Null if neither has a time.
const LadderSeries* evaluation_base(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

// Returns a title such as "GPU: m07_peak".
std::string title_of(const EvaluationWay& way);

Plot plot_evaluation_time(const Ladder& ladder, const std::vector<EvaluationWay>& ways);
// Returns nullopt without a baseline.
std::optional<Plot> plot_evaluation_speedup(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

}  // namespace warpmark
