// Misbehaves as its first argument says. Modes that leave something behind keep descriptor 3 open in it, so
// that the test sees the end of that pipe when the last of them is gone.

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

[[noreturn]] void idle() {
  while (true) pause();
}

void in_child(const std::function<void()>& work) {
  if (fork() == 0) {
    work();
    _exit(0);
  }
}

void say_ready() {
  if (write(1, "ready\n", 6) != 6) _exit(9);
}

int list_descriptors() {
  std::vector<int> found;
  DIR* folder = opendir("/proc/self/fd");
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != dirfd(folder))
      found.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  std::ranges::sort(found);
  for (const int fd : found) std::printf("%d ", fd);
  return 0;
}

int list_environment() {
  for (char** entry = environ; *entry != nullptr; ++entry) std::puts(*entry);
  return 0;
}

int list_limits() {
  rlimit core{};
  rlimit file{};
  getrlimit(RLIMIT_CORE, &core);
  getrlimit(RLIMIT_FSIZE, &file);
  std::printf("core %llu file %llu", static_cast<unsigned long long>(core.rlim_cur),
              static_cast<unsigned long long>(file.rlim_cur));
  return 0;
}

int read_input() {
  char byte = 0;
  std::printf("%zd", read(0, &byte, 1));
  return 0;
}

int talk_on_passed() {
  return write(3, "first", 5) == 5 && write(4, "second", 6) == 6 ? 0 : 1;
}

int flood(long long bytes) {
  const std::vector<char> text(1 << 20, 'x');
  while (bytes != 0) {
    const ssize_t written = write(1, text.data(), text.size());
    if (written < 0) return 1;
    if (bytes > 0) bytes = std::max(0LL, bytes - written);
  }
  return 0;
}

// Three processes deep and in a session of its own, as a daemon is made.
int leave_daemon() {
  in_child([] {
    setsid();
    in_child([] {
      say_ready();
      idle();
    });
  });
  while (wait(nullptr) > 0) {
  }
  // The daemon has the pipe, too: its word is in the output before this process ends.
  return 0;
}

// A process that is left behind, with a child that has ended and that nobody has asked for its status.
int leave_zombie() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return 1;
  in_child([&] {
    in_child([] {});
    siginfo_t info{};
    waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
    if (write(ends[1], "x", 1) == 1) idle();
  });
  char byte = 0;
  return read(ends[0], &byte, 1) == 1 ? 0 : 1;
}

// A process whose first thread ended looks like a zombie, and is none.
int leave_headless() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return 1;
  in_child([&] {
    const pthread_t first = pthread_self();
    std::thread([first, end = ends[1]] {
      pthread_join(first, nullptr);
      [[maybe_unused]] const ssize_t written = write(end, "x", 1);
      idle();
    }).detach();
    pthread_exit(nullptr);
  });
  char byte = 0;
  return read(ends[0], &byte, 1) == 1 ? 0 : 1;
}

int with_children(int count) {
  for (int i = 0; i < count; ++i) in_child(idle);
  say_ready();
  idle();
}

// Everybody forks until there were `most` of them in all: enough to outrun a killer, not to hurt the machine.
int bomb(int most) {
  void* shared =
      mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* count = new (shared) std::atomic<int>(0);
  for (int mine = 0; (mine = count->fetch_add(1)) < most;) {
    if (mine == 8) say_ready();
    [[maybe_unused]] const pid_t child = fork();
  }
  idle();
}

int write_file_of(long long bytes) {
  const int fd = open("big", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const std::vector<char> text(static_cast<std::size_t>(bytes), 'x');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(fd, text.data() + done, text.size() - done);
    if (written <= 0) return 1;
    done += static_cast<std::size_t>(written);
  }
  return 0;
}

int signal_keeper(int signal) {
  // Only the keeper itself could count it.
  if (signal == SIGSTOP) in_child(idle);
  kill(getppid(), signal);
  say_ready();
  idle();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const long long number = argc > 2 ? std::atoll(argv[2]) : 0;
  const std::map<std::string, std::function<int()>> modes{
      {"exit", [&] { return static_cast<int>(number); }},
      {"raise", [&] { return raise(static_cast<int>(number)); }},
      {"descriptors", list_descriptors},
      {"environment", list_environment},
      {"limits", list_limits},
      {"stdin", read_input},
      {"folder", [] { return std::puts(get_current_dir_name()) < 0 ? 1 : 0; }},
      {"both", [] { return write(1, "out ", 4) == 4 && write(2, "err", 3) == 3 ? 0 : 1; }},
      {"talk", talk_on_passed},
      {"flood", [&] { return flood(number); }},
      {"daemon", leave_daemon},
      {"zombie", leave_zombie},
      {"headless", leave_headless},
      {"children", [&] { return with_children(static_cast<int>(number)); }},
      {"bomb", [&] { return bomb(static_cast<int>(number)); }},
      {"file", [&] { return write_file_of(number); }},
      {"signal-keeper", [&] { return signal_keeper(static_cast<int>(number)); }},
      {"close-passed",
       [] {
         close(3);
         idle();
         return 0;
       }},
      {"group", [] { return getpgrp() == getpid() && getsid(0) == getpid() ? 0 : 1; }},
  };
  const auto found = modes.find(mode);
  return found == modes.end() ? 100 : found->second();
}
