// One grading: builds the libraries, runs every selected check, and stores the results in Outcomes.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/judge/checks/upload_check.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/outcomes.h"
#include "harness/judge/selection.h"
#include "harness/judge/speed/begun_early.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/fast_check.h"
#include "harness/judge/speed/timing_queue.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::judge {

class Grading {
 public:
  // A Grading object keeps references to its constructor's arguments, which must outlive it. `seed`
  // determines all generated inputs.
  Grading(const Installation& installation, const GradeOptions& options, const Course& course,
          const Assignment& assignment, const Submission& submission, const Engines& engines, Engine main,
          std::uint64_t seed);

  Grade run();

 private:
  void say(const std::string& line) const;

  // Returns the reasons why a student's file cannot run on the engine for which it was built; empty if it can
  // be loaded.
  [[nodiscard]] std::vector<Cause> obstacles(const SubmittedFile& file, const BuiltTypes& built) const;
  [[nodiscard]] Cause no_gpu_for(const char* what) const;

  void build_and_check(Libraries& libraries);
  // Returns the large inputs of `correct` on a GPU, the largest first.
  [[nodiscard]] std::vector<Case> inputs_to_make_ahead() const;
  // Adds a note to `builds` of each version that is the same code as an earlier one.
  void note_same_code(const Libraries& libraries);
  // Begins a use of the engine for computing: while it lasts, no other grading measures on this GPU. nullopt:
  // the engine is no GPU.
  std::optional<ComputingUse> use_for(Engine engine);
  // Blocks until the course's own kernels are built, then prepares the worker processes and the naive
  // kernel's times for the check `fast`. is_alone: this grading has the engine for itself.
  FastPreparation prepare_speeds(const Libraries& libraries, Engine engine, bool is_alone);
  void check_version(const Libraries& libraries, const VersionRule& version);
  // If an earlier grade's results still hold for the kernel file, records them and returns true; the caller
  // must not check the file again.
  bool keep(const VersionRule& version);
  // What `correct` may ask of other engines; see GradingContext.
  struct Elsewhere {
    std::function<bool(const std::vector<Cause>&)> is_explained;
    std::function<const std::vector<Cause>&()> of_sanitizers;
  };
  CheckOutcome correct(const Libraries& libraries, const VersionRule& version, const BuiltTypes& built,
                       const Elsewhere& elsewhere);
  // Times what has been checked while the other versions' libraries are being built; nothing if none is.
  void measure_during_builds(const Libraries& libraries);
  // Function that runs a check on the simulator.
  using SimulatedCheck =
      std::function<CheckOutcome(const GradingContext&, const std::string&, const BuiltTypes&)>;
  // Results of a version on the simulator while a GPU checks whether it is correct.
  struct OnSimulator {
    CheckOutcome correct;
    std::optional<CheckOutcome> clean;  // nullopt: not asked for
    [[nodiscard]] const CheckOutcome* clean_or_null() const { return clean ? &*clean : nullptr; }
  };
  // Makes all calls of `correct` on the simulator, which sees what a GPU does not record, and then those of
  // `clean` if it is selected. `explains`: looks for the reasons of failures of `correct`, as on a machine
  // without a GPU.
  OnSimulator watched(const Libraries& libraries, const VersionRule& version, bool explains);
  CheckOutcome correct_on_simulator(const Libraries& libraries, const VersionRule& version,
                                    bool explains) const;
  // Returns why a version that failed on a GPU fails on the simulator, too; see reasons_on_simulator().
  [[nodiscard]] std::vector<Cause> reasons_in(const OnSimulator& seen,
                                              const std::vector<Cause>& on_gpu) const;
  // Returns the reasons why a version does not build. If the simulator's compiler rejects it, too, these are
  // its messages: clang's name the place of the mistake better than nvcc's.
  [[nodiscard]] std::vector<Cause> obstacles_to_building(const Libraries& libraries,
                                                         const VersionRule& version,
                                                         const BuiltTypes& built) const;
  // `of_correct`: the result of `correct` on the simulator; without remarks: its calls are made first.
  CheckOutcome clean(const Libraries& libraries, const VersionRule& version,
                     const CheckOutcome& of_correct) const;
  CheckOutcome simulated(const Libraries& libraries, const VersionRule& version, Check check,
                         const SimulatedCheck& ask) const;
  // Audits the upload function, whose libraries must be built, on all engines that can.
  void begin_audits(const Libraries& libraries);
  // Calls work(), a part of the audit, and notes why it could not be made.
  void note_trouble(const std::function<void()>& work);
  // Audits a version that has been checked for correctness, on the engines on which the upload is audited.
  void audit(const Libraries& libraries, const VersionRule& version);
  // Audits versions that have not been yet, and records the check `upload_once`.
  void check_the_upload(const Libraries& libraries);
  // Returns what the audit of an upload that passed on a GPU finds on the simulator.
  std::vector<Cause> upload_causes_on_simulator() const;
  // Runs the check `fast` for kernel files that are timed on this engine and were not timed yet.
  // The CPU's timing is prepared here, after all other work of the grading, which would disturb it.
  // early: the versions to time now, of those that need no workers of their own; nullptr: all that are left.
  void check_speeds(const Libraries& libraries, Engine engine, const std::set<std::string>* early = nullptr);
  FastOutcomes measured(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation& prepared);
  // Calls measure() and records the outcome of the check `fast` for each requested kernel file. If measure()
  // throws, records that as the failure of all requests.
  void time(Engine engine, const std::vector<FastRequest>& requests,
            const std::function<FastOutcomes()>& measure);
  // Times one of a student's kernel files against the course's own solution of it, in worker processes of its
  // own.
  void time_against_reference(const Libraries& libraries, const FastRequest& request);
  // Returns the number of kernel files that are timed against the naive one.
  [[nodiscard]] std::size_t wanted_speeds(Engine engine) const;
  // Records the same failure of the check `fast` for every requested kernel file.
  void record_speeds(const std::vector<FastRequest>& requests, const Cause& cause);
  // Returns the reasons why a kernel file cannot be timed; empty if it can.
  std::vector<Cause> obstacles_to_timing(const Libraries& libraries, const VersionRule& version) const;
  // Runs the check `clean` for plain C++ code, under clang's sanitizers.
  CheckOutcome host_clean(const Libraries& libraries, const VersionRule& version) const;
  bool lock(DeviceLock& lock, DeviceLock::Use use);
  // Returns the engine that decides the checks `builds` and `correct`. Code that needs more GPUs than the
  // machine has runs on the simulator, which simulates as many as needed.
  [[nodiscard]] Engine engine_of(const VersionRule& version) const {
    const bool too_few = main_ == Engine::gpu && version.gpus > 1 && !engines_.has_gpus(version.gpus);
    return version.host ? Engine::host : too_few ? Engine::simulator : main_;
  }

  // Returns the reasons why MPI ranks cannot be started; empty for code without MPI.
  std::vector<Cause> obstacles_to_ranks(const Libraries& libraries, const VersionRule& version) const;
  // Returns the smallest graded number of MPI ranks above 1, so that the data is distributed; 1 if the code
  // is graded with one rank only, 0 without MPI.
  static int fewest_that_share(const VersionRule& version);
  // Returns the context for worker processes with `ranks` MPI ranks (0: no MPI) and the GPUs that the kernel
  // file needs.
  GradingContext bench_for(const Libraries& libraries, const VersionRule& version, int ranks) const;
  using AskWith = std::function<CheckOutcome(const GradingContext&)>;
  // Calls `ask` for each of the rubric's numbers of MPI ranks and stops at the first that fails: an error
  // with two ranks would recur with four.
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
  // Time of the simulator's calls beside a GPU: what the GPU's calls take leaves it alone.
  std::shared_ptr<TimeBudget> time_beside_gpu_;
  std::mutex sent_mutex_;  // guards the map of excess copies per kernel file, filled by concurrent checks
  std::map<std::string, Cause> sent_;  // excess host-to-device copies per kernel file
  GradingContext audit_bench_;         // each file gets a part of the submission's time once more
  std::once_flag audits_begun_;
  std::atomic<bool> are_audits_open_ = false;  // true: audits_ is complete
  std::map<Engine, UploadCheck> audits_;       // engines on which the upload function can be audited
  std::mutex trouble_mutex_;
  std::vector<Cause> audit_trouble_;  // why parts of the audit could not be made
  TimingQueue timings_;
  BegunEarly<FastPreparation> preparation_;  // of the GPU
  DeviceLock lock_;
  // held while times are measured on the CPU; excludes other gradings that measure there
  DeviceLock cores_lock_;
  std::map<Engine, CourseKernels> kernels_;
};

}  // namespace warpmark::judge
