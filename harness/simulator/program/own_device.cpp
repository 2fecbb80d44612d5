#include "harness/simulator/program/own_device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/simulator/program/client.h"
#include "harness/wire/codec.h"
#include "harness/wire/journal.h"

namespace warpmark::simulator {
namespace {

// Descriptors of the device process (simulator/device/device.cpp).
constexpr int kJournal = 3;
constexpr int kSocket = 4;
constexpr int kAboveBoth = 10;

// Becomes the device process. Called between fork and exec, so it calls the kernel alone.
[[noreturn]] void become_device(int socket, const std::vector<char*>& arguments,
                                const std::vector<char*>& environment) {
  const int null = ::open("/dev/null", O_RDWR);
  const int journal = ::fcntl(null, F_DUPFD, kAboveBoth);
  const int connected = ::fcntl(socket, F_DUPFD, kAboveBoth);
  ::setsid();  // a signal from the terminal is for the program, which may handle it
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(journal, kJournal);
  ::dup2(connected, kSocket);
  // The program's pipes end when it closes them, so no other process may hold them.
  ::close_range(kSocket + 1, ~0U, 0);
  ::execve(arguments.front(), arguments.data(), environment.data());
  ::_exit(1);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

std::string program_beside(const char* name) {
  Dl_info info{};
  std::array<char, PATH_MAX> real{};
  if (dladdr(reinterpret_cast<void*>(&warpmark_device_connect), &info) == 0 ||
      ::realpath(info.dli_fname, real.data()) == nullptr)
    return {};
  std::string path = real.data();
  for (int i = 0; i < 2; ++i) path.resize(std::min(path.rfind('/'), path.size()));
  return path + "/bin/" + name;
}

int start_own_device() {
  const char* wanted = std::getenv("WARPMARK_DEVICES");
  std::vector<std::string> words{program_beside("warpmark-device"), "--journal", "--devices",
                                 wanted == nullptr ? "1" : wanted};
  std::vector<std::string> variables{std::string(wire::kStartupVariable) + "=" +
                                     wire::encode(wire::Startup{.journal = kJournal})};
  const std::vector<char*> arguments = pointers(words);
  const std::vector<char*> environment = pointers(variables);
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return -1;
  // Forks twice: the device becomes a child of init.
  const pid_t first = ::fork();
  if (first == 0) {
    if (::fork() == 0) become_device(ends[1], arguments, environment);
    ::_exit(0);
  }
  const int error = errno;
  ::close(ends[1]);
  if (first > 0) {
    while (::waitpid(first, nullptr, 0) < 0 && errno == EINTR) {
    }
    return ends[0];
  }
  ::close(ends[0]);
  errno = error;
  return -1;
}

void run_checked(char** arguments) {
  ::unsetenv("WARPMARK_CHECK");
  std::array<char, PATH_MAX> self{};
  if (::readlink("/proc/self/exe", self.data(), self.size() - 1) < 0) return;
  std::vector<std::string> words{program_beside("warpmark-cli"), "run", self.data(), "--"};
  for (char** each = arguments + 1; *each != nullptr; ++each) words.emplace_back(*each);
  const std::vector<char*> all = pointers(words);
  ::execv(all.front(), all.data());
  ::dprintf(STDERR_FILENO, "WARPMARK_CHECK: cannot start %s: %s\n", all.front(), std::strerror(errno));
}

}  // namespace warpmark::simulator
