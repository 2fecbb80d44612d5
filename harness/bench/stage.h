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
  // The assignment's name or folder; empty: recognised by the names of the submitted files.
  std::string assignment;
  std::filesystem::path submission;
  // Given the name of a kernel version, returns true if it is to be benchmarked.
  std::function<bool(const std::string&)> wanted;
  // Element types of the input, such as float; empty: only the first that the assignment's rubric lists.
  std::vector<std::string> types;
  bool baselines = false;  // also benchmark the assignment's own baselines on the CPU
  std::filesystem::path cache;
  std::function<void(const std::string&)> progress;
};

// One contender of a benchmark, for one value type: a student's version that the assignment's rubric lists
// (MPI versions: with one number of ranks), or the assignment's own baseline on the CPU.
struct Candidate {
  std::string version;  // name of the student's kernel version, or of the CPU baseline
  std::string type;
  std::string obstacle;  // reason why the contender cannot run here; empty if it can
  // Index of the contender's library among those that the worker process loads; nullopt if it cannot run.
  std::optional<std::size_t> runner;
  Engine engine = Engine::gpu;  // engine that runs the contender: gpu, or host (plain C++)
  std::string way = std::string(kGpu);
  unsigned ranks = 0;  // the contender's number of MPI ranks; 0: without MPI
  // Index of the contender's own timer (a worker with MPI ranks) in Stage::crews; nullopt for contenders
  // without MPI, which share a timer per engine.
  std::optional<std::size_t> crew = {};
  const plain::CpuBaseline* baseline = nullptr;  // CPU baseline, owned by Stage::course, or null
};

// Names of the floating-point precisions, single first, for which peak throughput is known.
inline constexpr std::string_view kPrecisions[] = {"FP32", "FP64"};

// Non-owning pointers to the objects that time a student's GPU, plain C++ and MPI versions; null for an
// engine that cannot be used on this machine.
struct Timers {
  LadderTimer* gpu = nullptr;
  LadderTimer* host = nullptr;
  std::vector<LadderTimer*> crews = {};  // timers of MPI programs: one per implementation and number of ranks

  [[nodiscard]] LadderTimer* of(const Candidate& candidate) const {
    if (candidate.crew) return crews.at(*candidate.crew);
    return candidate.engine == Engine::host ? host : gpu;
  }
};

struct Stage {
  judge::Course course;
  std::unique_ptr<Assignment> assignment;
  std::string submission;  // name under which reports show the student's submission
  std::vector<std::string> types;
  BenchSetting setting;
  measure::PeakGflops peak_gflops;  // peak GFLOP/s of the GPU
  std::string no_gpu;               // reason why this machine cannot time GPU kernels; empty if it can
  // Reason why plain C++ implementations cannot be timed on this machine; empty if they can or there are
  // none.
  std::string no_host;
  std::vector<Candidate> candidates;
  std::optional<LadderTimer> timer;       // times GPU implementations in a worker process
  std::optional<LadderTimer> host_timer;  // times plain C++ implementations in a worker process
  // Timers of MPI implementations: one per implementation and number of ranks; each has a worker with that
  // many ranks.
  std::vector<LadderTimer> crews;

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
