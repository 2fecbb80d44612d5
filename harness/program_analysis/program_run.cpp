#include "harness/program_analysis/program_run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/wire/channel.h"
#include "harness/wire/codec.h"
#include "harness/wire/one_order_line.h"

namespace warpmark::program_analysis {
namespace {

using sandbox::Clock;

constexpr int kMostProcesses = 256;
constexpr std::size_t kMostInput = std::size_t{64} << 20;
constexpr std::size_t kChunk = 65536;
// Size limit on the journal, the file in which the device process records an isolated program's launches and
// findings; suffices for some hundred thousand launches.
constexpr std::size_t kMostJournal = std::size_t{48} << 20;
constexpr int kLookMs = 100;  // how often the size of an isolated program's working folder is looked at
// Size limit of the sparse files that back device memory; only touched pages take memory.
constexpr std::size_t kDeviceFileCap = std::size_t{1} << 40;
// Size limit of a file that CUDA itself may write beside a native program, as for a worker process.
constexpr std::size_t kFilesOfCuda = std::size_t{16} << 20;
constexpr int kJournalFd = 3;  // descriptor of the journal in the device process
// Descriptor numbers passed to the simulated program's process: the socket to the device process, and the
// file for a last report if the program crashes.
constexpr std::string_view kProgramFds = "3 4";

UniqueFd open_file(const std::filesystem::path& path, int flags) {
  UniqueFd fd(open(path.c_str(), flags | O_CLOEXEC, 0600));
  if (!fd) throw std::system_error(errno, std::generic_category(), path.string());
  return fd;
}

// Forwards this process's stdin to the simulated program and saves a copy, which later runs of the program
// read.
class InputPump {
 public:
  InputPump(UniqueFd into, const std::filesystem::path& copy)
      : into_(std::move(into)), copy_(open_file(copy, O_WRONLY | O_CREAT | O_TRUNC)) {
    fcntl(into_.get(), F_SETFL, O_NONBLOCK);
  }

  // Reads stdin only when the simulated program has consumed all earlier input: input that is not read from
  // the terminal stays there for the shell.
  [[nodiscard]] pollfd source() const { return {into_ && waiting_.empty() ? STDIN_FILENO : -1, POLLIN, 0}; }
  [[nodiscard]] pollfd target() const { return {waiting_.empty() ? -1 : into_.get(), POLLOUT, 0}; }

  void read_more() {
    std::array<char, kChunk> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return into_.reset();
    waiting_.assign(buffer.data(), static_cast<std::size_t>(count));
    if (kept_ + waiting_.size() > kMostInput || write_all(copy_.get(), waiting_) != 0) complete_ = false;
    kept_ += waiting_.size();
    pass_on();
  }
  void pass_on() {
    const ssize_t count = ::write(into_.get(), waiting_.data(), waiting_.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) {  // the simulated program closed its stdin
      waiting_.clear();
      return into_.reset();
    }
    waiting_.erase(0, static_cast<std::size_t>(count));
  }
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  UniqueFd into_;
  UniqueFd copy_;
  std::string waiting_;
  std::size_t kept_ = 0;
  bool complete_ = true;
};

// Forwards stdout or stderr of the simulated program to that of this process.
class OutputPump {
 public:
  OutputPump(UniqueFd from, int to, std::size_t most) : from_(std::move(from)), to_(to), most_(most) {
    fcntl(from_.get(), F_SETFL, O_NONBLOCK);
  }
  [[nodiscard]] pollfd source() const { return {from_.get(), POLLIN, 0}; }

  // Reads the simulated program's pending output, at most `room` bytes, and forwards it; returns the number
  // of bytes.
  std::size_t take(std::size_t room, std::string& kept) {
    std::array<char, kChunk> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    if (!from_ || room == 0) return 0;
    const ssize_t count = ::read(from_.get(), buffer.data(), std::min(room, buffer.size()));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
    if (count <= 0) {
      from_.reset();
      return 0;
    }
    const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
    // If writing fails, the reader of this process's output is gone: the simulated program's output is no
    // longer forwarded.
    if (to_ >= 0 && write_all(to_, text) != 0) to_ = -1;
    if (kept.size() < most_) kept += text.substr(0, most_ - kept.size());
    return text.size();
  }

 private:
  UniqueFd from_;
  int to_;
  std::size_t most_;  // limit on the bytes of the program's output that are kept
};

wire::Startup startup_of(const RunCommand& command) {
  return {.journal = kJournalFd,
          .checking = command.mode.checking,
          .check_accesses = command.mode.checking,
          .count_work = !command.mode.checking,
          .schedule = command.mode.schedule,
          .host_threads = command.mode.host_threads,
          .work_limit = command.limits.checked_work,
          .late = command.mode.late,
          .record_all = command.mode.record_all};
}

// Returns the environment of an isolated program. Variables that select a GPU are passed on to a program that
// sees it: a class may be graded on several GPUs, or a cluster assigns one.
std::map<std::string, std::string> environment_of_isolated(bool gpu) {
  std::map<std::string, std::string> environment{{"LC_ALL", "C.UTF-8"}, {"PATH", "/usr/bin:/bin"}};
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"}) {
    const char* value = std::getenv(name);
    if (gpu && value != nullptr) environment[name] = value;
  }
  return environment;
}

// Starts the device process, which simulates the GPUs and writes launches, copies and findings to the
// journal. socket: the device's end of the connection to the program.
Result<sandbox::Process> start_device(const RunCommand& command, int journal, int socket) {
  sandbox::Command started;
  started.argv = {command.device.string(), "--journal", "--devices", std::to_string(command.devices)};
  started.environment = {{wire::kStartupVariable, wire::encode(startup_of(command))}};
  started.pass_fds = {journal, socket};
  started.memory_cap = command.limits.memory;
  started.file_size_cap = kDeviceFileCap;
  if (command.isolation) {
    started.level = command.isolation->level;
    if (started.level == sandbox::Level::box) started.argv.emplace_back("--sealed");
    started.box.read_only = command.isolation->device_libraries;
    started.box.read_only.push_back(command.device);
    started.box.hidden = command.isolation->hidden;
    started.box.other_user = true;
  }
  return sandbox::Process::start(started);
}

// Returns the command that starts the simulated program; the caller adds the descriptors to pass.
sandbox::Command program_command(const RunCommand& command) {
  sandbox::Command started;
  started.argv = {command.program.string()};
  started.argv.insert(started.argv.end(), command.arguments.begin(), command.arguments.end());
  started.folder = command.working;
  started.memory_cap = command.limits.memory;
  started.process_cap = kMostProcesses;
  started.environment =
      command.isolation ? environment_of_isolated(command.isolation->gpu) : environment_of_user();
  if (!command.device.empty()) started.environment[wire::kDeviceVariable] = kProgramFds;
  if (!command.isolation) return started;
  started.level = command.isolation->level;
  started.file_size_cap =
      std::max(command.isolation->folder_bytes, command.isolation->gpu ? kFilesOfCuda : 0);
  started.box.read_only = {command.program};
  if (!command.isolation->runtime.empty()) started.box.read_only.push_back(command.isolation->runtime);
  started.box.gpu = command.isolation->gpu;
  started.box.writable = {command.working};
  started.box.hidden = command.isolation->hidden;
  started.box.other_user = true;
  return started;
}

bool journal_is_full(int journal) {
  struct stat status {};
  return ::fstat(journal, &status) == 0 && static_cast<std::size_t>(status.st_size) > kMostJournal;
}

// Returns true if the files below a folder take more than `most` bytes, or are too many to look at.
bool is_larger(const std::filesystem::path& folder, std::size_t most) {
  constexpr std::size_t kMostEntries = 10'000;
  std::size_t bytes = 0;
  std::size_t entries = 0;
  std::error_code error;
  const auto options = std::filesystem::directory_options::skip_permission_denied;
  for (std::filesystem::recursive_directory_iterator it(folder, options, error), end; !error && it != end;
       it.increment(error)) {
    struct stat status {};
    if (::lstat(it->path().c_str(), &status) == 0) bytes += static_cast<std::size_t>(status.st_blocks) * 512;
    if (bytes > most || ++entries > kMostEntries) return true;
  }
  return false;
}

Stopped stopped_by(sandbox::Cap cap) {
  switch (cap) {
    case sandbox::Cap::memory:
      return Stopped::memory;
    case sandbox::Cap::processes:
      return Stopped::processes;
    case sandbox::Cap::none:
      break;
  }
  return Stopped::by_itself;
}

// Kills the device process, which simulates the GPUs. No journal entry is lost, because each API call writes
// its entries before it returns. Fails if the process has already ended with an error.
Result<void> end_device(sandbox::Process& device, ProgramRun& run) {
  const auto before = device.wait_until(Clock::now());
  if (device.kill().exceeded == sandbox::Cap::memory) {
    run.stopped = Stopped::memory;
  } else if (before && (before->kind != sandbox::Ending::Kind::exited || before->code != 0)) {
    return fail(fmt::format("the simulated device ended with {} {}: {}",
                            before->kind == sandbox::Ending::Kind::signalled ? "signal" : "status",
                            before->code, before->output + before->trouble));
  }
  return {};
}

// Reads the output that a simulated program has left in the pipes of its stdout and stderr when it ended.
void take_the_rest(std::array<OutputPump, 2>& outputs, std::size_t room, std::array<std::string, 2>& kept) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    while (const std::size_t count = outputs[i].take(room, kept[i])) room -= count;
  }
}

}  // namespace

std::map<std::string, std::string> environment_of_user() {
  std::map<std::string, std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0)
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

std::string name_of(const ProgramMode& mode) {
  if (!mode.checking) return "-O2";
  if (mode.schedule == 0) return "-O0 in order";
  return fmt::format("-O0 in another order (seed {}{})", mode.schedule,
                     mode.late ? ", asynchronous work late" : "");
}

int ProgramRun::status() const {
  return ending.kind == sandbox::Ending::Kind::signalled ? 128 + ending.code : ending.code;
}

Result<ProgramRun> run_program(const RunCommand& command) try {
  const Clock::time_point start = Clock::now();
  const std::filesystem::path journal_path = command.folder / "journal";
  const UniqueFd journal = open_file(journal_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
  const std::filesystem::path words_path = command.folder / "last_words";
  const UniqueFd words = open_file(words_path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
  auto [program_end, device_end] = wire::make_socket_pair();
  std::optional<Result<sandbox::Process>> device;
  if (!command.device.empty()) device = start_device(command, journal.get(), device_end.get());
  if (device && !*device) return tl::unexpected<Error>(device->error());
  device_end.reset();
  std::array<Result<Pipe>, 3> made{make_pipe(), make_pipe(), make_pipe()};
  for (const Result<Pipe>& pipe : made) {
    if (!pipe) return tl::unexpected(pipe.error());
  }
  auto& [input, output, errors] = made;
  if (!command.input.empty()) input->read = open_file(command.input, O_RDONLY);

  sandbox::Command started = program_command(command);
  started.standard_fds = {input->read.get(), output->write.get(), errors->write.get()};
  if (device) started.pass_fds = {program_end.get(), words.get()};
  const Clock::time_point begun = Clock::now();
  Result<sandbox::Process> process = sandbox::Process::start(started);
  if (!process) return tl::unexpected<Error>(process.error());
  program_end.reset();
  input->read.reset();
  for (Result<Pipe>* pipe : {&output, &errors}) (*pipe)->write.reset();

  std::optional<InputPump> pump;
  if (command.input.empty()) pump.emplace(std::move(input->write), command.kept_input);
  std::array<OutputPump, 2> outputs{
      OutputPump(std::move(output->read), command.shown ? STDOUT_FILENO : -1, command.limits.kept),
      OutputPump(std::move(errors->read), command.shown ? STDERR_FILENO : -1, command.limits.kept)};
  std::array<std::string, 2> kept;
  std::size_t room = command.limits.output;
  ProgramRun run;
  run.mode = command.mode;
  Clock::time_point look_at = start;
  while (true) {
    std::array<pollfd, 5> fds{pollfd{process->status_fd(), POLLIN, 0}, outputs[0].source(),
                              outputs[1].source(), pump ? pump->source() : pollfd{-1, 0, 0},
                              pump ? pump->target() : pollfd{-1, 0, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(command.limits.deadline - Clock::now());
    const bool full =
        command.isolation && Clock::now() >= look_at &&
        (is_larger(command.working, command.isolation->folder_bytes) || journal_is_full(journal.get()));
    if (Clock::now() >= look_at) look_at = Clock::now() + std::chrono::milliseconds(kLookMs);
    if (left.count() <= 0 || room == 0 || full) {
      run.stopped = room == 0 ? Stopped::output : full ? Stopped::files : Stopped::time;
      run.ending = process->kill();
      break;
    }
    const long longest = command.isolation ? kLookMs : 1'000'000;
    if (poll(fds.data(), fds.size(), static_cast<int>(std::min<long>(left.count(), longest))) < 0) continue;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (fds[i + 1].revents != 0) room -= outputs[i].take(room, kept[i]);
    }
    if (pump && fds[3].revents != 0) pump->read_more();
    if (pump && fds[4].revents != 0) pump->pass_on();
    if (fds[0].revents == 0) continue;
    if (auto ending = process->wait_until(Clock::now())) {
      run.ending = std::move(*ending);
      run.stopped = stopped_by(run.ending.exceeded);
      break;
    }
  }
  run.process_seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  if (device) {
    const Result<void> fine = end_device(**device, run);
    if (!fine) return tl::unexpected<Error>(fine.error());
  }
  take_the_rest(outputs, room, kept);
  run.output = std::move(kept[0]);
  run.errors = std::move(kept[1]);
  run.input_kept = !pump || pump->complete();
  run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const Result<std::string> text = read_file(journal_path);
  if (!text) return tl::unexpected<Error>(text.error());
  const Result<std::string> last_words = read_file(words_path);
  if (!last_words) return tl::unexpected<Error>(last_words.error());
  run.journal = parse_run_journal(*text);
  // The file written by a crashing program is under the program's control, so only findings are taken from
  // it; launches are taken from the device process's journal.
  for (wire::Finding& finding : parse_run_journal(*last_words).findings)
    run.journal.findings.push_back(std::move(finding));
  run.one_order = has_line(*text, wire::kOneOrderLine);
  run.rest_unchecked = has_line(*text, wire::kRestUncheckedLine);
  run.uncompared = has_line(*text, wire::kUncomparedLine);
  if (run.ending.kind == sandbox::Ending::Kind::not_started) {
    return fail(
        fmt::format("cannot start {}: {}", command.program.string(), sandbox::why_not_started(run.ending)));
  }
  return run;
} catch (const std::system_error& error) {
  return fail(fmt::format("cannot run the program: {}", error.what()));
}

}  // namespace warpmark::program_analysis
