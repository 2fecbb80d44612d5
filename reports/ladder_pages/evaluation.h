// Data of an evaluation page, which compares the fastest implementation of each approach to a problem (one
// core, threads, MPI, GPU).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/model/ladder.h"
#include "reports/drawing/plot.h"

namespace warpmark {

struct EvaluationWay {
  std::string name;  // the approach: "one core", "16 threads", "MPI, 2 ranks", "GPU", "MPI, 2 GPUs"
  const LadderSeries* series =
      nullptr;          // the approach's fastest version at the largest size with a time; may be null
  std::string missing;  // sizes without a time, and why: "not run: no CUDA device (...)"; empty: none
};

// Returns the approaches in the course's order: one core, threads, MPI by number of ranks, one GPU, several
// GPUs. The result points into the ladder.
std::vector<EvaluationWay> ways_of(const Ladder& ladder);

// Returns the times relative to which speedups are given: those of the one-core approach, else those of the
// first implementation. Null if neither has a time.
const LadderSeries* evaluation_base(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

// Returns a title such as "GPU: m07_peak".
std::string title_of(const EvaluationWay& way);

Plot plot_evaluation_time(const Ladder& ladder, const std::vector<EvaluationWay>& ways);
// Returns the plot of speedups over evaluation_base(); nullopt if that is null.
std::optional<Plot> plot_evaluation_speedup(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

}  // namespace warpmark
