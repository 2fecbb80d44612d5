// What an instructor asks of a class.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/workers/installation.h"

namespace warpmark::classroom {

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
};

// The part of the options that a run is resumed with.
std::string to_json(const ClassOptions& options);
// Sets that part. Fails when the text is no options.
bool read_options(const std::string& text, ClassOptions& options);

}  // namespace warpmark::classroom
