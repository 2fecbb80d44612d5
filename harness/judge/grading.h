// One grading from built libraries to a grade: runs every check that is wanted and keeps what it found.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/judge.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/fast_check.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::judge {

class Grading {
 public:
  // Everything named is used until the grading is over. seed: of the inputs, drawn by the judge.
  Grading(const Installation& installation, const GradeOptions& options, const Rubric& rubric,
          const Assignment& assignment, const Submission& submission, const Engines& engines, Engine main,
          std::uint64_t seed);

  // Builds, checks, scores.
  Grade run();

 private:
  struct Outcome {
    CheckOutcome found;
    Engine engine;
  };

  void say(const std::string& line) const;
  [[nodiscard]] std::string id_of(const std::string& version, const std::string& check) const;
  [[nodiscard]] std::string upload_id() const;
  [[nodiscard]] bool wanted(const std::string& id) const;
  [[nodiscard]] bool wanted(const VersionRule& version, const std::string& check) const;
  [[nodiscard]] bool wanted_upload() const;
  [[nodiscard]] bool runs(const VersionRule& version) const;  // wanted itself, or by the upload audit
  [[nodiscard]] std::string again(const std::string& id, const Cause& cause) const;
  void record(const std::string& id, Engine engine, CheckOutcome found);

  // What keeps a file from being asked anything on an engine; nothing when it can be loaded.
  [[nodiscard]] std::vector<Cause> obstacles(const SubmittedFile& file, const BuiltTypes& built) const;
  [[nodiscard]] Cause no_gpu_for(const char* what) const;

  void build_and_check(Libraries& libraries);
  // Nobody else's measurement is disturbed from here on, and nobody measures; should others not let go, that
  // is their loss.
  void lock_for_computing();
  // Waits until the course's kernels are built.
  FastPreparation prepare_speeds(const Libraries& libraries);
  void check_version(const Libraries& libraries, const VersionRule& version);
  CheckOutcome clean(const Libraries& libraries, const VersionRule& version) const;
  void check_the_upload(const Libraries& libraries);
  void check_speeds(const Libraries& libraries, std::future<FastPreparation> prepared);
  [[nodiscard]] std::size_t wanted_speeds() const;
  void add(Measurement measurement);
  // What keeps a version from being timed; nothing when it can be.
  std::vector<Cause> obstacles_to_timing(const Libraries& libraries, const VersionRule& version) const;
  bool lock(DeviceLock::Use use);

  CheckResult result_of(const std::string& id, const std::string& version, const std::string& check,
                        double worth) const;
  Grade assemble();

  const Installation& installation_;
  const GradeOptions& options_;
  const Rubric& rubric_;
  const Submission& submission_;
  const Engines& engines_;
  Engine main_;
  unsigned jobs_;
  Bench bench_;

  std::mutex mutex_;                         // of outcomes_ while versions are checked side by side
  std::map<std::string, Outcome> outcomes_;  // by check id
  std::vector<Measurement> measurements_;
  std::vector<Transfer> transfers_;
  std::vector<Launch> launches_;
  std::optional<Timing> timing_;
  DeviceLock lock_;
  std::once_flag locked_;
  CourseKernels course_;
};

}  // namespace warpmark::judge
