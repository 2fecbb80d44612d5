// What an evaluation sets beside each other: one version of each way to solve an assignment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/ladder.h"
#include "reports/plot.h"

namespace warpmark {

struct EvaluationWay {
  std::string name;  // "one core", "16 threads", "MPI, 2 ranks", "GPU", "MPI, 2 GPUs"
  const LadderSeries* series =
      nullptr;          // the fastest of that way at the largest size with a time; may be null
  std::string missing;  // sizes without a time and why: "not run: no CUDA device (...)"; empty: none
};

// In the order of a course: one core, threads, MPI by its ranks, a GPU, several. Points into the ladder.
std::vector<EvaluationWay> ways_of(const Ladder& ladder);

// What speedups are over: one core, or, without it, the first version. Null where neither has a time.
const LadderSeries* evaluation_base(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

// "GPU: m07_peak"
std::string title_of(const EvaluationWay& way);

Plot plot_evaluation_time(const Ladder& ladder, const std::vector<EvaluationWay>& ways);
// Empty without a base.
std::optional<Plot> plot_evaluation_speedup(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

}  // namespace warpmark
