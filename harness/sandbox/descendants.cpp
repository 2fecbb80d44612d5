#include "harness/sandbox/descendants.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpmark::sandbox {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience{10};
// Maximum number of rounds of SIGSTOP. Each round stops all descendants except those forked during its scan
// of /proc, so a fork bomb is stopped within a few rounds.
constexpr int kStopRounds = 100;

struct Entry {
  pid_t parent = 0;
  // start time in clock ticks; identifies a process together with its ID, which may be reused
  unsigned long long start = 0;
  bool running = false;
};

using ProcText = std::array<char, 1024>;

// Returns the beginning of the file /proc/<pid>/<name>; nullopt if the process no longer exists.
std::optional<ProcText> read_proc(pid_t pid, const char* name) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/%s", pid, name);
  const int fd = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  ProcText text{};
  const ssize_t size = read(fd, text.data(), text.size() - 1);
  close(fd);
  if (size <= 0) return std::nullopt;
  return text;
}

std::optional<Entry> read_entry(pid_t pid) {
  const std::optional<ProcText> stat = read_proc(pid, "stat");
  if (!stat) return std::nullopt;
  const ProcText& text = *stat;
  // The second field of /proc/<pid>/stat, the program's name in parentheses, may itself contain spaces and
  // parentheses, so parsing starts after the last ")".
  const char* end_of_name = std::strrchr(text.data(), ')');
  if (end_of_name == nullptr) return std::nullopt;
  Entry entry;
  char state = 0;
  long threads = 0;
  const int read_fields =
      std::sscanf(end_of_name + 1,  // NOLINT(cert-err34-c): the kernel wrote these numbers
                  " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu", &state,
                  &entry.parent, &threads, &entry.start);
  if (read_fields != 4) return std::nullopt;
  // A process whose main thread has ended while others run is listed as a zombie, but with several threads.
  entry.running = (state != 'Z' && state != 'X') || threads > 1;
  return entry;
}

// Sends a signal to a process by its ID, unless the ID now belongs to another process: `entry` holds the
// start time of the one that is meant.
void send(pid_t pid, const Entry& entry, int signal) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) {
    if (errno == ENOSYS) kill(pid, signal);
    return;
  }
  const std::optional<Entry> now = read_entry(pid);
  if (now && now->start == entry.start) syscall(SYS_pidfd_send_signal, fd, signal, nullptr, 0);
  close(fd);
}

// Calls visit(pid, entry) for each descendant of this process. /proc lists processes by ascending ID, so that
// most children forked during the scan are visited as well.
template <class Visit>
void for_each_descendant(Visit&& visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> processes(opendir("/proc"), closedir);
  if (!processes) return;
  std::set<pid_t> below{getpid()};
  while (const dirent* file = readdir(processes.get())) {  // NOLINT(concurrency-mt-unsafe): one thread
    const std::string_view name = file->d_name;
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size()) continue;
    const std::optional<Entry> entry = read_entry(pid);
    if (!entry || !below.contains(entry->parent)) continue;
    below.insert(pid);
    visit(pid, *entry);
  }
}

class Descendants {
 public:
  explicit Descendants(pid_t program) : program_(program) {}

  // Sends a signal to every descendant. Returns true if at least one was not seen in an earlier call.
  bool signal_all(int signal) {
    bool met_another = false;
    for_each_descendant([&](pid_t pid, const Entry& entry) {
      send(pid, entry, signal);
      if (entry.running && met_.emplace(pid, entry.start).second) {
        met_another = true;
        if (pid != program_) ++count_;
      }
    });
    return met_another;
  }

  [[nodiscard]] int count() const { return count_; }

 private:
  pid_t program_;
  std::set<std::pair<pid_t, unsigned long long>> met_;
  int count_ = 0;
};

// Reaps ended children without blocking. Returns false if no children are left.
bool reap(pid_t program, std::optional<int>& program_status) {
  while (true) {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid == program) program_status = status;
    if (pid == 0) return true;
    if (pid < 0 && errno != EINTR) return false;
  }
}

}  // namespace

Sweep end_descendants(pid_t program) {
  Sweep sweep;
  if (!reap(program, sweep.program_status)) return sweep;

  // Descendants are stopped (SIGSTOP) before they are killed: a stopped process keeps its slot in the process
  // table, which a fork bomb could otherwise reuse.
  Descendants descendants(program);
  for (int round = 0; round < kStopRounds && descendants.signal_all(SIGSTOP); ++round) {
  }
  const Clock::time_point deadline = Clock::now() + kPatience;
  while (Clock::now() < deadline) {
    descendants.signal_all(SIGKILL);
    if (!reap(program, sweep.program_status)) break;
    // SIGCHLD is blocked and stays pending, so sigtimedwait returns as soon as a child ends.
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const timespec at_most{0, 10'000'000};
    sigtimedwait(&child, nullptr, &at_most);
  }
  sweep.killed = descendants.count();
  return sweep;
}

// Adds up the resident memory of all descendants of this process. Anonymous pages that processes share after
// a fork are counted once per process; the limits on memory leave room for that.
Usage usage_of_descendants() {
  Usage usage;
  std::size_t most_shared = 0;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for_each_descendant([&](pid_t pid, const Entry& entry) {
    if (!entry.running) return;
    ++usage.processes;
    const std::optional<ProcText> statm = read_proc(pid, "statm");
    std::size_t resident = 0;
    std::size_t shared = 0;
    // NOLINTNEXTLINE(cert-err34-c): the kernel wrote these numbers
    if (!statm || std::sscanf(statm->data(), "%*u %zu %zu", &resident, &shared) != 2) return;
    usage.bytes += (resident - std::min(shared, resident)) * page;
    most_shared = std::max(most_shared, shared * page);
  });
  usage.bytes += most_shared;
  return usage;
}

}  // namespace warpmark::sandbox
