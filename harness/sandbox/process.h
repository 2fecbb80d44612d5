// Runs another program under supervision. All compilers and workers are started through this interface.
//
// Theory of operation. start() execs `warpmark-keeper`, which becomes the subreaper of all its descendants,
// closes every descriptor but those named, sets limits, and execs the program in a session of its own with
// only the given environment. The keeper reports how the program ended, then kills and counts the remaining
// descendants. It does the same when this process dies or kill() is called, so no descendant outlives the
// caller.
//
// In a box, start() execs bwrap, which makes the namespaces and execs the keeper as their first process: the
// program cannot signal it, and everything in the box ends with it. The keeper also ends when bwrap does.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/sandbox/box.h"
#include "harness/sandbox/level.h"

namespace warpmark::sandbox {

using Clock = std::chrono::steady_clock;

struct Command {
  std::vector<std::string> argv;                   // argv[0] is an absolute path
  std::map<std::string, std::string> environment;  // the complete environment; nothing is inherited
  std::filesystem::path folder = "/";              // working folder
  Level level = Level::process;
  Box box;  // used with Level::box
  // Descriptors that become 0, 1 and 2 of the program. With -1, stdin is /dev/null, and stdout and stderr go
  // to the pipe that wait_until() reads.
  std::array<int, 3> standard_fds{-1, -1, -1};
  std::vector<int> pass_fds;  // arrive as descriptors 3, 4, ... in this order; all others are closed
  std::size_t output_cap =
      std::size_t{64} * 1024;  // bytes of stdout and stderr kept; the rest is read and dropped
  std::size_t file_size_cap = std::size_t{1} << 30;  // RLIMIT_FSIZE in bytes
  // Limits on the program and all its descendants together, checked ten times per second; 0: no limit.
  std::size_t memory_cap = 0;  // resident memory in bytes
  int process_cap = 0;
  std::chrono::seconds cpu_cap{0};  // CPU time per process (RLIMIT_CPU); 0: no limit
  // Turns address-space randomisation off if the machine allows it. ThreadSanitizer cannot place its shadow
  // memory where the kernel randomises over too wide a range (vm.mmap_rnd_bits).
  bool fixed_addresses = false;
};

// The cap for which the program was killed.
enum class Cap { none, memory, processes };

struct Ending {
  enum class Kind {
    exited,
    signalled,
    not_started,  // our fault or the machine's
    lost,         // our fault or the machine's: its box ended, and not because of the program
  };
  Kind kind = Kind::not_started;
  int code = 0;         // exit status, signal number, or errno of not_started (0 if `trouble` says why)
  int left_behind = 0;  // descendants that were still running and were killed
  Cap exceeded = Cap::none;
  std::string output;  // stdout and stderr interleaved, truncated to output_cap
  bool output_cut = false;
  std::string trouble;  // why the box could not be made or was lost
};

// Returns the reason for not_started or lost; empty for any other ending.
std::string why_not_started(const Ending& ending);

// A running program. The destructor kills it with all its descendants.
class Process {
 public:
  // Fails if the keeper cannot be started, or if a box is requested and this machine cannot make one. Neither
  // is the program's fault.
  static Result<Process> start(const Command& command);
  // Like the above, with given machine capabilities.
  static Result<Process> start(const Command& command, const Machine& machine);
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  // Reads output until the program ends or the deadline passes. On the deadline returns nullopt, and the
  // program keeps running.
  std::optional<Ending> wait_until(Clock::time_point deadline);
  // Reads the output available so far without blocking. Call it while waiting for something else.
  void drain_output();
  // Returns the output since the last call without blocking; at most the first output_cap bytes.
  std::string take_output();
  // Descriptors for poll(): output_fd() is readable when there is output, status_fd() when the program has
  // ended.
  [[nodiscard]] int output_fd() const;
  [[nodiscard]] int status_fd() const;
  // Returns the program's current number of threads as counted by the kernel, which the program cannot
  // falsify; nullopt if it has ended or the system does not report it.
  [[nodiscard]] std::optional<int> threads() const;
  // Kills the program and its descendants, waits for their end, and returns how the program ended.
  Ending kill();

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct Finished {
  Ending ending;
  bool timed_out = false;  // the deadline passed, so the program was killed
};

// Starts the program, waits for it, and kills it when the time limit has passed.
Result<Finished> run(const Command& command, std::chrono::milliseconds limit);

// Returns the size of this machine's physical memory in bytes.
std::size_t memory_of_the_machine();

// Looks a program up in PATH, considering only its absolute folders. Returns nullopt if it is not found.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace warpmark::sandbox
