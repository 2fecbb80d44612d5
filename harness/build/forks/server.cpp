// Library that, preloaded into a program, turns the program into a server: it is loaded and relocated once,
// then forks for each run. This saves half of a compiler's run time: clang processes 600,000 relocations
// before it reads its arguments.
//
// The program needs no change: its main() is called in the forked process with the arguments of the request.
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/build/forks/protocol.h"

namespace {

using namespace warpmark::build::forks;
using Main = int (*)(int, char**, char**);

// A child process, forked from the preloaded program to serve one request.
struct Run {
  pid_t process;
  int ended;   // pidfd of the forked compiler process; becomes readable when that process has ended
  int status;  // pipe to the client, for the forked compiler process's wait status
};

struct Request {
  // Compile request as received: NUL-separated strings, the working folder and then argv.
  std::vector<char> text;
  int output = -1;
  int status = -1;
};

// Receives one compile request and its two descriptors from the client; returns false if the client has
// closed the socket.
bool receive(Request& request) {
  request.text.resize(kMostRequestBytes);
  iovec part{request.text.data(), request.text.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t size = -1;
  do {
    size = recvmsg(kServerSocket, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  if (size <= 0 || request.text[static_cast<std::size_t>(size) - 1] != '\0') return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header == nullptr || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) return false;
  std::array<int, 2> fds{};
  std::memcpy(fds.data(), CMSG_DATA(header), sizeof fds);
  request.output = fds[0];
  request.status = fds[1];
  request.text.resize(static_cast<std::size_t>(size));
  return true;
}

bool is_this_program(const char* name) {
  std::array<char, PATH_MAX> wanted{};
  std::array<char, PATH_MAX> own{};
  const ssize_t size = readlink("/proc/self/exe", own.data(), own.size() - 1);
  return size > 0 && realpath(name, wanted.data()) != nullptr && std::strcmp(wanted.data(), own.data()) == 0;
}

// Child side of the compile server's fork: redirects the output, then calls the compiler's main() with the
// request's arguments, or executes the other program that the request names.
int run(Main program, Request& request) {
  dup2(request.output, STDOUT_FILENO);
  dup2(request.output, STDERR_FILENO);
  // The forked compiler closes the descriptors of other compilations. A session of its own gives it its own
  // share of CPU time on a busy machine.
  syscall(SYS_close_range, 3U, ~0U, 0U);
  setsid();
  std::vector<char*> parts;
  for (std::size_t at = 0; at < request.text.size(); at += std::strlen(&request.text[at]) + 1)
    parts.push_back(&request.text[at]);
  if (parts.size() < 2 || chdir(parts[0]) != 0) return 127;
  setenv("TMPDIR", parts[0], 1);
  parts.push_back(nullptr);
  if (!is_this_program(parts[1])) {
    execv(parts[1], parts.data() + 1);
    return 127;
  }
  return program(static_cast<int>(parts.size()) - 2, parts.data() + 1, environ);
}

void finish(const Run& ended) {
  int status = 0;
  while (waitpid(ended.process, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-ended.process, SIGKILL);  // kills processes of the compilation that outlive the compiler itself
  [[maybe_unused]] const ssize_t written = write(ended.status, &status, sizeof status);
  close(ended.status);
  close(ended.ended);
}

// Accepts requests until the client closes the socket, then exits. Returns only in a forked process, with the
// exit status of its run.
int serve(Main program) {
  signal(SIGPIPE, SIG_IGN);
  // Clears LD_PRELOAD, so that programs that the compiler starts do not become compile servers, too.
  unsetenv("LD_PRELOAD");
  send(kServerSocket, &kReady, sizeof kReady, MSG_NOSIGNAL);
  std::vector<Run> running;
  while (true) {
    std::vector<pollfd> fds{{kServerSocket, POLLIN, 0}};
    for (const Run& one : running) {
      fds.push_back({one.ended, POLLIN, 0});
      fds.push_back({one.status, 0, 0});
    }
    if (poll(fds.data(), fds.size(), -1) < 0) continue;
    for (std::size_t i = running.size(); i-- > 0;) {
      // POLLERR on the status pipe: the client has closed its end to cancel the compilation, so the forked
      // compiler is killed; finish() kills its children.
      if ((fds[2 * i + 2].revents & POLLERR) != 0) kill(running[i].process, SIGKILL);
      if (fds[2 * i + 1].revents == 0) continue;
      finish(running[i]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (fds[0].revents == 0) continue;
    Request request;
    if (!receive(request)) _exit(0);
    const pid_t process = fork();
    if (process == 0) {
      signal(SIGPIPE, SIG_DFL);
      return run(program, request);
    }
    close(request.output);
    const int ended = process < 0 ? -1 : static_cast<int>(syscall(SYS_pidfd_open, process, 0U));
    // If fork or pidfd_open failed, the compile server exits; its client then sees the status pipe closed
    // without a status.
    if (ended < 0) _exit(1);
    running.push_back({process, ended, request.status});
  }
}

// The preloaded library keeps the program's own main() here, because __libc_start_main passes no user
// argument to the main() that replaces it.
Main& program_main() {
  static Main program = nullptr;
  return program;
}

int serve_program(int, char**, char**) {
  return serve(program_main());
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int __libc_start_main(Main program, int argc, char** argv,
                                                                void (*init)(), void (*fini)(),
                                                                void (*rtld_fini)(), void* stack_end) {
  const auto start = reinterpret_cast<int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*)>(
      dlsym(RTLD_NEXT, "__libc_start_main"));
  program_main() = program;
  return start(serve_program, argc, argv, init, fini, rtld_fini, stack_end);
}
