// Main program of the keeper, which supervises one program: starts it, waits for its end or for a stop
// request, and kills all its descendants. process.h explains its role, keeper_protocol.h its arguments and
// descriptors.

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sandbox/descendants.h"
#include "harness/sandbox/filter.h"
#include "harness/sandbox/keeper_protocol.h"
#include "harness/sandbox/process.h"

namespace {

using warpmark::sandbox::Ending;
using warpmark::sandbox::EndingRecord;
using warpmark::sandbox::kBoxUser;

// User IDs of the boxes that root starts, one drawn for each: part of the range that systemd leaves to
// containers (https://systemd.io/UIDS-GIDS).
constexpr uid_t kFirstBoxUser = 1'870'000'000;
constexpr uid_t kBoxUsers = 1U << 22;
namespace sandbox = warpmark::sandbox;

struct Job {
  int passed = 0;
  // Bit i is set if the caller passed a descriptor to become the supervised program's descriptor i (0, 1, 2).
  unsigned replaced = 0;
  sandbox::Confinement confinement = sandbox::Confinement::limits;
  rlim_t file_size_cap = 0;
  std::size_t memory_cap = 0;
  int process_cap = 0;
  rlim_t cpu_cap = 0;
  const char* folder = "/";
  int groups = 0;
  bool fixed_addresses = false;
  char** argv = nullptr;

  [[nodiscard]] int descriptors() const { return std::popcount(replaced) + passed; }
  [[nodiscard]] bool limited() const { return confinement != sandbox::Confinement::none; }
  [[nodiscard]] bool boxed() const { return confinement >= sandbox::Confinement::box; }
};

constexpr std::chrono::milliseconds kLookEvery{100};
// Stack limit (RLIMIT_STACK) of a supervised program in bytes, for its main thread and by default for other
// threads.
constexpr rlim_t kStackCap = rlim_t{64} << 20;

void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  // Closes the descriptors one by one on a kernel before Linux 5.9, which lacks close_range().
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = first; fd < static_cast<int>(limit.rlim_cur); ++fd) close(fd);
}

// Makes the kernel's OOM killer choose this process first, before the judge process.
void volunteer_for_the_oom_killer() {
  // Makes this process own /proc/self/oom_score_adj, which belongs to root otherwise.
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t written = write(fd, "1000", 4);
  close(fd);
}

bool limit(__rlimit_resource what, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  return setrlimit(what, &limit) == 0;
}

bool set_limits(const Job& job) {
  rlimit stack{};
  rlimit file_size{};
  // The file size limit of a supervised program must not exceed the inherited hard limit, which an
  // unprivileged process may lower but not raise.
  getrlimit(RLIMIT_FSIZE, &file_size);
  file_size.rlim_max = std::min(file_size.rlim_max, job.file_size_cap);
  return limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_FSIZE, file_size.rlim_max, file_size.rlim_max) &&
         getrlimit(RLIMIT_STACK, &stack) == 0 &&
         limit(RLIMIT_STACK, std::min(stack.rlim_cur, kStackCap), std::min(stack.rlim_max, kStackCap)) &&
         (job.cpu_cap == 0 || limit(RLIMIT_CPU, job.cpu_cap, job.cpu_cap + 1)) &&
         // RLIMIT_NPROC counts the processes of a user in a user namespace. Without a user namespace, all
         // sandboxes of the user share this limit.
         (!job.boxed() || limit(RLIMIT_NPROC, sandbox::kTaskCap, sandbox::kTaskCap));
}

// Makes the supervising process join the program's cgroups. It does so before it starts the program, because
// processes inherit the membership.
bool enter_groups(const Job& job) {
  for (int i = 0; i < job.groups; ++i) {
    if (write(sandbox::kFirstPassedFd + job.descriptors() + i, "0", 1) != 1) return false;
  }
  return true;
}

// Drops root's privileges irrevocably. Each box becomes a user of its own: RLIMIT_NPROC counts the processes
// of a user, so that a program that starts as many as it can would keep the programs of other boxes from
// starting. A container may lack these users; then all boxes are nobody.
bool become_other_user() {
  std::uint32_t drawn = 0;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) return false;
  const uid_t own = kFirstBoxUser + drawn % kBoxUsers;
  return setgroups(0, nullptr) == 0 && setresgid(kBoxUser, kBoxUser, kBoxUser) == 0 &&
         (setresuid(own, own, own) == 0 || setresuid(kBoxUser, kBoxUser, kBoxUser) == 0);
}

// Runs in the forked child: applies all restrictions and executes the program. Returns the errno on failure
// only.
int become_program(const Job& job, pid_t keeper) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The supervising parent process died before PR_SET_PDEATHSIG took effect, so no signal will come.
  if (getppid() != keeper) return ESRCH;
  setsid();
  if (job.limited()) {
    // Prevents a set-user-ID program from gaining privileges, with which it could not be killed any more.
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!set_limits(job)) return errno;
    volunteer_for_the_oom_killer();
  }
  // Turns address-space randomisation off. Failure is ignored: some containers forbid personality(), and most
  // programs run without it.
  if (job.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
  if (chdir(job.folder) != 0) return errno;

  signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);

  if (dup2(sandbox::kOutputFd, 1) < 0 || dup2(sandbox::kOutputFd, 2) < 0) return errno;
  // Moves the passed descriptors to the numbers that the program expects. Each is copied to a lower number,
  // in ascending order, so that none is overwritten before it is copied.
  int from = sandbox::kFirstPassedFd;
  for (int fd = 0; fd < sandbox::kFirstProgramFd; ++fd) {
    if ((job.replaced >> fd & 1U) != 0 && dup2(from++, fd) < 0) return errno;
  }
  for (int i = 0; i < job.passed; ++i) {
    if (dup2(from + i, sandbox::kFirstProgramFd + i) < 0) return errno;
  }
  close_from(sandbox::kFirstProgramFd + job.passed);
  if (job.confinement == sandbox::Confinement::box_of_other_user && !become_other_user()) return errno;
  if (job.boxed()) {
    if (const int error = sandbox::install(sandbox::Filter::box); error != 0) return error;
  }
  execve(job.argv[0], job.argv, environ);
  return errno;
}

struct Started {
  pid_t pid = -1;
  // Result of starting the supervised program, in memory shared with the forked child: 0, or the errno that
  // the child stores if exec fails. A successful exec unmaps the memory in the child.
  const int* failure = nullptr;
};

std::optional<Started> start(const Job& job) {
  void* shared = mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return std::nullopt;
  int* failure = static_cast<int*>(shared);
  const pid_t keeper = getpid();
  const pid_t pid = fork();
  if (pid < 0) return std::nullopt;
  if (pid == 0) {
    *failure = become_program(job, keeper);
    _exit(127);
  }
  return Started{pid, failure};
}

// Checks every 100 ms whether the program and its descendants exceed the caps on memory and processes.
class Watch {
 public:
  explicit Watch(const Job& job) : job_(job) {}

  // Returns the timeout for poll() in milliseconds until resource usage must be checked again; -1 (none) if
  // the program has no limit on memory or processes.
  [[nodiscard]] int patience() const { return on() ? static_cast<int>(kLookEvery.count()) : -1; }
  sandbox::Cap look() {
    if (!on() || sandbox::Clock::now() < next_) return sandbox::Cap::none;
    const sandbox::Usage usage = sandbox::usage_of_descendants();
    next_ = sandbox::Clock::now() + kLookEvery;
    if (job_.memory_cap != 0 && usage.bytes > job_.memory_cap) return sandbox::Cap::memory;
    if (job_.process_cap != 0 && usage.processes > job_.process_cap) return sandbox::Cap::processes;
    return sandbox::Cap::none;
  }

 private:
  [[nodiscard]] bool on() const { return job_.memory_cap != 0 || job_.process_cap != 0; }

  const Job& job_;
  sandbox::Clock::time_point next_;
};

// Returns the program's wait status when it ends. Returns nullopt if it must be killed: a stop was requested,
// or it exceeded a cap, which `exceeded` then names.
std::optional<int> wait_for_end(const Job& job, pid_t program, int signals, sandbox::Cap& exceeded) {
  std::array<pollfd, 2> fds{pollfd{sandbox::kControlFd, POLLIN, 0}, pollfd{signals, POLLIN, 0}};
  Watch watch(job);
  while (true) {
    if (poll(fds.data(), fds.size(), watch.patience()) < 0 && errno != EINTR) return std::nullopt;
    if (fds[0].revents != 0) return std::nullopt;
    exceeded = watch.look();
    if (exceeded != sandbox::Cap::none) return std::nullopt;
    if (fds[1].revents == 0) continue;
    signalfd_siginfo info{};
    if (read(signals, &info, sizeof info) != sizeof info) continue;
    if (info.ssi_signo != SIGCHLD) return std::nullopt;
    int status = 0;
    while (true) {
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid == program) return status;
      // Waitpid() also returns orphaned descendants of the program, which are reaped here because this
      // process is their subreaper.
      if (pid <= 0) break;
    }
  }
}

// Removes the files by which LLVM's OpenMP registers each process that loads it, of processes that were
// killed and so could not do it. A sandbox has a /dev/shm of its own, which ends with it.
void remove_openmp_files() {
  constexpr std::string_view kBegin = "__KMP_REGISTERED_LIB_";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/dev/shm"), closedir);
  if (!folder) return;
  while (const dirent* entry = readdir(folder.get())) {
    if (!std::string_view(entry->d_name).starts_with(kBegin)) continue;
    const auto pid = static_cast<pid_t>(std::strtol(entry->d_name + kBegin.size(), nullptr, 10));
    struct stat file {};
    if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH) continue;
    if (fstatat(dirfd(folder.get()), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(file.st_mode) && file.st_uid == geteuid()) unlinkat(dirfd(folder.get()), entry->d_name, 0);
  }
}

void report(const EndingRecord& record) {
  while (write(sandbox::kStatusFd, &record, sizeof record) < 0 && errno == EINTR) {
  }
}

// Self-test that runs in a sandbox in place of a program: checks user ID and system call filter. Returns the
// exit status.
int probe() {
  const bool alone = getuid() >= kFirstBoxUser && getuid() < kFirstBoxUser + kBoxUsers;
  if ((!alone && getuid() != kBoxUser) || getgid() != kBoxUser)
    return std::puts("it runs as another user than a box's own, or nobody"), 1;
  if (const int error = sandbox::install(sandbox::Filter::sealed); error != 0) {
    return std::printf("no system call filter: %s\n", std::strerror(error)), 1;
  }
  if (fork() >= 0) return std::puts("the system call filter lets everything pass"), 1;
  return 0;
}

// Set-up of the first process in a sandbox. PR_SET_PDEATHSIG kills it, and thus the whole sandbox, when bwrap
// dies.
void settle_in_box() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // In the sandbox, /dev/null replaces stderr, the pipe to which only bwrap had to write messages.
  dup2(0, 2);
  unsetenv("PWD");  // bwrap has set PWD, which is not in the requested environment
}

EndingRecord record_of(const std::optional<int>& status, int failure) {
  EndingRecord record;
  if (failure != 0) {
    record.kind = static_cast<std::int32_t>(Ending::Kind::not_started);
    record.code = failure;
  } else if (status && WIFEXITED(*status)) {
    record.kind = static_cast<std::int32_t>(Ending::Kind::exited);
    record.code = WEXITSTATUS(*status);
  } else {
    // A program that could not be reaped, so that its wait status is unknown, is reported as killed by
    // SIGKILL.
    record.kind = static_cast<std::int32_t>(Ending::Kind::signalled);
    record.code = status ? WTERMSIG(*status) : SIGKILL;
  }
  return record;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == sandbox::kProbeArgument) return probe();
  if (argc <= sandbox::kFirstProgramArgument) return 2;
  const auto number = [&](int argument) { return std::strtoull(argv[argument], nullptr, 10); };
  const Job job{.passed = static_cast<int>(number(1)),
                .replaced = static_cast<unsigned>(number(2)),
                .confinement = static_cast<sandbox::Confinement>(number(3)),
                .file_size_cap = number(4),
                .memory_cap = number(5),
                .process_cap = static_cast<int>(number(6)),
                .cpu_cap = number(7),
                .folder = argv[8],
                .groups = static_cast<int>(number(9)),
                .fixed_addresses = number(10) != 0,
                .argv = argv + sandbox::kFirstProgramArgument};
  if (!enter_groups(job)) return 1;
  close_from(sandbox::kFirstPassedFd + job.descriptors());
  if (job.boxed()) settle_in_box();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // Makes the supervising process non-dumpable: the program, which may run as the same user, must not trace
  // it or open its descriptors.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  signal(SIGPIPE, SIG_IGN);
  if (write(sandbox::kControlFd, "", 1) != 1) return 1;
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal_number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT})
    sigaddset(&watched, signal_number);
  sigprocmask(SIG_BLOCK, &watched, nullptr);
  const int signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);

  const std::optional<Started> program = start(job);
  if (!program || signals < 0) {
    report(record_of(std::nullopt, errno));
    return 1;
  }
  // Closes this process's copies of the descriptors passed to the program, so that their peers see end of
  // file when the program ends.
  close(sandbox::kOutputFd);
  for (int i = 0; i < job.descriptors(); ++i) close(sandbox::kFirstPassedFd + i);
  if (chdir("/") != 0) return 1;

  sandbox::Cap exceeded = sandbox::Cap::none;
  std::optional<int> status = wait_for_end(job, program->pid, signals, exceeded);
  const sandbox::Sweep sweep = sandbox::end_descendants(program->pid);
  if (!status) status = sweep.program_status;
  if (!job.boxed()) remove_openmp_files();
  EndingRecord record = record_of(status, *program->failure);
  record.left_behind = sweep.killed;
  record.exceeded = static_cast<std::int32_t>(exceeded);
  report(record);
  return 0;
}
