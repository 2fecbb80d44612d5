// Benchmarks the versions in a student's folder (each a .cu or .cpp file that implements the same function),
// with the same build and worker process as grading. harness/model/ladder.h defines the results.
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
  std::string assignment;  // name or folder; empty: recognised by the files
  std::filesystem::path submission;
  // Smallest and largest input: 2^from and 2^to values; nullopt: the assignment's own.
  std::optional<unsigned> from;
  std::optional<unsigned> to;
  std::string versions = "*";  // glob over names of versions and of CPU baselines
  std::string type;            // value type; empty: the rubric's first
  // Time budget of all sizes together, in seconds.
  double seconds = 90;
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;  // receives one line per call
};

struct CompareOptions {
  std::string assignment;  // name or folder; empty: recognised by the files
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

// Measures every version and the assignment's CPU baselines at every input size; without a GPU, only code
// that runs on the CPU. Fails if the options or the folder as a whole are unusable.
Result<Ladder> measure_ladder(const judge::Installation& installation, const LadderOptions& options);

// Compares two versions in interleaved rounds (first, second, second, first; mirrored in the next round),
// with aligned and misaligned input. Fails without a GPU.
Result<Comparison> measure_comparison(const judge::Installation& installation, const CompareOptions& options);

}  // namespace warpmark::bench
