// Keeper process of one MPI rank: starts and watches the rank's worker process (protocol.h).
#include "harness/ranks/rank.h"

#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/ranks/protocol.h"
#include "harness/wire/channel.h"

namespace warpmark::ranks {
namespace {

using wire::Channel;

// Returns the rank's number as set by Open MPI, PMIx or Slurm.
std::string own_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* value = std::getenv(name)) return value;
  }
  return {};
}

UniqueFd connect_to(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return {};
  return socket;
}

// Receives from the launcher of an MPI program all descriptors for this rank; empty if the launcher is gone.
std::vector<UniqueFd> fetch(Channel& launcher) {
  std::vector<UniqueFd> all;
  for (;;) {
    auto frame = launcher.receive(Channel::kNoDeadline);
    if (!frame) return {};
    for (UniqueFd& fd : frame->descriptors) all.push_back(std::move(fd));
    if (frame->bytes == "last") return all;
  }
}

// Binds this process to the processor at the given place in a list of them ("0,2"); does nothing for "any".
void use_processor(const char* list, int place) {
  for (; place > 0 && list != nullptr; --place) {
    list = std::strchr(list, ',');
    if (list != nullptr) ++list;
  }
  if (list == nullptr || std::isdigit(static_cast<unsigned char>(*list)) == 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(std::atoi(list), &one);
  static_cast<void>(::sched_setaffinity(0, sizeof one, &one));
}

// Turns the child process into the worker process, with the given descriptors numbered from kJudge on.
[[noreturn]] void become_worker(std::vector<UniqueFd> fds, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int above = kJudge + static_cast<int>(fds.size());
  std::vector<int> copies;
  for (const UniqueFd& fd : fds) copies.push_back(::fcntl(fd.get(), F_DUPFD_CLOEXEC, above));
  for (std::size_t i = 0; i < copies.size(); ++i) ::dup2(copies[i], kJudge + static_cast<int>(i));
  ::execv(argv[0], argv);
  std::fprintf(stderr, "cannot start %s: %s\n", argv[0], std::strerror(errno));
  ::_exit(127);
}

}  // namespace

int keep_rank(const char* socket, const char* processors, char** worker) {
  Channel launcher(connect_to(socket));
  const std::string rank = own_rank();
  if (!launcher.send(rank, {}, Channel::kNoDeadline)) return 1;
  std::vector<UniqueFd> fds = fetch(launcher);
  if (fds.empty()) return 1;
  // Passes the worker process its rank: the number replaces the argument that follows kRankOption.
  std::vector<char*> arguments;
  for (char** each = worker; *each != nullptr; ++each) {
    const bool is_number = each != worker && std::strcmp(each[-1], kRankOption) == 0;
    arguments.push_back(is_number ? const_cast<char*>(rank.c_str()) : *each);
  }
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    use_processor(processors, std::atoi(rank.c_str()));
    become_worker(std::move(fds), arguments.data());
  }
  fds.clear();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  static_cast<void>(launcher.send(std::to_string(status), {}, Channel::kNoDeadline));
  // An MPI rank that has failed does not exit before the launcher has reported the failure: at its exit,
  // mpirun ends the other ranks.
  static_cast<void>(launcher.receive(Channel::kNoDeadline));
  return 1;
}

}  // namespace warpmark::ranks
