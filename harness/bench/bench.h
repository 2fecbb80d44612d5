// Benchmarks of the versions of one submission, through the same build path and worker as grading. The
// results are defined in harness/model/ladder.h.
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
  std::optional<unsigned> from;  // sizes: 2^from to 2^to values; nullopt: the assignment's own
  std::optional<unsigned> to;
  std::string versions = "*";  // glob over names of versions and of CPU baselines
  std::string type;            // value type; empty: the rubric's first
  // Time budget of all sizes together, in seconds; see LadderPlan.
  double seconds = 90;
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;  // receives one line per call
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

// Measures every version and the assignment's CPU baselines at every size; without a GPU, the CPU's alone.
// Fails if the options or the whole folder are unusable.
Result<Ladder> measure_ladder(const judge::Installation& installation, const LadderOptions& options);

// Compares two versions in interleaved rounds (first, second, second, first; mirrored in the next round),
// with aligned and misaligned input. Fails without a GPU.
Result<Comparison> measure_comparison(const judge::Installation& installation, const CompareOptions& options);

}  // namespace warpmark::bench
