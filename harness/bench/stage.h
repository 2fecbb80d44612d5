// Prepares a benchmark: reads a student's folder, finds the engines, builds the libraries, creates the
// timers.
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
  std::string assignment;  // name or folder; empty: recognised by the files
  std::filesystem::path submission;
  std::function<bool(const std::string&)> wanted;  // selects versions by name
  std::vector<std::string> types;                  // value types; empty: the rubric's first
  bool baselines = false;                          // also the assignment's own on the CPU
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;
};

// One contender of a benchmark, for one value type: a version that the rubric lists, with MPI for one number
// of ranks, or the assignment's own baseline on the CPU.
struct Candidate {
  std::string version;  // its name, or the baseline's
  std::string type;
  std::string obstacle;               // reason why the version cannot run; empty if it can
  std::optional<std::size_t> runner;  // index in the timer; nullopt if the version cannot run
  Engine engine = Engine::gpu;        // gpu or host
  std::string way = std::string(kGpu);
  unsigned ranks = 0;                    // number of MPI ranks; 0: without MPI
  std::optional<std::size_t> crew = {};  // index of the version's timer in Stage::crews; with MPI only
  const plain::CpuBaseline* baseline = nullptr;  // of Stage::course; null for a version
};

// Names of the floating-point precisions, single first, for which peak throughput is known.
inline constexpr std::string_view kPrecisions[] = {"FP32", "FP64"};

// Non-owning pointers to the timers; null for an engine that cannot be used.
struct Timers {
  LadderTimer* gpu = nullptr;
  LadderTimer* host = nullptr;
  std::vector<LadderTimer*> crews = {};  // with MPI: one per version and number of ranks

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
  measure::PeakGflops peak_gflops;  // peak GFLOP/s of the GPU
  std::string no_gpu;               // why there is no GPU timer; empty if there is one
  std::string no_host;  // why there is no timer of C++ versions; empty if there is one or it is not needed
  std::vector<Candidate> candidates;
  std::optional<LadderTimer> timer;       // times GPU versions
  std::optional<LadderTimer> host_timer;  // times plain C++ versions
  std::vector<LadderTimer> crews;         // time MPI versions: one timer per version and number of ranks

  [[nodiscard]] Timers timers() {
    Timers all{timer ? &*timer : nullptr, host_timer ? &*host_timer : nullptr, {}};
    for (LadderTimer& crew : crews) all.crews.push_back(&crew);
    return all;
  }
};

Result<Stage> set_stage(const judge::Installation& installation, const StageOptions& options);

// Returns the largest input in bytes for which this machine has enough free memory, counting this process and
// the worker process.
std::uint64_t largest_input_bytes();

// Time limit of a request to a worker process. Transferring 8 GiB to the GPU takes some seconds.
inline constexpr std::chrono::seconds kRequestLimit{120};

}  // namespace warpmark::bench
