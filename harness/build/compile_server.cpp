#include "harness/build/compile_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/build/forks/protocol.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStartLimit{20};
// Program that sets LD_PRELOAD for the compiler only, not for the sandbox's helper process.
constexpr const char* kEnv = "/usr/bin/env";

Result<std::pair<UniqueFd, UniqueFd>> make_sockets() {
  std::array<int, 2> fds{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds.data()) != 0)
    return fail("cannot make a socket for the compiler's server");
  return std::pair(UniqueFd(fds[0]), UniqueFd(fds[1]));
}

std::string text_of(const fs::path& folder, const std::vector<std::string>& argv) {
  std::string text = folder.string() + '\0';
  for (const std::string& argument : argv) text += argument + '\0';
  return text;
}

bool send_request(int socket, std::string& text, std::array<int, 2> fds) {
  iovec part{text.data(), text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof fds)> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(header), fds.data(), sizeof fds);
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(text.size());
}

// Waits until a descriptor is readable; returns false if the deadline passed.
template <std::size_t count>
bool wait_for(std::array<pollfd, count>& fds, sandbox::Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - sandbox::Clock::now()).count();
  if (left <= 0) return false;
  constexpr std::int64_t kLongest = 1'000'000;
  return poll(fds.data(), fds.size(), static_cast<int>(std::min<std::int64_t>(left, kLongest))) >= 0 ||
         errno == EINTR;
}

// Reads what a compiler run has written so far to its output pipe, without blocking.
void drain(UniqueFd& output, sandbox::Ending& ending, std::size_t cap) {
  std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): read before it is used
  while (output) {
    const ssize_t got = read(output.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return output.reset();
    const auto size = static_cast<std::size_t>(got);
    const std::size_t kept = std::min(size, cap - ending.output.size());
    ending.output.append(buffer.data(), kept);
    if (kept < size) ending.output_cut = true;
  }
}

}  // namespace

CompileServer::CompileServer(sandbox::Process process, UniqueFd socket)
    : process_(std::move(process)), socket_(std::move(socket)) {}

Result<CompileServer> CompileServer::start(const fs::path& program, const fs::path& preloaded,
                                           sandbox::Command command) {
  auto sockets = make_sockets();
  if (!sockets) return tl::unexpected<Error>(sockets.error());
  auto& [ours, theirs] = *sockets;
  command.argv = {kEnv, "LD_PRELOAD=" + preloaded.string(), program.string()};
  command.pass_fds = {theirs.get()};
  Result<sandbox::Process> process = sandbox::Process::start(command);
  if (!process) return tl::unexpected<Error>(process.error());
  theirs.reset();
  std::array<pollfd, 1> fds{pollfd{ours.get(), POLLIN, 0}};
  char word = 0;
  if (!wait_for(fds, sandbox::Clock::now() + kStartLimit) || recv(ours.get(), &word, 1, MSG_DONTWAIT) != 1 ||
      word != forks::kReady) {
    return fail(program.string() + " cannot be made a server");
  }
  return CompileServer(std::move(*process), std::move(ours));
}

Result<CompileServer::Run> CompileServer::run(const fs::path& folder,
                                              const std::vector<std::string>& argv) const {
  std::string text = text_of(folder, argv);
  if (text.size() > forks::kMostRequestBytes) return fail("a compiler's arguments are too long");
  Result<Pipe> output = make_pipe();
  if (!output) return tl::unexpected<Error>(output.error());
  Result<Pipe> status = make_pipe();
  if (!status) return tl::unexpected<Error>(status.error());
  if (!send_request(socket_.get(), text, {output->write.get(), status->write.get()}))
    return fail("the compiler's server has ended");
  Run run;
  run.output_ = std::move(output->read);
  run.status_ = std::move(status->read);
  for (const int fd : {run.output_.get(), run.status_.get()}) fcntl(fd, F_SETFL, O_NONBLOCK);
  return run;
}

std::optional<sandbox::Finished> CompileServer::Run::wait_until(sandbox::Clock::time_point deadline,
                                                                std::size_t output_cap) {
  sandbox::Finished finished;
  sandbox::Ending& ending = finished.ending;
  while (true) {
    std::array<pollfd, 2> fds{pollfd{status_.get(), POLLIN, 0}, pollfd{output_.get(), POLLIN, 0}};
    finished.timed_out = !wait_for(fds, deadline);
    drain(output_, ending, output_cap);
    if (finished.timed_out) return finished;
    int status = 0;
    const ssize_t got = read(status_.get(), &status, sizeof status);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got != sizeof status) return std::nullopt;
    drain(output_, ending, output_cap);
    const bool exited = WIFEXITED(status);
    ending.kind = exited ? sandbox::Ending::Kind::exited : sandbox::Ending::Kind::signalled;
    ending.code = exited ? WEXITSTATUS(status) : WTERMSIG(status);
    return finished;
  }
}

}  // namespace warpmark::build
