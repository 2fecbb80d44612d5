// Tries what its arguments say. Prints "held" and ends with 0 when it did not work, "went through" and 1 when
// it did.

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sandbox/filter.h"

namespace {

using warpmark::sandbox::Filter;
using Attempt = std::function<bool(const std::string& on)>;  // true: it went through

bool opens(const std::string& path, int flags) {
  return open(path.c_str(), flags, 0600) >= 0;
}

bool connects(const sockaddr* address, socklen_t size, int family) {
  const int fd = socket(family, SOCK_STREAM, 0);
  return fd >= 0 && connect(fd, address, size) == 0;
}

bool connects_to_port(const std::string& port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connects(reinterpret_cast<const sockaddr*>(&address), sizeof address, AF_INET);
}

// A socket that no file stands for.
bool connects_to_name(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return connects(reinterpret_cast<const sockaddr*>(&address), size, AF_UNIX);
}

// Beside itself and its keeper.
bool sees_other_processes(const std::string& /*on*/) {
  DIR* processes = opendir("/proc");
  int others = 0;
  while (const dirent* entry = readdir(processes)) {
    const int pid = std::atoi(entry->d_name);
    if (pid != 0 && pid != getpid() && pid != getppid()) ++others;
  }
  closedir(processes);
  return others != 0;
}

bool reads_memory_of_the_keeper(const std::string& /*on*/) {
  std::array<char, 8> here{};
  iovec local{here.data(), here.size()};
  iovec remote{reinterpret_cast<void*>(0x400000), here.size()};
  return process_vm_readv(getppid(), &local, 1, &remote, 1, 0) >= 0 || errno == EFAULT;
}

bool reads_the_keeper(const std::string& on) {
  return opens("/proc/" + std::to_string(getppid()) + "/" + on, O_RDONLY);
}

bool forks(const std::string& /*on*/) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0;
}

bool makes_a_process_as_posix_spawn_does(const std::string& /*on*/) {
  char* const arguments[] = {const_cast<char*>("true"), nullptr};
  pid_t pid = 0;
  return posix_spawn(&pid, "/usr/bin/true", nullptr, nullptr, arguments, environ) == 0;
}

bool becomes_another_program(const std::string& /*on*/) {
  execl("/usr/bin/echo", "echo", "went through", nullptr);
  return false;
}

bool limits_the_keeper(const std::string& /*on*/) {
  const rlimit none{0, 0};
  return prlimit(getppid(), RLIMIT_NOFILE, &none, nullptr) == 0;
}

bool system_call_works(long number, long first, long second = 0) {
  return syscall(number, first, second, 0, 0, 0) >= 0 || errno != EPERM;
}

// Of the C library, which is sealed as the program is.
bool changes_its_code(int protection) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto here = reinterpret_cast<std::uintptr_t>(&std::abort);
  return mprotect(reinterpret_cast<void*>(here / page * page), page, protection) == 0;
}

// How many bytes went into files below a folder is printed; they always end somewhere.
bool fills(const std::string& folder) {
  const std::vector<char> block(1 << 20, 'x');
  long long written = 0;
  bool more = true;
  for (int file = 0; more && written < (1LL << 31); ++file) {
    const int fd = open((folder + "/" + std::to_string(file)).c_str(), O_WRONLY | O_CREAT, 0600);
    more = false;
    for (ssize_t got = 0; fd >= 0 && (got = write(fd, block.data(), block.size())) > 0;) {
      written += got;
      more = true;
      if (written >= (1LL << 31)) break;
    }
    if (fd >= 0) close(fd);
  }
  return written >= (1LL << 31);
}

bool takes_memory(const std::string& mebibytes) {
  const auto size = std::stoul(mebibytes) << 20;
  std::vector<char> memory(size, 'x');
  std::puts("took it");
  std::fflush(stdout);
  while (memory[size / 2] == 'x') pause();
  return true;
}

bool makes_a_thread(const std::string& /*on*/) {
  bool ran = false;
  std::thread([&] { ran = true; }).join();
  return ran;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Attempt> attempts{
      {"read", [](const std::string& on) { return opens(on, O_RDONLY); }},
      {"write", [](const std::string& on) { return opens(on, O_WRONLY | O_CREAT); }},
      {"connect", connects_to_port},
      {"connect-name", connects_to_name},
      {"see-processes", sees_other_processes},
      {"signal", [](const std::string& on) { return kill(std::stoi(on), 0) == 0; }},
      {"kill-keeper",
       [](const std::string&) {
         kill(getppid(), SIGKILL);
         kill(getppid(), SIGSTOP);
         sleep(1);
         return false;  // who reads this was not killed
       }},
      {"signal-keeper", [](const std::string&) { return kill(getppid(), 0) == 0; }},
      {"limit-keeper", limits_the_keeper},
      {"read-keeper", reads_the_keeper},
      {"trace-keeper", [](const std::string&) { return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0; }},
      {"trace-itself", [](const std::string&) { return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0; }},
      {"memory-of-keeper", reads_memory_of_the_keeper},
      {"be-root", [](const std::string&) { return setuid(0) == 0 || getuid() == 0; }},
      {"user-namespace", [](const std::string&) { return unshare(CLONE_NEWUSER) == 0; }},
      {"clone-namespace",
       [](const std::string&) { return system_call_works(SYS_clone, CLONE_NEWUSER | SIGCHLD); }},
      {"mount", [](const std::string&) { return mount("none", "/tmp", "tmpfs", 0, nullptr) == 0; }},
      {"keys", [](const std::string&) { return system_call_works(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -3); }},
      {"bpf", [](const std::string&) { return system_call_works(SYS_bpf, 0); }},
      {"perf", [](const std::string&) { return system_call_works(SYS_perf_event_open, 0); }},
      {"userfaultfd", [](const std::string&) { return system_call_works(SYS_userfaultfd, 1); }},
      {"io_uring", [](const std::string&) { return system_call_works(SYS_io_uring_setup, 0); }},
      {"socket", [](const std::string&) { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
      {"fork", forks},
      {"spawn", makes_a_process_as_posix_spawn_does},
      {"exec", becomes_another_program},
      {"system", [](const std::string&) { return std::system("true") == 0; }},
      {"fill", fills},
      {"memory", takes_memory},
      {"thread", makes_a_thread},
      {"own-memory-file",
       [](const std::string&) {
         prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
         return opens("/proc/self/mem", O_RDWR);
       }},
      {"executable-pages", [](const std::string&) { return changes_its_code(PROT_READ | PROT_EXEC); }},
      {"writable-code", [](const std::string&) { return changes_its_code(PROT_READ | PROT_WRITE); }},
      {"raise", [](const std::string&) { return raise(SIGUSR1) != 0; }},
      {"abort", [](const std::string&) -> bool { std::abort(); }},
  };
  int first = 1;
  if (argc > first && std::string(argv[first]) == "sealed") {
    ++first;
    if (const int error = warpmark::sandbox::install(Filter::sealed); error != 0) return 101;
  }
  const auto found = attempts.find(argc > first ? argv[first] : "");
  if (found == attempts.end()) return 100;
  const bool through = found->second(argc > first + 1 ? argv[first + 1] : "");
  std::puts(through ? "went through" : "held");
  return through ? 1 : 0;
}
