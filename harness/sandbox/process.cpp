#include "harness/sandbox/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <ios>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/sandbox/control_group.h"
#include "harness/sandbox/keeper_protocol.h"
#include "harness/sandbox/spawn.h"

namespace warpmark::sandbox {

namespace {

namespace fs = std::filesystem;

// Maximum time to wait until a program's supervising process has killed all descendants; longer than the
// limit that this process sets itself.
constexpr std::chrono::seconds kKeeperPatience{20};
// Maximum number of bytes per drain_output() call, so that a program that prints without end cannot block the
// caller. Equals the largest pipe that an unprivileged user can create by default.
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

std::optional<pid_t> first_child_of(pid_t parent) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", parent));
  pid_t child = -1;
  if (!(children >> child)) return std::nullopt;
  return child;
}

// Returns the number of threads of a process and its descendants; nullopt if it has ended.
std::optional<int> threads_below(pid_t process) {
  std::error_code error;
  int threads = 0;
  for (fs::directory_iterator task(fmt::format("/proc/{}/task", process), error), end; !error && task != end;
       task.increment(error)) {
    ++threads;
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child;) threads += threads_below(child).value_or(0);
  }
  return threads > 0 ? std::optional(threads) : std::nullopt;
}

// Calls visit(process) for each descendant of the process that has no children, and for the process if it has
// none.
template <class Visit>
void for_each_leaf(pid_t process, const Visit& visit) {
  bool is_leaf = true;
  std::error_code error;
  for (fs::directory_iterator task(fmt::format("/proc/{}/task", process), error), end; !error && task != end;
       task.increment(error)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child; is_leaf = false) for_each_leaf(child, visit);
  }
  if (is_leaf) visit(process);
}

// Parses /proc/<pid>/syscall: the call's number, six arguments, the stack pointer and the place in the code.
std::optional<BlockedCall> blocked_call_in(std::string_view text) {
  std::istringstream in{std::string(text)};
  BlockedCall call;
  if (!(in >> call.number)) return std::nullopt;  // "running"
  in >> std::hex;
  // Numbers such as "0x2a": std::hex takes the prefix.
  for (std::uint64_t& argument : call.arguments) in >> argument;
  return in >> call.stack ? std::optional(call) : std::nullopt;
}

}  // namespace

struct Process::State {
  pid_t keeper = -1;
  UniqueFd control;
  UniqueFd status;
  UniqueFd output;
  std::size_t output_cap = 0;
  bool boxed = false;
  bool begun = false;  // true: the supervising process is known to have started
  std::optional<ControlGroup> group;
  Ending ending;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { stop(); }

  [[nodiscard]] bool ended() const { return keeper < 0; }

  void drain() {
    std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read before it is used
    for (std::size_t total = 0; output && total < kReadAtOnce;) {
      const ssize_t got = read(output.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        if (errno != EAGAIN) output.reset();
        return;
      }
      if (got == 0) output.reset();
      const auto size = static_cast<std::size_t>(got);
      total += size;
      const std::size_t kept = std::min(size, output_cap - ending.output.size());
      ending.output.append(buffer.data(), kept);
      if (kept < size) ending.output_cut = true;
    }
  }

  // Blocks until the supervised program writes output or ends. Returns false if the deadline has passed.
  bool wait(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{whole.count(), (left - whole).count()};
    std::array<pollfd, 2> fds{pollfd{status.get(), POLLIN, 0}, pollfd{output.get(), POLLIN, 0}};
    ppoll(fds.data(), fds.size(), &timeout, nullptr);
    return true;
  }

  // Reads from a pipe, without blocking, how the supervised program ended. If the supervising process closed
  // the pipe without a record, derives the ending from what else is known.
  void look() {
    if (ended()) return;
    EndingRecord record;
    const ssize_t got = read(status.get(), &record, sizeof record);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    note_beginning();
    finish();
    if (got == sizeof record && record.magic == EndingRecord::kMagic) {
      ending.kind = static_cast<Ending::Kind>(record.kind);
      ending.code = record.code;
      ending.left_behind = record.left_behind;
      ending.exceeded = static_cast<Cap>(record.exceeded);
    } else {
      end_without_record();
    }
    if (group && ending.exceeded == Cap::none && group->ran_out_of_memory()) ending.exceeded = Cap::memory;
    group.reset();
  }

  // The supervising process writes one byte to the socket when it starts, so the byte is missing only if that
  // process never started.
  void note_beginning() {
    char byte = 0;
    begun = begun || recv(control.get(), &byte, 1, MSG_DONTWAIT) == 1;
  }

  void end_without_record() {
    if (boxed && !begun) {
      // Bwrap failed before the supervising process started in the sandbox: all output so far is bwrap's and
      // explains the failure.
      ending.kind = Ending::Kind::not_started;
      ending.trouble = std::exchange(ending.output, {});
      if (ending.trouble.empty()) ending.trouble = "the box ended while it was made";
    } else if (boxed) {
      // The keeper in a sandbox was killed from outside, since a sandboxed program cannot signal its keeper:
      // no fault of the program.
      ending.kind = Ending::Kind::lost;
      ending.trouble = "its keeper was killed, by the machine or by its owner";
    } else {
      // Without a sandbox, the program runs as the same user as the keeper and can kill it. Nobody else has
      // a reason to, so the ending counts as the program's.
      ending.kind = Ending::Kind::signalled;
      ending.code = SIGKILL;
    }
  }

  void finish() {
    wait_for_keeper();
    keeper = -1;
    drain();
    control.reset();
    status.reset();
    output.reset();
  }

  // Waits for the keeper to exit, with a time limit: a descendant that hangs inside the kernel may delay
  // that.
  void wait_for_keeper() const {
    const UniqueFd end(static_cast<int>(syscall(SYS_pidfd_open, keeper, 0)));
    if (end) {
      pollfd ended{end.get(), POLLIN, 0};
      const int patience = static_cast<int>(std::chrono::milliseconds(kKeeperPatience).count());
      if (poll(&ended, 1, patience) == 0) return;
    }
    while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  void stop() {
    if (ended()) return;
    note_beginning();
    control.reset();
    ::kill(keeper, SIGCONT);  // wakes up the keeper, which the program may have stopped
    Clock::time_point deadline = Clock::now() + kKeeperPatience;
    for (bool forced = false; !ended();) {
      drain();
      look();
      if (ended() || wait(deadline)) continue;
      if (forced) return abandon();
      // SIGKILL closes the supervising process's end of the status pipe, which ends the wait.
      ::kill(keeper, SIGKILL);
      forced = true;
      deadline = Clock::now() + kKeeperPatience;
    }
  }

  // Stops waiting for a keeper that survives SIGKILL because it hangs inside the kernel.
  void abandon() {
    ending.kind = Ending::Kind::signalled;
    ending.code = SIGKILL;
    keeper = -1;
  }
};

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::start(const Command& command) {
  static const Machine kNoBox;
  return start(command, command.level == Level::box ? machine() : kNoBox);
}

Result<Process> Process::start(const Command& command, const Machine& machine) {
  if (command.argv.empty() || command.argv.front().empty() || command.argv.front().front() != '/') {
    return fail(fmt::format("cannot start \"{}\": a command needs the absolute path of a program",
                            command.argv.empty() ? "" : command.argv.front()));
  }
  if (command.level == Level::box && machine.best != Level::box) {
    return fail(fmt::format("there is no box on this machine: {}; {}", machine.trouble, machine.remedy));
  }
  std::array<int, 2> controls{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, controls.data()) != 0) {
    return system_failure("cannot make a socket", errno);
  }
  UniqueFd ours(controls[0]);
  const UniqueFd theirs(controls[1]);
  Result<Pipe> status = make_pipe();
  if (!status) return tl::unexpected<Error>(status.error());
  Result<Pipe> output = make_pipe();
  if (!output) return tl::unexpected<Error>(output.error());
  std::optional<ControlGroup> group;
  if (command.level == Level::box)
    group = ControlGroup::make(control_groups(), {command.memory_cap, kTaskCap});
  const Result<pid_t> keeper = start_keeper(command, machine, theirs.get(), status->write.get(),
                                            output->write.get(), group ? &*group : nullptr);
  if (!keeper) return tl::unexpected<Error>(keeper.error());

  auto state = std::make_unique<State>();
  state->keeper = *keeper;
  state->control = std::move(ours);
  state->status = std::move(status->read);
  state->output = std::move(output->read);
  state->output_cap = command.output_cap;
  state->boxed = command.level == Level::box;
  state->group = std::move(group);
  for (const int fd : {state->status.get(), state->output.get()}) fcntl(fd, F_SETFL, O_NONBLOCK);
  return Process(std::move(state));
}

std::optional<Ending> Process::wait_until(Clock::time_point deadline) {
  while (!state_->ended()) {
    state_->drain();
    state_->look();
    if (!state_->ended() && !state_->wait(deadline)) return std::nullopt;
  }
  return state_->ending;
}

void Process::drain_output() {
  state_->drain();
}

std::string Process::take_output() {
  drain_output();
  state_->ending.output_cut = false;
  return std::exchange(state_->ending.output, {});
}

int Process::output_fd() const {
  return state_->output.get();
}

int Process::status_fd() const {
  return state_->status.get();
}

std::optional<int> Process::threads() const {
  // The keeper is in a sandbox the first child of bwrap. It has one thread; all others below it are the
  // program's, also those of orphans, which become the keeper's children.
  const std::optional<pid_t> keeper = state_->boxed ? first_child_of(state_->keeper) : state_->keeper;
  const std::optional<int> all = keeper ? threads_below(*keeper) : std::nullopt;
  return all && *all > 1 ? std::optional(*all - 1) : std::nullopt;
}

std::map<pid_t, std::optional<BlockedCall>> Process::blocked_leaves() const {
  std::map<pid_t, std::optional<BlockedCall>> leaves;
  const std::optional<pid_t> keeper = state_->boxed ? first_child_of(state_->keeper) : state_->keeper;
  if (!keeper) return leaves;
  for_each_leaf(*keeper, [&](pid_t leaf) {
    const Result<std::string> text = read_file(fmt::format("/proc/{}/syscall", leaf));
    if (leaf != *keeper && text && !text->empty()) leaves[leaf] = blocked_call_in(*text);
  });
  return leaves;
}

Ending Process::kill() {
  state_->stop();
  return state_->ending;
}

Result<Finished> run(const Command& command, std::chrono::milliseconds limit) {
  const Clock::time_point deadline = Clock::now() + limit;
  Result<Process> process = Process::start(command);
  if (!process) return tl::unexpected<Error>(process.error());
  if (std::optional<Ending> ending = process->wait_until(deadline))
    return Finished{std::move(*ending), false};
  return Finished{process->kill(), true};
}

std::string why_not_started(const Ending& ending) {
  if (ending.kind != Ending::Kind::not_started && ending.kind != Ending::Kind::lost) return {};
  return ending.code != 0 ? std::generic_category().message(ending.code) : ending.trouble;
}

std::size_t memory_of_the_machine() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::optional<fs::path> find_program(const std::string& name) {
  const char* folders = std::getenv("PATH");
  if (folders == nullptr || name.empty() || name.find('/') != std::string::npos) return std::nullopt;
  std::string_view rest = folders;
  while (true) {
    const std::size_t end = rest.find(':');
    const fs::path folder = rest.substr(0, end);
    std::error_code error;
    if (folder.is_absolute() && fs::is_regular_file(folder / name, error) &&
        access((folder / name).c_str(), X_OK) == 0) {
      return folder / name;
    }
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace warpmark::sandbox
