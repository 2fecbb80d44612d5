// Runs another program under supervision. All compilers and worker processes are started through this
// interface.
//
// Theory of operation. start() executes `warpmark-keeper`, a process that supervises one program. The keeper
// becomes the subreaper of all its descendants, closes every descriptor except those passed, sets resource
// limits, and executes the program in a new session with only the given environment. When the program ends,
// the keeper reports how it ended and the number of remaining descendants, which it kills. The keeper kills
// all of them, too, when the process that called start() dies or calls kill(), so no descendant outlives the
// caller.
//
// With Level::box, start() executes bwrap, which creates the namespaces and executes the keeper as their
// first process. The program then cannot signal the keeper, and all processes in the sandbox end when the
// keeper or bwrap does.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "harness/base/error.h"
#include "harness/sandbox/box.h"
#include "harness/sandbox/level.h"

namespace warpmark::sandbox {

using Clock = std::chrono::steady_clock;

struct Command {
  std::vector<std::string> argv;  // argv[0] of the program to run must be an absolute path
  // Complete environment of the program to run: it inherits no variable of this process.
  std::map<std::string, std::string> environment;
  std::filesystem::path folder = "/";
  Level level = Level::process;
  Box box;  // files and devices that the program sees in a sandbox (Level::box)
  // Descriptors that become 0, 1 and 2 of the program. -1 selects /dev/null for stdin, and the pipe that
  // wait_until() reads for stdout and stderr.
  std::array<int, 3> standard_fds{-1, -1, -1};
  // File descriptors to pass, renumbered 3, 4, ... in this order; all others are closed.
  std::vector<int> pass_fds;
  std::size_t output_cap =
      std::size_t{64} * 1024;  // maximum bytes of stdout and stderr kept; the rest is dropped
  // Limit on the size of each file that the program writes (RLIMIT_FSIZE), in bytes.
  std::size_t file_size_cap = std::size_t{1} << 30;
  // Limits on the program and all its descendants together, checked ten times per second; 0 means no limit.
  // memory_cap: resident memory in bytes. process_cap: number of processes and threads.
  std::size_t memory_cap = 0;
  int process_cap = 0;
  std::chrono::seconds cpu_cap{0};  // CPU time per process (RLIMIT_CPU); 0: no limit
  // Turns address-space randomisation off if the machine allows it. ThreadSanitizer needs this where the
  // kernel randomises over so wide a range (vm.mmap_rnd_bits) that it cannot place its shadow memory.
  bool fixed_addresses = false;
};

// Resource limit that the program exceeded and was killed for.
enum class Cap { none, memory, processes };

struct Ending {
  enum class Kind {
    exited,
    signalled,
    not_started,  // program did not run at all, through a fault of the harness or the machine
    lost,         // sandbox ended before the program, through a fault of the harness or the machine
  };
  Kind kind = Kind::not_started;
  // Exit status or signal number of the program; if it was not started, an errno (0 if `trouble` holds the
  // reason).
  int code = 0;
  int left_behind = 0;  // number of the program's descendants that still ran at its end and were killed
  Cap exceeded = Cap::none;
  std::string output;  // stdout and stderr interleaved, truncated to Command::output_cap
  bool output_cut = false;
  std::string trouble;  // why the sandbox could not be created, or why it ended
};

// System call in which a thread is blocked.
struct BlockedCall {
  long number = 0;
  std::array<std::uint64_t, 6> arguments{};
  std::uint64_t stack = 0;  // stack pointer
};

// Returns an error message if a program did not start, or its sandbox ended early (kinds not_started and lost
// of Ending); empty otherwise.
std::string why_not_started(const Ending& ending);

// Owns a running program. The destructor kills the program and all its descendants.
class Process {
 public:
  // Starts the program. Fails if the keeper cannot be started, or if a sandbox is requested and this machine
  // cannot create one; neither is the program's fault.
  static Result<Process> start(const Command& command);
  // Starts a program under supervision on a machine with the given sandboxing capabilities, which are not
  // tested again.
  static Result<Process> start(const Command& command, const Machine& machine);
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  // Reads output until the program ends or the deadline passes. In the latter case returns nullopt, and the
  // program keeps running.
  std::optional<Ending> wait_until(Clock::time_point deadline);
  // Reads the running program's pending output without blocking. Must be called regularly while the caller
  // waits for something else, so that the program does not block on a full pipe.
  void drain_output();
  // Returns the running program's output since the previous call, without blocking, truncated to output_cap
  // bytes.
  std::string take_output();
  // Descriptors for poll(): output_fd() is readable when there is output, status_fd() when the program has
  // ended.
  [[nodiscard]] int output_fd() const;
  [[nodiscard]] int status_fd() const;
  // Returns the kernel's count of the threads of the program and its descendants, which they cannot falsify;
  // nullopt if the program has ended or the system does not report it.
  [[nodiscard]] std::optional<int> threads() const;
  // Returns, for each process of the program that has no children, the system call in which its first thread
  // is blocked; nullopt: it runs. Leaves out the processes of which the system does not tell.
  [[nodiscard]] std::map<pid_t, std::optional<BlockedCall>> blocked_leaves() const;
  // Kills the program and its descendants, waits until all have ended, and returns how the program ended.
  Ending kill();

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct Finished {
  Ending ending;
  bool timed_out = false;
};

// Starts the program and waits for its end; kills it when the time limit passes.
Result<Finished> run(const Command& command, std::chrono::milliseconds limit);

// Returns the size of the machine's physical memory in bytes.
std::size_t memory_of_the_machine();

// Searches the absolute folders in PATH for the program; nullopt if there is none.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace warpmark::sandbox
