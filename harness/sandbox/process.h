// Another program, held at arm's length: compilers and workers are started here and nowhere else.
//
// Theory of operation. start() execs `warpmark-keeper`, which becomes the reaper of everything below it,
// closes every descriptor but those named, sets limits, and execs the program in a session of its own with
// the environment given and nothing else. The keeper reports how the program ended, kills every descendant
// that is left and counts them. It does the same as soon as this process dies or kill() is called, so nothing
// outlives its caller.
//
// In a box, start() execs bwrap, which makes the namespaces and execs the keeper as their first process: the
// program cannot signal it, and all that is in the box ends with it. The keeper ends with bwrap, too.
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
  std::map<std::string, std::string> environment;  // all of it: nothing is inherited
  std::filesystem::path folder = "/";              // working folder
  Level level = Level::process;
  Box box;  // for Level::box
  // What the program gets as its descriptors 0, 1 and 2; -1: /dev/null to read, the pipe of wait_until to
  // write.
  std::array<int, 3> standard_fds{-1, -1, -1};
  std::vector<int> pass_fds;  // arrive as descriptors 3, 4, ... in this order; all others are closed
  std::size_t output_cap =
      std::size_t{64} * 1024;  // bytes of stdout and stderr kept; the rest is read and dropped
  std::size_t file_size_cap = std::size_t{1} << 30;  // RLIMIT_FSIZE in bytes
  // Of the program and all that it starts; looked at ten times a second, 0: not at all.
  std::size_t memory_cap = 0;  // resident bytes
  int process_cap = 0;
  std::chrono::seconds cpu_cap{0};  // of one process, RLIMIT_CPU; 0: none
  // Its memory lies at the same addresses each time, as far as the machine allows that: ThreadSanitizer finds
  // no room for its own where the kernel draws addresses from too wide a range (vm.mmap_rnd_bits).
  bool fixed_addresses = false;
};

// What the program was ended for.
enum class Cap { none, memory, processes };

// How a program ended.
struct Ending {
  enum class Kind {
    exited,
    signalled,
    not_started,  // our fault, or the machine's
    lost,         // the same: it ran in a box that ended, and not by its doing
  };
  Kind kind = Kind::not_started;
  int code = 0;         // exit status or signal number; errno for not_started, 0 where `trouble` says why
  int left_behind = 0;  // descendants that were still there and were killed
  Cap exceeded = Cap::none;
  std::string output;  // stdout and stderr as they came, cut at output_cap
  bool output_cut = false;
  std::string trouble;  // why there was no box, or no longer
};

// Why a program was not_started or lost, in words; empty for any other ending.
std::string why_not_started(const Ending& ending);

// One running program. The destructor kills it with all its descendants.
class Process {
 public:
  // Fails when the keeper cannot be started, or a box is wanted and there is none on this machine (our fault,
  // never the program's).
  static Result<Process> start(const Command& command);
  // The same on a machine that can do what is said.
  static Result<Process> start(const Command& command, const Machine& machine);
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  // Waits until the program ended or the deadline passed; empty then, and the program goes on. Reads output
  // meanwhile.
  std::optional<Ending> wait_until(Clock::time_point deadline);
  // Reads what output there is now, without waiting. Call it while waiting for something else.
  void drain_output();
  // What was printed since the last time, without waiting; of more than output_cap bytes the first ones.
  std::string take_output();
  // The descriptors to poll for: output() becomes readable when there is output, status() when the program
  // ended.
  [[nodiscard]] int output_fd() const;
  [[nodiscard]] int status_fd() const;
  // How many threads the program has now, as the kernel counts them: it has no say in that. Nothing where it
  // ended, or where this system does not tell.
  [[nodiscard]] std::optional<int> threads() const;
  // Kills the program and its descendants, waits for that, and tells how it ended.
  Ending kill();

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct Finished {
  Ending ending;
  bool timed_out = false;  // the deadline passed and the program was killed
};

// start, wait, kill at the deadline.
Result<Finished> run(const Command& command, std::chrono::milliseconds limit);

// Bytes of memory that this machine has.
std::size_t memory_of_the_machine();

// The file that PATH gives for a program's name, or empty. Only absolute folders of PATH count.
std::optional<std::filesystem::path> find_program(const std::string& name);

}  // namespace warpmark::sandbox
