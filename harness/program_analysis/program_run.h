// Runs a program that was built for the simulator once, in the sandbox.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/program_analysis/run_journal.h"
#include "harness/sandbox/process.h"

namespace warpmark::program_analysis {

// Selects the device code that a simulated program runs, and the order of its blocks and warps.
struct ProgramMode {
  // True: device code compiled at -O0, with all checks; false: at -O2, for the performance counters.
  bool checking = true;
  std::uint64_t schedule = 0;  // 0: blocks and warps in order; else the seed of a random order
  int host_threads = 0;        // threads of the simulator; 0: one per core
  bool late = false;           // true: work on streams is deferred until something waits for it
  // True: record the memory accesses of every launch, even before a second stream exists.
  bool record_all = false;
  bool operator==(const ProgramMode&) const = default;
};

// Names one of the several runs of a simulated program by its mode: "-O0 in order", "-O0 in order 2", "-O2",
// ...
std::string name_of(const ProgramMode& mode);

struct RunLimits {
  sandbox::Clock::time_point deadline;
  std::size_t memory = 0;  // limit on the program's memory, in bytes
  std::size_t output = 0;  // limit on the program's output, in bytes
  // Number of simulated warp instructions after which races and uninitialised reads are no longer checked.
  std::uint64_t checked_work = 0;
};

struct RunCommand {
  std::filesystem::path program;
  std::filesystem::path device;  // path of warpmark-device
  int devices = 1;               // number of GPUs that the device process simulates
  std::vector<std::string> arguments;
  std::filesystem::path folder;   // folder for Warpmark's own files of this run; must exist
  std::filesystem::path working;  // the program's working folder
  std::filesystem::path input;    // the program's stdin; empty: this process's stdin, saved to `kept_input`
  std::filesystem::path kept_input;
  bool shown = false;  // true: forward the program's output to this process's stdout as it arrives
  ProgramMode mode;
  RunLimits limits;
};

enum class Stopped { by_itself, time, memory, processes, output };

struct ProgramRun {
  ProgramMode mode;
  sandbox::Ending ending;
  Stopped stopped = Stopped::by_itself;
  std::string output;      // the program's stdout, up to kComparedOutput bytes
  bool input_kept = true;  // false if stdin was too long to keep
  double seconds = 0;
  // True: the order of blocks and warps cannot change this program's results, so it need not run with other
  // orders.
  bool one_order = false;
  bool rest_unchecked = false;
  // True: some work of a stream was not checked for races with work queued before that stream existed.
  bool uncompared = false;
  RunJournal journal;

  // Returns the exit status as a shell reports it: 128 plus the signal number for a signal.
  [[nodiscard]] int status() const;
};

inline constexpr std::size_t kComparedOutput = std::size_t{4} << 20;

// Runs a CUDA program once on the simulator. Fails only for internal errors; errors of the program are part
// of the result.
Result<ProgramRun> run_program(const RunCommand& command);

}  // namespace warpmark::program_analysis
