// What every benchmark needs before it can measure: the folder taken in, the engine found, the libraries
// built.
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
  std::function<bool(const std::string&)> wanted;  // versions
  std::vector<std::string> types;                  // value types; none: the rubric's first
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;
};

// A version that the rubric names, in its order; one with ranks once for each number of them.
struct Candidate {
  std::string version;
  std::string type;
  std::string obstacle;               // why it cannot be called; empty when it can
  std::optional<std::size_t> runner;  // its number at its timer
  Engine engine = Engine::gpu;        // or host
  std::string way = std::string(kGpu);
  unsigned ranks = 0;                    // 0: without MPI
  std::optional<std::size_t> crew = {};  // of the ranks: its timer, which is its alone
};

// Of operations in single and in double precision.
inline constexpr std::string_view kPrecisions[] = {"FP32", "FP64"};

// Of the engines that are measured on; null where one cannot be.
struct Timers {
  LadderTimer* gpu = nullptr;
  LadderTimer* host = nullptr;
  std::vector<LadderTimer*> crews = {};  // of versions with ranks

  [[nodiscard]] LadderTimer* of(const Candidate& candidate) const {
    if (candidate.crew) return crews.at(*candidate.crew);
    return candidate.engine == Engine::host ? host : gpu;
  }
};

struct Stage {
  judge::Course course;
  std::unique_ptr<Assignment> assignment;
  std::string submission;  // its name
  std::vector<std::string> types;
  BenchSetting setting;
  measure::PeakGflops peak_gflops;  // of the GPU
  std::string no_gpu;               // why there is no timer of the GPU
  std::string no_host;              // why there is no timer of versions in C++, where there are any
  std::vector<Candidate> candidates;
  std::optional<LadderTimer> timer;       // of the GPU
  std::optional<LadderTimer> host_timer;  // of versions in C++
  std::vector<LadderTimer> crews;         // of versions with ranks, each for one number of them

  [[nodiscard]] Timers timers() {
    Timers all{timer ? &*timer : nullptr, host_timer ? &*host_timer : nullptr, {}};
    for (LadderTimer& crew : crews) all.crews.push_back(&crew);
    return all;
  }
};

Result<Stage> set_stage(const judge::Installation& installation, const StageOptions& options);

// The largest input in bytes that this machine's memory has room for, beside what the worker needs.
std::uint64_t largest_input_bytes();

inline constexpr std::chrono::seconds kRequestLimit{120};  // to a worker; 8 GiB to the GPU take some seconds

}  // namespace warpmark::bench
