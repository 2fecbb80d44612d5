// Benchmarks of the versions of one folder, through the same build path and worker as grading. What they
// measure is in reports/ladder.h.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/workers/worker_client.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

struct LadderOptions {
  std::filesystem::path submission;
  std::optional<unsigned> from;  // sizes: 2^from to 2^to values; otherwise the assignment's
  std::optional<unsigned> to;
  std::string versions = "*";  // glob over versions and sums on the CPU
  std::string type;            // of the values; empty: the rubric's first
  double seconds = 90;         // of measuring, all sizes together; see LadderPlan
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;  // one line at a time
};

struct CompareOptions {
  std::filesystem::path submission;
  std::string first;
  std::string second;
  unsigned from = 16;
  unsigned to = 31;
  std::vector<std::string> types = {"int", "float"};
  double seconds = 120;
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;
};

// Every version, and the assignment's sums on the CPU, at every size. Without a GPU the CPU's alone. Fails
// when the options, or the whole folder, cannot be used.
Result<Ladder> measure_ladder(const judge::Installation& installation, const LadderOptions& options);

// Two versions in interleaved rounds (first, second, second, first; the next mirrored), aligned and not.
// Fails without a GPU.
Result<Comparison> measure_comparison(const judge::Installation& installation, const CompareOptions& options);

}  // namespace warpmark::bench
