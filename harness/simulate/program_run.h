// One run of a program that was built for the simulator, under the sandbox.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/sandbox/process.h"
#include "harness/simulate/run_journal.h"

namespace warpmark::simulate {

// Which code runs, and in which order.
struct ProgramMode {
  bool checking = true;        // -O0 and all checks; else -O2, for the counts
  std::uint64_t schedule = 0;  // 0: blocks and warps in order; else the seed of another order
  int host_threads = 0;        // 0: as many as the machine has
  bool late = false;           // work on streams is done when something waits for it, not at the call
  bool record_all = false;     // accesses of each launch, whatever streams there are
  bool operator==(const ProgramMode&) const = default;
};

// "-O0 in order", "-O0 in order 2", "-O2"
std::string name_of(const ProgramMode& mode);

struct RunLimits {
  sandbox::Clock::time_point deadline;
  std::size_t memory = 0;          // bytes
  std::size_t output = 0;          // bytes that the program may print
  std::uint64_t checked_work = 0;  // warp instructions; what comes after is not checked
};

struct RunCommand {
  std::filesystem::path program;
  std::filesystem::path device;  // warpmark-device
  int devices = 1;               // that it is
  std::vector<std::string> arguments;
  std::filesystem::path folder;   // for our own files of this run; exists
  std::filesystem::path working;  // where the program runs
  std::filesystem::path input;  // what it reads; empty: our own standard input, which is kept in `kept_input`
  std::filesystem::path kept_input;
  bool shown = false;  // its output goes on to our own as it comes
  ProgramMode mode;
  RunLimits limits;
};

enum class Stopped { by_itself, time, memory, processes, output };

struct ProgramRun {
  ProgramMode mode;
  sandbox::Ending ending;
  Stopped stopped = Stopped::by_itself;
  std::string output;      // what it wrote to stdout, up to kComparedOutput
  bool input_kept = true;  // false: it was too long to keep
  double seconds = 0;
  bool one_order = false;  // others would show the same, and find nothing
  bool rest_unchecked = false;
  bool uncompared = false;  // work of two streams, of which one came later
  RunJournal journal;

  // As a shell tells it: 128 and the signal's number.
  [[nodiscard]] int status() const;
};

inline constexpr std::size_t kComparedOutput = std::size_t{4} << 20;

// Fails only for our own faults.
Result<ProgramRun> run_program(const RunCommand& command);

}  // namespace warpmark::simulate
