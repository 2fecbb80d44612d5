#include "harness/remote/ssh.h"

#include <array>
#include <chrono>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include "harness/base/text.h"
#include "harness/remote/shell.h"

namespace warpmark::remote {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using sandbox::Clock;

// Starts each line that Warpmark's scripts print there: login scripts of the user may print others.
constexpr std::string_view kMark = "warpmark: ";
constexpr auto kQuestionLimit = 15s;   // time limit of an answer over an open connection
constexpr auto kCommandLimit = 10min;  // time limit of a command that sends or receives files
constexpr auto kSlice = 100ms;         // time between two checks for a stop request
// Seconds without a question until the supervisor there ends everything.
constexpr int kLeaseSeconds = 60;
constexpr std::size_t kMostReceived = std::size_t{64} << 20;  // bytes
constexpr int kSshFailed = 255;  // exit status of ssh if the connection failed, not the command

Result<UniqueFd> open_file(const fs::path& file, int flags) {
  UniqueFd opened(::open(file.c_str(), flags | O_CLOEXEC, 0600));
  if (!opened) return fail(fmt::format("{}: cannot be opened", file.string()));
  return opened;
}

// Returns the lines of Warpmark's scripts in a command's output, without their mark.
std::vector<std::string> marked_lines(const std::string& output) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(output)) {
    if (line.starts_with(kMark)) lines.push_back(line.substr(kMark.size()));
  }
  return lines;
}

}  // namespace

Result<std::unique_ptr<SshPlace>> SshPlace::make(SshOptions options) {
  std::unique_ptr<SshPlace> place(new SshPlace(std::move(options)));
  for (const auto& [name, program] : {std::pair{"ssh", &place->ssh_}, {"tar", &place->tar_}}) {
    const auto found = sandbox::find_program(name);
    if (!found)
      return fail(fmt::format("--on {}: {} is not on PATH (Debian's packages: openssh-client, tar)",
                              place->name(), name));
    *program = *found;
  }
  return place;
}

sandbox::Command SshPlace::command_for(const std::string& command) const {
  sandbox::Command ssh;
  ssh.argv = {ssh_.string()};
  if (!options_.configuration.empty()) ssh.argv.insert(ssh.argv.end(), {"-F", options_.configuration});
  ssh.argv.insert(ssh.argv.end(),
                  {"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5",
                   "-o", "ServerAliveCountMax=3", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none",
                   "-o", "ControlMaster=no", "--", options_.host, command});
  ssh.environment = whole_environment();
  ssh.level = sandbox::Level::none;
  ssh.output_cap = kMostReceived;
  return ssh;
}

std::string SshPlace::last_error() const {
  const auto lines = lines_of(read_file(folder_.path() / "error.txt").value_or(""));
  return lines.empty() ? "ssh ended without a message" : std::string(trimmed(lines.back()));
}

Result<std::string> SshPlace::run(const std::string& command, const fs::path& input) const {
  sandbox::Command ssh = command_for(command);
  const auto in = open_file(input.empty() ? "/dev/null" : input, O_RDONLY);
  if (!in) return tl::unexpected(in.error());
  const auto error = open_file(folder_.path() / "error.txt", O_WRONLY | O_CREAT | O_TRUNC);
  if (!error) return tl::unexpected(error.error());
  ssh.standard_fds = {in->get(), -1, error->get()};
  auto process = sandbox::Process::start(ssh);
  if (!process) return tl::unexpected(process.error());
  const auto deadline = Clock::now() + kCommandLimit;
  while (Clock::now() < deadline && !options_.stop.stop_requested()) {
    auto ending = process->wait_until(Clock::now() + kSlice);
    if (!ending) continue;
    if (ending->kind == sandbox::Ending::Kind::exited && ending->code == 0) return std::move(ending->output);
    return fail(last_error());
  }
  return fail("no answer in time");
}

Result<std::string> SshPlace::start(const Parcel& parcel) {
  session_.reset();
  there_.clear();
  const fs::path script = folder_.path() / "prepare.sh";
  const fs::path packed = folder_.path() / "parcel.tar";
  const std::string text = prepare_script(program_word(options_.program), options_.version, kLeaseSeconds);
  if (auto written = write_file(script, text); !written) return tl::unexpected(written.error());
  const auto prepared = run("sh -s", script);
  if (!prepared) {
    return fail(
        fmt::format("cannot be reached: {}. `ssh {} true` must work without asking for a password; "
                    "host, key and port come from ssh's configuration (--ssh-config FILE)",
                    prepared.error().message, options_.host));
  }
  std::string version;
  for (const std::string& line : marked_lines(*prepared)) {
    if (line == "absent")
      return fail(
          fmt::format("has no Warpmark: `{}` does not run there; install version {} there, or name "
                      "its program with --on-program PATH",
                      options_.program, options_.version));
    if (line.starts_with("version ")) version = line.substr(8);
    if (line.starts_with("folder ")) there_ = line.substr(7);
  }
  if (version != options_.version)
    return fail(fmt::format("has Warpmark {} ({}), and this machine {}: install the same version on both",
                            version.empty() ? "of an unknown version" : version, options_.program,
                            options_.version));
  if (there_.empty()) return fail("has no room for a temporary folder: " + last_error());
  sandbox::Command tar;
  tar.argv = {tar_.string(), "-C", parcel.folder.string(), "-cf", packed.string(), "."};
  tar.environment = whole_environment();
  tar.level = sandbox::Level::none;
  const auto made = sandbox::run(tar, kCommandLimit);
  if (!made) return tl::unexpected(made.error());
  if (made->ending.kind != sandbox::Ending::Kind::exited || made->ending.code != 0)
    return fail("tar: " + made->ending.output);
  const auto sent = run("tar -C " + shell_quoted(there_) + " -xf -", packed);
  if (!sent) return fail("did not take the files: " + sent.error().message);
  return parcel.seed;
}

Result<void> SshPlace::open_session() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return fail("cannot make a socket");
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  const auto error = open_file(folder_.path() / "error.txt", O_WRONLY | O_CREAT | O_TRUNC);
  if (!error) return tl::unexpected(error.error());
  const std::string folder = shell_quoted(there_);
  sandbox::Command ssh =
      command_for(fmt::format("sh {} follow {}", shell_quoted(there_ + "/there.sh"), folder));
  ssh.standard_fds = {theirs.get(), -1, error->get()};
  auto process = sandbox::Process::start(ssh);
  if (!process) return tl::unexpected(process.error());
  session_.emplace(Session{std::move(*process), std::move(ours), ""});
  return {};
}

Result<std::string> SshPlace::read_answer() {
  const auto deadline = Clock::now() + kQuestionLimit;
  while (Clock::now() < deadline && !options_.stop.stop_requested()) {
    const auto ending = session_->process.wait_until(Clock::now() + kSlice);
    session_->unread += session_->process.take_output();
    for (std::size_t end = 0; (end = session_->unread.find('\n')) != std::string::npos;) {
      const std::string line = session_->unread.substr(0, end);
      session_->unread.erase(0, end + 1);
      if (line.starts_with(kMark)) return line.substr(kMark.size());
    }
    if (!ending) continue;
    // The script ends by itself only if its folder is gone.
    return ending->kind == sandbox::Ending::Kind::exited && ending->code != kSshFailed
               ? Result<std::string>("gone")
               : fail(last_error());
  }
  return fail("no answer in time");
}

Result<std::string> SshPlace::read_answer_or_close() {
  auto answer = read_answer();
  if (!answer || *answer == "gone" || *answer == "removed") session_.reset();
  return answer;
}

Result<std::string> SshPlace::ask(const std::string& question) {
  if (!session_) {
    if (auto opened = open_session(); !opened) return tl::unexpected(opened.error());
  }
  const std::string line = question + "\n";
  // A connection that has ended shows when the answer is read.
  static_cast<void>(::send(session_->input.get(), line.data(), line.size(), MSG_NOSIGNAL));
  return read_answer_or_close();
}

Result<Look> SshPlace::look() {
  const auto answer = ask("look");
  if (!answer) return tl::unexpected(answer.error());
  if (*answer == "gone") return Look{Look::State::lost, "lost what it had begun"};
  if (*answer == "ended") return Look{Look::State::ended, ""};
  constexpr std::string_view kRunning = "running ";
  return Look{Look::State::running,
              answer->starts_with(kRunning) ? answer->substr(kRunning.size()) : std::string()};
}

Result<std::string> SshPlace::fetch(const fs::path& file) {
  return run("cat " + shell_quoted((fs::path(there_) / file).string()), {});
}

Result<void> SshPlace::remove() {
  if (there_.empty()) return {};
  // A stop request ended all waits; this one has to come through.
  options_.stop = {};
  Result<std::string> answer = "";
  // The connection may be found lost only now, and an earlier answer may still be on its way.
  for (int attempt = 0; attempt < 2; ++attempt) {
    answer = ask("end");
    while (answer && session_) answer = read_answer_or_close();
    if (answer) return {};
  }
  return fail(fmt::format("does not answer ({}); what runs there ends within {} s, and leaves nothing",
                          answer.error().message, kLeaseSeconds));
}

}  // namespace warpmark::remote
