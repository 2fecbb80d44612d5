// Grades fixtures, each in a process of its own, and appends a record of each grade to a file.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/engines/fixture.h"

namespace warpmark::engines {

// The engine of runs in which a second simulator takes the place of a GPU.
inline constexpr const char* kStandIn = "stand-in";

struct Task {
  const Fixture* fixture = nullptr;
  std::string run;  // "gpu", "gpu.2", "simulator", "stand-in"
};

struct Plan {
  std::vector<Task> tasks;
  std::filesystem::path program;  // this one, which is started again for each task
  std::filesystem::path records;  // records are appended to this file
  unsigned jobs = 1;              // tasks at a time
  unsigned threads = 1;           // of each
  std::chrono::seconds limit{};   // of all tasks together; what has not ended by then leaves no record
};

// Runs the tasks. A process that dies, or takes longer than ten minutes, leaves no record, and is reported on
// stderr.
void run(const Plan& plan);

// Grades the fixture in this process on the engine of the run, and writes the record to the file.
Result<void> grade_into(const Fixture& fixture, const std::string& run, unsigned threads,
                        const std::filesystem::path& file);

}  // namespace warpmark::engines
