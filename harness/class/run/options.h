// What an instructor asks of a class.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

enum class Place { local, slurm };

// What Slurm was given.
struct SlurmJobs {
  std::string array;   // job's id
  std::string import;  // job's id
  std::uint64_t tasks = 0;
};

struct TakenClass;

struct ClassOptions {
  std::vector<std::filesystem::path> inputs;  // folders and archives
  std::filesystem::path out;
  std::filesystem::path roster;       // may be empty
  std::string assignment;             // empty: told by the files
  std::string engine = "auto";        // as `grade` takes it
  std::filesystem::path rubric;       // empty: the assignment's own
  std::string due;                    // ISO 8601; empty: lateness is what the exports and the roster say
  std::optional<std::uint64_t> seed;  // of every student's inputs; none: drawn for this run
  unsigned jobs = 0;                  // students at a time; 0: one a core
  std::filesystem::path program;      // that has the command `grade`, absolute
  Place on = Place::local;
  bool on_is_given = false;                // a resumed run goes where it was before otherwise
  std::vector<std::string> slurm_options;  // for sbatch, "--name=value" each
  bool waits = true;                       // for Slurm's jobs
  std::function<void(const SlurmJobs&)> submitted = [](const SlurmJobs&) {};
  std::function<void(const TakenClass&)> taken_in = [](const TakenClass&) {};  // before anything is graded
  bool trusts = false;                                                         // submissions need no box
};

// The part of the options that a run is resumed with.
std::string to_json(const ClassOptions& options);
// Sets that part. Fails when the text is no options.
bool read_options(const std::string& text, ClassOptions& options);

}  // namespace warpmark::classroom
