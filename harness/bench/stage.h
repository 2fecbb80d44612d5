// Prepares a benchmark: reads the submission, finds the engines, builds the libraries, creates the timers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/bench/ladder_timer.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/model/ladder.h"

namespace warpmark::bench {

struct StageOptions {
  std::filesystem::path submission;
  std::function<bool(const std::string&)> wanted;  // selects versions by name
  std::vector<std::string> types;                  // value types; empty: the rubric's first
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;
};

// A version of the rubric for one value type and, with MPI, one number of ranks. Listed in the rubric's
// order.
struct Candidate {
  std::string version;
  std::string type;
  std::string obstacle;               // why it cannot be called; empty if it can
  std::optional<std::size_t> runner;  // its index in its timer
  Engine engine = Engine::gpu;        // gpu or host
  std::string way = std::string(kGpu);
  unsigned ranks = 0;                    // number of MPI ranks; 0: without MPI
  std::optional<std::size_t> crew = {};  // index of its own timer in Stage::crews, for a version with ranks
};

// Names of the precisions in which an assignment counts its operations.
inline constexpr std::string_view kPrecisions[] = {"FP32", "FP64"};

// Timers of the engines; null for an engine that cannot be used. Does not own them.
struct Timers {
  LadderTimer* gpu = nullptr;
  LadderTimer* host = nullptr;
  std::vector<LadderTimer*> crews = {};  // one per version and number of ranks

  [[nodiscard]] LadderTimer* of(const Candidate& candidate) const {
    if (candidate.crew) return crews.at(*candidate.crew);
    return candidate.engine == Engine::host ? host : gpu;
  }
};

struct Stage {
  judge::Course course;
  std::unique_ptr<Assignment> assignment;
  std::string submission;  // name of the submission
  std::vector<std::string> types;
  BenchSetting setting;
  measure::PeakGflops peak_gflops;  // peaks of the GPU
  std::string no_gpu;               // why there is no GPU timer; empty if there is one
  std::string no_host;  // why there is no timer of C++ versions; empty if there is one or it is not needed
  std::vector<Candidate> candidates;
  std::optional<LadderTimer> timer;       // of GPU versions
  std::optional<LadderTimer> host_timer;  // of C++ versions
  std::vector<LadderTimer> crews;         // of MPI versions, one per version and number of ranks

  [[nodiscard]] Timers timers() {
    Timers all{timer ? &*timer : nullptr, host_timer ? &*host_timer : nullptr, {}};
    for (LadderTimer& crew : crews) all.crews.push_back(&crew);
    return all;
  }
};

Result<Stage> set_stage(const judge::Installation& installation, const StageOptions& options);

// Returns the largest input size in bytes for which this machine has enough free memory, including the
// worker's share.
std::uint64_t largest_input_bytes();

// Limit of a request to a worker. Transferring 8 GiB to the GPU takes some seconds.
inline constexpr std::chrono::seconds kRequestLimit{120};

}  // namespace warpmark::bench
