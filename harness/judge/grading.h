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
  // Everything named is used until the grading is over. seed: of the inputs, drawn by the judge.
  Grading(const Installation& installation, const GradeOptions& options, const Course& course,
          const Assignment& assignment, const Submission& submission, const Engines& engines, Engine main,
          std::uint64_t seed);

  // Builds, checks, scores.
  Grade run();

 private:
  void say(const std::string& line) const;

  // What keeps a file from being asked anything on an engine; nothing when it can be loaded.
  [[nodiscard]] std::vector<Cause> obstacles(const SubmittedFile& file, const BuiltTypes& built) const;
  [[nodiscard]] Cause no_gpu_for(const char* what) const;

  void build_and_check(Libraries& libraries);
  // From here on no other process measures on this machine, and none is disturbed. One that does not release
  // the lock within kLockLimit is ignored.
  void lock_for_computing();
  // Waits until the course's own versions are built.
  FastPreparation prepare_speeds(const Libraries& libraries, Engine engine);
  void check_version(const Libraries& libraries, const VersionRule& version);
  // Whether the results of an earlier grade hold for a version; then they are recorded.
  bool keep(const VersionRule& version);
  CheckOutcome correct(const Libraries& libraries, const VersionRule& version, const BuiltTypes& built) const;
  // A check that the simulator decides.
  using SimulatedCheck =
      std::function<CheckOutcome(const GradingContext&, const std::string&, const BuiltTypes&)>;
  CheckOutcome simulated(const Libraries& libraries, const VersionRule& version, Check check,
                         const SimulatedCheck& ask) const;
  void check_the_upload(const Libraries& libraries);
  // Of the versions that this engine times. prepared: of the GPU; the host's is prepared when all else is
  // done.
  void check_speeds(const Libraries& libraries, Engine engine, std::future<FastPreparation> prepared);
  FastOutcomes measured(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation prepared);
  // Records what measure() finds of these.
  void time(Engine engine, const std::vector<FastRequest>& requests,
            const std::function<FastOutcomes()>& measure);
  [[nodiscard]] std::size_t wanted_speeds(Engine engine) const;
  // Hands every one of them the same outcome.
  void record_speeds(const std::vector<FastRequest>& requests, const Cause& cause);
  // What keeps a version from being timed; nothing when it can be.
  std::vector<Cause> obstacles_to_timing(const Libraries& libraries, const VersionRule& version) const;
  // `clean` of a version of C++.
  CheckOutcome host_clean(const Libraries& libraries, const VersionRule& version) const;
  bool lock(DeviceLock& lock, DeviceLock::Use use);
  // What decides a version's `builds` and `correct`: where there are too few GPUs, the simulator has enough.
  [[nodiscard]] Engine engine_of(const VersionRule& version) const {
    const bool too_few = main_ == Engine::gpu && version.gpus > 1 && !engines_.has_gpus(version.gpus);
    return version.host ? Engine::host : too_few ? Engine::simulator : main_;
  }

  // Why ranks cannot be started; nothing for a version without them.
  std::vector<Cause> obstacles_to_ranks(const Libraries& libraries, const VersionRule& version) const;
  // Ranks with which the data has to be shared, where the version may have several; 0: it has none.
  static int fewest_that_share(const VersionRule& version);
  // For workers of the version; ranks: their number, 0 where it has none.
  GradingContext bench_for(const Libraries& libraries, const VersionRule& version, int ranks) const;
  using AskWith = std::function<CheckOutcome(const GradingContext&)>;
  // Until one is wrong: what goes wrong with two goes wrong with four.
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
  std::map<std::string, std::string> same_code_;  // versions, and the earlier one that each is
  std::mutex sent_mutex_;                         // of sent_ while versions are checked side by side
  std::map<std::string, Cause> sent_;             // by version: see CheckOutcome
  DeviceLock lock_;
  DeviceLock cores_lock_;  // among those who measure on the host
  std::once_flag locked_;
  std::map<Engine, CourseKernels> kernels_;
};

}  // namespace warpmark::judge
