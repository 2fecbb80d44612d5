// Runs a program once: starts its process and, if it was built for the simulator, the device process,
// optionally isolated, and collects output and findings.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/program_analysis/run_journal.h"
#include "harness/sandbox/process.h"

namespace warpmark::program_analysis {

// Selects the device code that a simulated program runs, and the order of its blocks and warps.
struct ProgramMode {
  bool checking = true;        // true: -O0 with all checks; false: -O2, for the counters
  std::uint64_t schedule = 0;  // 0: blocks and warps in order; else the seed of a random order
  int host_threads = 0;        // threads of the simulator; 0: one per core
  bool late = false;           // true: work on streams is deferred until something waits for it
  // True: record the memory accesses of every launch, even before a second stream exists.
  bool record_all = false;
  bool operator==(const ProgramMode&) const = default;
};

// Returns the label that reports give a run: "-O0 in order", "-O0 in order 2" (its repetition), "-O2", ...
std::string name_of(const ProgramMode& mode);

inline constexpr std::size_t kComparedOutput = std::size_t{4} << 20;

struct RunLimits {
  sandbox::Clock::time_point deadline;
  std::size_t memory = 0;              // limit on the program's memory, in bytes
  std::size_t output = 0;              // limit on the program's output, in bytes
  std::size_t kept = kComparedOutput;  // bytes of each of stdout and stderr that are kept
  std::uint64_t checked_work = 0;      // warp instructions after which the simulator stops checking for races
};

// Isolation of a program that its user does not trust. It sees no variable of this process's environment and,
// at level `box`, no file but the system's, its own and those in its working folder.
struct Isolation {
  sandbox::Level level = sandbox::Level::process;
  // libwarpmark_cudart.so or the folder of the CUDA toolkit, which the program is linked to; empty: neither.
  std::filesystem::path runtime;
  bool gpu = false;                                     // true: the program sees the machine's GPU
  std::vector<std::filesystem::path> device_libraries;  // libraries that the device process opens
  std::vector<std::filesystem::path> hidden;  // folders hidden from the program and from the device process
  std::size_t folder_bytes = 0;               // limit on the files in the working folder together, in bytes
};

struct RunCommand {
  std::filesystem::path program;
  // Path of the program warpmark-device, which simulates the GPUs; empty: the program runs natively, and
  // nothing is known of its launches.
  std::filesystem::path device;
  int devices = 1;  // number of GPUs that the device process simulates
  std::vector<std::string> arguments;
  std::filesystem::path folder;   // folder for Warpmark's own files of this run; must exist
  std::filesystem::path working;  // the program's working folder
  std::filesystem::path input;    // the program's stdin; empty: this process's stdin, saved to `kept_input`
  std::filesystem::path kept_input;
  bool shown = false;  // true: forward the program's output to this process's stdout as it arrives
  ProgramMode mode;
  RunLimits limits;
  std::optional<Isolation> isolation;  // nullopt: the program is trusted and runs without isolation
};

enum class Stopped { by_itself, time, memory, processes, output, files };

struct ProgramRun {
  ProgramMode mode;
  sandbox::Ending ending;
  Stopped stopped = Stopped::by_itself;
  std::string output;      // the program's stdout, up to RunLimits::kept bytes
  std::string errors;      // the program's stderr, up to RunLimits::kept bytes
  bool input_kept = true;  // false if stdin was too long to keep
  double seconds = 0;
  double process_seconds = 0;  // wall time from the start of the program's process to its end
  bool one_order = false;      // true: other schedules cannot give other results, so they need not be run
  bool rest_unchecked = false;
  // True: some work of a stream was not checked for races with work queued before that stream existed.
  bool uncompared = false;
  RunJournal journal;

  // Returns the exit status as a shell reports it: 128 plus the signal number for a signal.
  [[nodiscard]] int status() const;
};

// Returns this process's environment.
std::map<std::string, std::string> environment_of_user();

// Runs the program once. Fails only for internal errors; errors of the program are in the result.
Result<ProgramRun> run_program(const RunCommand& command);

}  // namespace warpmark::program_analysis
