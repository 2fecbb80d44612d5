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
  // Fastest implementation of an approach (such as MPI) at the largest measured input size; null if there is
  // no time.
  const LadderSeries* series = nullptr;
  std::string missing;  // sizes without a time, and why: "not run: no CUDA device (...)"; empty: none
};

// Returns the approaches to a problem in the course's order: one core, threads, MPI by number of ranks, one
// GPU, several GPUs. The result points into the benchmark, which must outlive it.
std::vector<EvaluationWay> ways_of(const Ladder& ladder);

// Returns the times relative to which speedups are given: those of the one-core approach, else those of the
// first implementation. Null if neither has a time.
const LadderSeries* evaluation_base(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

// Returns a heading that names an approach and its fastest implementation: "GPU: m07_peak".
std::string title_of(const EvaluationWay& way);

Plot plot_evaluation_time(const Ladder& ladder, const std::vector<EvaluationWay>& ways);
// Returns a plot of each approach's speedup over the one-core approach (or else the first implementation);
// nullopt if neither has a time.
std::optional<Plot> plot_evaluation_speedup(const Ladder& ladder, const std::vector<EvaluationWay>& ways);

}  // namespace warpmark
