// One grading: builds the libraries, runs every check that is selected, and hands what they find to Outcomes.
#pragma once

#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/outcomes.h"
#include "harness/judge/selection.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/fast_check.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::judge {

class Grading {
 public:
  // All reference arguments must outlive this object. seed: the judge's seed of all generated inputs.
  Grading(const Installation& installation, const GradeOptions& options, const Course& course,
          const Assignment& assignment, const Submission& submission, const Engines& engines, Engine main,
          std::uint64_t seed);

  Grade run();

 private:
  void say(const std::string& line) const;

  // Returns the causes that prevent a file from running on the engine it was built for; empty if it can be
  // loaded.
  [[nodiscard]] std::vector<Cause> obstacles(const SubmittedFile& file, const BuiltTypes& built) const;
  [[nodiscard]] Cause no_gpu_for(const char* what) const;

  void build_and_check(Libraries& libraries);
  // Takes the shared GPU lock: from here on no other process measures on this GPU, and this one disturbs no
  // measurement. Proceeds without the lock if it is not free within kLockLimit.
  void lock_for_computing();
  // Blocks until the course's own versions are built, then prepares the reference measurements of `fast`.
  FastPreparation prepare_speeds(const Libraries& libraries, Engine engine);
  void check_version(const Libraries& libraries, const VersionRule& version);
  // If the earlier grade's results still hold for the version, records them and returns true; the caller must
  // not check it again.
  bool keep(const VersionRule& version);
  CheckOutcome correct(const Libraries& libraries, const VersionRule& version, const BuiltTypes& built) const;
  // A check that is decided on the simulator.
  using SimulatedCheck =
      std::function<CheckOutcome(const GradingContext&, const std::string&, const BuiltTypes&)>;
  CheckOutcome simulated(const Libraries& libraries, const VersionRule& version, Check check,
                         const SimulatedCheck& ask) const;
  void check_the_upload(const Libraries& libraries);
  // Runs `fast` for all versions that this engine times. prepared: future of the GPU's preparation; for the
  // host it is empty, and the preparation is made here, after all other work.
  void check_speeds(const Libraries& libraries, Engine engine, std::future<FastPreparation> prepared);
  FastOutcomes measured(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation prepared);
  // Calls measure() and records its outcome, one per request. If it throws, all requests get that one cause.
  void time(Engine engine, const std::vector<FastRequest>& requests,
            const std::function<FastOutcomes()>& measure);
  [[nodiscard]] std::size_t wanted_speeds(Engine engine) const;
  // Records the same cause for every request.
  void record_speeds(const std::vector<FastRequest>& requests, const Cause& cause);
  // Returns the causes that prevent a version from being timed; empty if it can be timed.
  std::vector<Cause> obstacles_to_timing(const Libraries& libraries, const VersionRule& version) const;
  // Runs `clean` for a C++ version, under the compilers' sanitizers.
  CheckOutcome host_clean(const Libraries& libraries, const VersionRule& version) const;
  bool lock(DeviceLock& lock, DeviceLock::Use use);
  // Returns the engine that decides a version's `builds` and `correct`. A version that needs more GPUs than
  // the machine has runs on the simulator, which simulates as many devices as it needs.
  [[nodiscard]] Engine engine_of(const VersionRule& version) const {
    const bool too_few = main_ == Engine::gpu && version.gpus > 1 && !engines_.has_gpus(version.gpus);
    return version.host ? Engine::host : too_few ? Engine::simulator : main_;
  }

  // Returns why MPI ranks cannot be started; empty for a version without MPI.
  std::vector<Cause> obstacles_to_ranks(const Libraries& libraries, const VersionRule& version) const;
  // Returns the smallest graded number of ranks above 1, so that the data is distributed; 1 if the version is
  // graded with one rank only, 0 without MPI.
  static int fewest_that_share(const VersionRule& version);
  // Returns the context for this version's workers. ranks: number of MPI ranks, 0 for a version without MPI.
  GradingContext bench_for(const Libraries& libraries, const VersionRule& version, int ranks) const;
  using AskWith = std::function<CheckOutcome(const GradingContext&)>;
  // Calls `ask` for each number of ranks of the rubric and stops at the first that fails: an error with two
  // ranks would recur with four.
  CheckOutcome with_each_number_of_ranks(const Libraries& libraries, const VersionRule& version,
                                         const AskWith& ask) const;

  const Installation& installation_;
  const GradeOptions& options_;
  const Course& course_;
  const Submission& submission_;
  const Engines& engines_;
  Engine main_;
  unsigned jobs_;
  GradingContext bench_;

  Selection selection_;
  Outcomes outcomes_;
  std::map<std::string, std::string> same_code_;  // version name to the earlier version with the same code
  std::mutex sent_mutex_;                         // guards sent_ while versions are checked concurrently
  std::map<std::string, Cause> sent_;             // by version: see CheckOutcome::sent
  DeviceLock lock_;
  DeviceLock cores_lock_;  // excludes other gradings that measure on the host
  std::once_flag locked_;
  std::map<Engine, CourseKernels> kernels_;
};

}  // namespace warpmark::judge
