// Slurm's commands (sbatch, squeue, scontrol, scancel) as functions. Needs no library of Slurm's and no
// accounting database.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::classroom {

// What sbatch is asked for.
struct Batch {
  std::string name;
  std::filesystem::path folder;      // working folder, the same on every node
  std::string script;                // file in the folder
  std::string log;                   // file in the folder; %a is the number of an array's task
  std::size_t tasks = 0;             // of an array, numbered from 1; 0: one job
  unsigned at_a_time = 0;            // of an array; 0: as many as there is room for
  std::string after;                 // id of a job: begins when that has ended, however it did
  std::vector<std::string> options;  // the instructor's and ours
};

// A job, or a task of an array, that waits or runs.
struct QueuedTask {
  std::string job;    // id; of a task: its array's
  std::string state;  // "PENDING", "RUNNING", ...
};

// How a task of an array ended, as long as Slurm knows.
struct EndedTask {
  std::string state;  // "CANCELLED", "NODE_FAIL", "TIMEOUT", ...
  std::string node;   // may be empty
  int signal = 0;     // that ended it; 0: none
};

class Slurm {
 public:
  // Fails when its commands are not on PATH.
  static Result<Slurm> find();

  // The job's id. Fails with sbatch's own words; a job may be queued all the same when sbatch got no answer.
  [[nodiscard]] Result<std::string> submit(const Batch& batch) const;
  // All jobs of this name.
  void cancel(const std::string& name) const;
  // Every job and task of this name that has not ended. Fails when the controller does not answer.
  [[nodiscard]] Result<std::vector<QueuedTask>> queued(const std::string& name) const;
  // By number; empty when Slurm has forgotten the job.
  [[nodiscard]] std::map<std::size_t, EndedTask> ended(const std::string& job) const;
  // The most tasks that an array may have here.
  [[nodiscard]] std::size_t largest_array() const;

 private:
  std::map<std::string, std::filesystem::path> programs_;
};

// The texts of Slurm's commands. Pure functions.
std::vector<std::string> sbatch_arguments(const Batch& batch);
std::string job_id_in(const std::string& printed);             // of `sbatch --parsable`; may be empty
std::vector<QueuedTask> queue_in(const std::string& printed);  // of kQueueFormat
std::map<std::size_t, EndedTask> ended_in(const std::string& printed);  // of `scontrol --oneliner show job`
std::size_t largest_array_in(const std::string& printed);               // of `scontrol show config`
// "3-5,9%2" as numbers.
std::vector<std::size_t> numbers_in(std::string_view list);
// Why a task may have ended without a grade: "was cancelled (scancel)".
std::string reason_of(const EndedTask& task);

inline constexpr const char* kQueueFormat = "%F|%T";

}  // namespace warpmark::classroom
