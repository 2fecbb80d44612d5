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
  // The assignment's name or folder; empty: recognised by the names of the submitted files.
  std::string assignment;
  std::filesystem::path submission;
  // A benchmark's smallest and largest input have 2^from and 2^to values; nullopt: the assignment's default.
  std::optional<unsigned> from;
  std::optional<unsigned> to;
  std::string versions = "*";  // glob over names of versions and of CPU baselines
  // Element type of the input, such as float; empty: the first that the assignment's rubric lists.
  std::string type;
  // Time budget in seconds for the whole benchmark, over all input sizes.
  double seconds = 90;
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;  // callback that receives one line of progress per call
};

struct CompareOptions {
  // The assignment's name or folder; empty: recognised by the names of the submitted files.
  std::string assignment;
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

// Measures a student's implementations and the assignment's CPU baselines at every input size; without a GPU,
// only code that runs on the CPU. Fails if the options or the student's folder as a whole are unusable.
Result<Ladder> measure_ladder(const judge::Installation& installation, const LadderOptions& options);

// Compares two kernels of a student in interleaved rounds (first, second, second, first; mirrored in the next
// round), with aligned and misaligned input. Fails without a GPU.
Result<Comparison> measure_comparison(const judge::Installation& installation, const CompareOptions& options);

}  // namespace warpmark::bench
