// Wraps Slurm's commands (sbatch, squeue, scontrol, scancel). Needs neither Slurm's libraries nor its
// accounting database.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::remote {

// A job or job array for sbatch.
struct Batch {
  std::string name;
  std::filesystem::path folder;      // the job's working folder, which has the same path on every node
  std::string script;                // name of the job's script file in `folder`
  std::string log;                   // log file in `folder`; Slurm replaces %a by the array task's number
  std::size_t tasks = 0;             // number of array tasks, which count from 1; 0: a single job
  unsigned at_a_time = 0;            // maximum number of concurrent array tasks; 0: no limit
  std::string after;                 // ID of a job that must end first, successfully or not; empty: none
  std::vector<std::string> options;  // more options for sbatch, from the instructor and Warpmark
};

// A pending or running job or array task.
struct QueuedTask {
  std::string job;    // job ID; for an array task, the array's job ID
  std::string state;  // Slurm's name of the state: "PENDING", "RUNNING", ...
  // Slurm's reason why the job is pending: "Resources", "Priority"; may be empty
  std::string reason = {};
};

// End state of a Slurm job or array task, available only until Slurm purges the job.
struct EndedTask {
  std::string state;  // Slurm's name of the end state: "CANCELLED", "NODE_FAIL", "TIMEOUT", ...
  std::string node;   // name of the cluster node that ran the task; may be empty
  int signal = 0;     // signal that ended the task; 0: none
};

class Slurm {
 public:
  // Locates Slurm's commands. Fails if they are not on PATH.
  static Result<Slurm> find();

  // Queues a job and returns its ID. Fails with sbatch's error message; the job may have been queued even so
  // if sbatch got no answer.
  [[nodiscard]] Result<std::string> submit(const Batch& batch) const;
  // Cancels all jobs with the given name.
  void cancel(const std::string& name) const;
  // Returns all unfinished jobs and tasks with the given name. Fails if the controller does not answer.
  [[nodiscard]] Result<std::vector<QueuedTask>> queued(const std::string& name) const;
  // Returns the ended tasks of a job by task number, a single job as task 0; empty if Slurm has purged it.
  [[nodiscard]] std::map<std::size_t, EndedTask> ended(const std::string& job) const;
  // Returns the maximum size of a job array on this cluster.
  [[nodiscard]] std::size_t largest_array() const;

 private:
  std::map<std::string, std::filesystem::path> programs_;
};

// Functions that build the command lines of Slurm's programs and parse their output, without running
// anything.
std::vector<std::string> sbatch_arguments(const Batch& batch);
std::string job_id_in(const std::string& printed);             // parses `sbatch --parsable`; may return ""
std::vector<QueuedTask> queue_in(const std::string& printed);  // parses squeue's output in kQueueFormat
std::map<std::size_t, EndedTask> ended_in(const std::string& printed);  // parses `scontrol -o show job`
std::size_t largest_array_in(const std::string& printed);               // parses `scontrol show config`
// Parses a list of task numbers such as "3-5,9%2".
std::vector<std::size_t> numbers_in(std::string_view list);
// Returns the options for sbatch, with one GPU per task if the job needs a GPU and the options request none.
std::vector<std::string> options_with_gpu(std::vector<std::string> options, bool needs_gpu);
// Splits the value of --slurm-options into sbatch options. Each must be one word, --name=value, so that a
// single option can be left out.
Result<std::vector<std::string>> slurm_options_from(const std::string& text);
// Writes a job's script, which executes the command. Throws std::runtime_error if the disk cannot be written.
void write_job_script(const std::filesystem::path& file, const std::string& command);
// Returns why a task or job left no result: how it ended, and its log's last line. `name`: the task's or
// job's ID.
std::string why_without_result(const std::string& name, const EndedTask* ended,
                               const std::filesystem::path& log);
// Returns why a task may have ended without a result, as a phrase: "was cancelled (scancel)".
std::string reason_of(const EndedTask& task);

inline constexpr const char* kQueueFormat = "%F|%T|%r";

}  // namespace warpmark::remote
