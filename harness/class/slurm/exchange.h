// What coordinator and tasks say to each other: files in `<out>/slurm`. Tasks run on other machines, and
// nobody but a coordinator opens the journal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/class/journal/journal.h"

namespace warpmark::classroom {

// What an array of tasks has to do. Task k of n grades students k, k + n, k + 2n, ...
struct SlurmPlan {
  Shelf shelf = Shelf::current;
  std::uint64_t tasks = 0;
  std::string engine;   // as `grade` takes it
  std::string rubric;   // path; empty: the assignment's own
  std::string seed;     // of every student's inputs
  std::string rules;    // digest, without the machine
  bool trusts = false;  // submissions need no box
  TakenClass taken;     // the students to grade, and no others
};

// What one student's grading came to.
struct TaskResult {
  Outcome outcome;
  std::string machine;  // what it was graded on: devices and compilers
};

std::filesystem::path slurm_folder(const std::filesystem::path& out);
// The text that a task of an array prints into.
std::filesystem::path task_log(const std::filesystem::path& out, std::uint64_t task);

// Throws std::exception when the disk cannot be written.
void write_plan(const std::filesystem::path& out, const SlurmPlan& plan);
Result<SlurmPlan> read_plan(const std::filesystem::path& out);

// Fails when the disk cannot be written. A reader sees all of it or none.
Result<void> write_result(const std::filesystem::path& out, const std::string& id, const TaskResult& result);
// Of this student's submission by the plan's rules. Fails when there is none.
Result<TaskResult> read_result(const std::filesystem::path& out, const SlurmPlan& plan, const Taken& student);

// The students who have a result, or are about to.
std::vector<std::string> result_ids(const std::filesystem::path& out);

}  // namespace warpmark::classroom
