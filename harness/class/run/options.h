// The instructor's options for grading a class.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

// Executor of a class's grading: this process, or Slurm jobs.
enum class Executor { local, slurm };

// IDs of the jobs that were submitted to Slurm.
struct SlurmJobs {
  std::string array;   // ID of the job array that grades
  std::string import;  // ID of the job that imports the results
  std::uint64_t tasks = 0;
};

struct TakenClass;

struct ClassOptions {
  std::vector<std::filesystem::path> inputs;  // folders and archives with submissions
  std::filesystem::path out;
  std::filesystem::path roster;  // CSV file of the course's students; may be empty
  std::string assignment;        // name of the assignment; empty: detected from the submitted files
  std::string engine = "auto";   // engine that grades: "auto", "gpu", "simulator" or "host" (CPU)
  std::filesystem::path rubric;  // path of the rubric; empty: the assignment's default
  std::string due;               // due date, ISO 8601; empty: lateness comes from the exports and the roster
  std::optional<std::uint64_t> seed;  // seed of all test inputs; nullopt: drawn at random for this run
  unsigned jobs = 0;                  // number of students graded concurrently; 0: one per core
  std::filesystem::path program;      // absolute path of the program that has the command `grade`
  Executor on = Executor::local;
  // True: the user named the executor (this machine or Slurm) for this run; false: a resumed run keeps its
  // earlier executor.
  bool on_is_given = false;
  std::vector<std::string> slurm_options;  // options for sbatch, each "--name=value"
  bool waits = true;                       // true: wait for the Slurm jobs to finish
  std::function<void(const SlurmJobs&)> submitted = [](const SlurmJobs&) {};
  // Callback, run once after a class's submissions were collected and before they are graded.
  std::function<void(const TakenClass&)> taken_in = [](const TakenClass&) {};
  bool trusts = false;  // true: run submissions without a sandbox
};

// Serialises the options that a resumed run restores.
std::string to_json(const ClassOptions& options);
// Restores a class's grading options from JSON text that to_json() wrote. Returns false if the text is
// invalid.
bool read_options(const std::string& text, ClassOptions& options);

}  // namespace warpmark::classroom
