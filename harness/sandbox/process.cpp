#include "harness/sandbox/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/sandbox/keeper_protocol.h"

namespace warpmark::sandbox {

namespace {

namespace fs = std::filesystem;

// What the keeper may take to end everything; it gives up before that.
constexpr std::chrono::seconds kKeeperPatience{20};
// Most that one call reads, so that a flood cannot hold its reader: the largest pipe that a user may make by
// default.
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

tl::unexpected<Error> system_failure(std::string_view what, int error) {
  return fail(fmt::format("{}: {}", what, std::generic_category().message(error)));
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return system_failure("cannot make a pipe", errno);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

// Beside the program that runs, or in bin/ next to its folder (tests).
Result<fs::path> find_keeper() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return system_failure("cannot tell where this program lies", error.value());
  const fs::path folder = self.parent_path();
  for (const fs::path& path : {folder / kKeeperName, folder.parent_path() / "bin" / kKeeperName}) {
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return fail(fmt::format("cannot find the program {} in {}: build or install it again", kKeeperName,
                          folder.string()));
}

// posix_spawn's lists, which are given back on every way out.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t all;
    sigset_t none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    // A session of its own: Ctrl-C is for this process, whose end the keeper sees.
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  void null(int fd) { posix_spawn_file_actions_addopen(&actions_, fd, "/dev/null", O_RDWR, 0); }
  void place(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }

  Result<pid_t> spawn(const fs::path& program, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment) const {
    const auto pointers = [](const std::vector<std::string>& texts) {
      std::vector<char*> list;
      list.reserve(texts.size() + 1);
      for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
      list.push_back(nullptr);
      return list;
    };
    pid_t pid = -1;
    const int error = posix_spawn(&pid, program.c_str(), &actions_, &attributes_, pointers(arguments).data(),
                                  pointers(environment).data());
    if (error != 0) return system_failure("cannot start " + program.string(), error);
    return pid;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<std::string> keeper_arguments(const Command& command) {
  int replaced = 0;
  for (std::size_t fd = 0; fd < command.standard_fds.size(); ++fd) {
    if (command.standard_fds[fd] >= 0) replaced |= 1 << fd;
  }
  std::vector<std::string> arguments{kKeeperName,
                                     std::to_string(command.pass_fds.size()),
                                     std::to_string(replaced),
                                     std::to_string(command.file_size_cap),
                                     std::to_string(command.memory_cap),
                                     std::to_string(command.process_cap),
                                     command.folder.string()};
  arguments.insert(arguments.end(), command.argv.begin(), command.argv.end());
  return arguments;
}

Result<pid_t> start_keeper(const Command& command, int control, int status, int output) {
  std::vector<int> given{control, status, output};
  std::ranges::copy_if(command.standard_fds, std::back_inserter(given), [](int fd) { return fd >= 0; });
  given.insert(given.end(), command.pass_fds.begin(), command.pass_fds.end());
  // Copied above all their places first, so that placing one never overwrites another.
  const int above = kControlFd + static_cast<int>(given.size());
  std::vector<UniqueFd> copies;
  SpawnPlan plan;
  for (const int fd : {0, 1, 2}) plan.null(fd);
  for (std::size_t i = 0; i < given.size(); ++i) {
    copies.emplace_back(fcntl(given[i], F_DUPFD_CLOEXEC, above));
    if (!copies.back()) return system_failure(fmt::format("cannot pass descriptor {}", given[i]), errno);
    plan.place(copies.back().get(), kControlFd + static_cast<int>(i));
  }
  std::vector<std::string> environment;
  for (const auto& [name, value] : command.environment)
    environment.push_back(fmt::format("{}={}", name, value));
  const Result<fs::path> keeper = find_keeper();
  if (!keeper) return tl::unexpected<Error>(keeper.error());
  return plan.spawn(*keeper, keeper_arguments(command), environment);
}

}  // namespace

struct Process::State {
  pid_t keeper = -1;
  UniqueFd control;
  UniqueFd status;
  UniqueFd output;
  std::size_t output_cap = 0;
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

  // Waits for output or for the end. False when the deadline passed.
  bool wait(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{whole.count(), (left - whole).count()};
    std::array<pollfd, 2> fds{pollfd{status.get(), POLLIN, 0}, pollfd{output.get(), POLLIN, 0}};
    ppoll(fds.data(), fds.size(), &timeout, nullptr);
    return true;
  }

  // Reads the keeper's record if it is there.
  void look() {
    if (ended()) return;
    Record record;
    const ssize_t got = read(status.get(), &record, sizeof record);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got == sizeof record && record.magic == Record::kMagic) {
      ending.kind = static_cast<Ending::Kind>(record.kind);
      ending.code = record.code;
      ending.left_behind = record.left_behind;
      ending.exceeded = static_cast<Cap>(record.exceeded);
    } else {
      // Only the program, which runs as the same user, has a reason to kill its keeper.
      ending.kind = Ending::Kind::signalled;
      ending.code = SIGKILL;
    }
    finish();
  }

  void finish() {
    while (waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
    }
    keeper = -1;
    drain();
    control.reset();
    status.reset();
    output.reset();
  }

  void stop() {
    if (ended()) return;
    control.reset();
    ::kill(keeper, SIGCONT);  // the program may have stopped it
    Clock::time_point deadline = Clock::now() + kKeeperPatience;
    for (bool forced = false; !ended();) {
      drain();
      look();
      if (ended() || wait(deadline)) continue;
      if (forced) return abandon();
      ::kill(keeper, SIGKILL);  // the end of the status pipe follows
      forced = true;
      deadline = Clock::now() + kKeeperPatience;
    }
  }

  // A keeper that not even SIGKILL ends hangs inside the kernel; waiting for it would hang us, too.
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
  if (command.argv.empty() || command.argv.front().empty() || command.argv.front().front() != '/') {
    return fail(fmt::format("cannot start \"{}\": a command needs the absolute path of a program",
                            command.argv.empty() ? "" : command.argv.front()));
  }
  Result<Pipe> control = make_pipe();
  if (!control) return tl::unexpected<Error>(control.error());
  Result<Pipe> status = make_pipe();
  if (!status) return tl::unexpected<Error>(status.error());
  Result<Pipe> output = make_pipe();
  if (!output) return tl::unexpected<Error>(output.error());
  const Result<pid_t> keeper =
      start_keeper(command, control->read.get(), status->write.get(), output->write.get());
  if (!keeper) return tl::unexpected<Error>(keeper.error());

  auto state = std::make_unique<State>();
  state->keeper = *keeper;
  state->control = std::move(control->write);
  state->status = std::move(status->read);
  state->output = std::move(output->read);
  state->output_cap = command.output_cap;
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

int Process::output_fd() const {
  return state_->output.get();
}

int Process::status_fd() const {
  return state_->status.get();
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
