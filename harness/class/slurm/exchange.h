// Files in `<out>/slurm` through which the submitting process and the Slurm tasks exchange work and results.
// Tasks run on other machines and never open the journal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/class/journal/journal.h"

namespace warpmark::classroom {

// The work of a job array. Task k of n grades students k, k + n, k + 2n, ...
struct SlurmPlan {
  Shelf shelf = Shelf::current;
  std::uint64_t tasks = 0;
  std::string engine;   // engine that grades: "auto", "gpu", "simulator" or "host" (CPU)
  std::string rubric;   // path of the rubric; empty: the assignment's default
  std::string seed;     // seed of every student's test inputs
  std::string rules;    // digest of the grading rules, without machine properties
  bool trusts = false;  // true: run submissions without a sandbox
  TakenClass taken;     // the class's assignment and submissions, which the tasks grade
};

// Result of grading one student.
struct TaskResult {
  Outcome outcome;
  std::string machine;  // GPUs and compilers used for grading
};

std::filesystem::path slurm_folder(const std::filesystem::path& out);
// Returns the path of a task's log file.
std::filesystem::path task_log(const std::filesystem::path& out, std::uint64_t task);

// Writes the plan of a Slurm run (rules, seed, submissions), which its array tasks read. Throws
// std::exception if the file cannot be written.
void write_plan(const std::filesystem::path& out, const SlurmPlan& plan);
Result<SlurmPlan> read_plan(const std::filesystem::path& out);

// Writes a student's result atomically. Fails if the disk cannot be written.
Result<void> write_result(const std::filesystem::path& out, const std::string& id, const TaskResult& result);
// Reads a student's result. Fails if there is none for the student's current submission under the grading
// rules of this Slurm run.
Result<TaskResult> read_result(const std::filesystem::path& out, const SlurmPlan& plan, const Taken& student);

// Returns the IDs of the students whose result exists or is being written.
std::vector<std::string> result_ids(const std::filesystem::path& out);

}  // namespace warpmark::classroom
