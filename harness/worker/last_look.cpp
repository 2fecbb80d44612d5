#include "harness/worker/last_look.h"

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "harness/base/loaded_object.h"

namespace warpmark {
namespace {

constexpr int kMostAddresses = 64;
constexpr int kMostFrames = 16;
// Maximum number of other threads whose call stacks are written if student code hangs.
constexpr int kMostThreads = 8;
constexpr std::uint64_t kMillion = 1'000'000;

// Input of the signal handler that writes where student code hangs; must be complete before the timer that
// raises the signal is armed.
struct Watched {
  LoadedObject library;
  int last_words = -1;
  pid_t caller = 0;  // ID of the thread that calls the student's function
};
Watched watched;

std::uint64_t number_of(const void* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

std::uint64_t interrupted_at([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

// Part of a call stack: the code addresses that lie in the student's library, as offsets in the library.
struct Frames {
  std::array<std::uint64_t, kMostFrames> offsets{};
  int count = 0;
  const void* inside = nullptr;  // code address in the function that the student's innermost frame had called
};

Frames frames_of(const LoadedObject& library, std::uint64_t at) {
  std::array<void*, kMostAddresses> addresses{};
  const int found = backtrace(addresses.data(), kMostAddresses);
  Frames frames;
  for (int i = 0; i < found && frames.count < kMostFrames; ++i) {
    void* address = addresses[static_cast<std::size_t>(i)];
    const std::uint64_t number = number_of(address);
    if (!library.holds(number)) {
      if (frames.count == 0) frames.inside = address;
      continue;
    }
    // Return addresses are decremented to point into the call instruction; the interrupted address itself is
    // not a return address.
    frames.offsets[static_cast<std::size_t>(frames.count++)] =
        number - library.shift - (number == at ? 0 : 1);
  }
  return frames;
}

bool is_launch(const void* inside) {
  Dl_info function{};
  if (inside == nullptr || dladdr(inside, &function) == 0 || function.dli_sname == nullptr) return false;
  const std::string_view name = function.dli_sname;
  return name.find("LaunchKernel") != name.npos || name.find("PopCallConfiguration") != name.npos;
}

int signal_number() {
  return SIGRTMIN + 7;  // signal for writing call stacks: a real-time signal that no known library uses
}

sigevent signal_to(pid_t thread) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal_number();
  event._sigev_un._tid = thread;
  return event;
}

pid_t this_thread() {
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

// Makes another thread write its call stack, by a timer whose signal goes to that thread: a sealed worker
// process (harness/sandbox/filter.h) may not send signals to other threads directly.
void have_look(pid_t thread) {
  sigevent event = signal_to(thread);
  // ID of the timer in the kernel. glibc's timer_create() is avoided because it allocates memory in a signal
  // handler.
  int timer = 0;
  if (::syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) return;
  itimerspec at_once{};
  at_once.it_value.tv_nsec = 1;
  ::syscall(SYS_timer_settime, timer, 0, &at_once, nullptr);
}

// Records the call stacks of the process's other threads as well: the student's code may hang because its
// threads wait for each other.
void have_others_look() {
  const int tasks = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks < 0) return;
  alignas(dirent64) std::array<char, 4096> entries{};
  const long got = ::syscall(SYS_getdents64, tasks, entries.data(), entries.size());
  ::close(tasks);
  int asked = 0;
  for (long at = 0; at < got && asked < kMostThreads;) {
    const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
    at += entry->d_reclen;
    const int thread = std::atoi(entry->d_name);
    if (thread <= 0 || thread == watched.caller) continue;
    have_look(thread);
    ++asked;
  }
}

void write_frames(const Frames& frames) {
  std::array<char, 1024> line{};
  const auto room = [&](int used) { return line.size() - static_cast<std::size_t>(used); };
  int size = std::snprintf(line.data(), line.size(), R"({"frames":[)");
  for (int i = 0; i < frames.count; ++i) {
    size += std::snprintf(line.data() + size, room(size), "%s%llu", i == 0 ? "" : ",",
                          static_cast<unsigned long long>(frames.offsets[static_cast<std::size_t>(i)]));
  }
  size += std::snprintf(line.data() + size, room(size), "]%s}\n",
                        is_launch(frames.inside) ? R"(,"in_launch":true)" : "");
  static_cast<void>(!::write(watched.last_words, line.data(), static_cast<std::size_t>(size)));
}

// Signal handler that writes the call stacks. The judge process is about to abort the call, so a failure here
// costs no more than a line number in the report.
void look(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const Frames frames = frames_of(watched.library, interrupted_at(context));
  if (frames.count > 0) write_frames(frames);
  if (this_thread() == watched.caller) have_others_look();
}

// Returns true if the fault is an access near the stack pointer: there is no more stack there.
bool is_out_of_stack([[maybe_unused]] const siginfo_t& info, [[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr std::uint64_t kReach = 65'536;
  const auto stack =
      static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  constexpr std::uint64_t kReach = 65'536;
  const auto stack = static_cast<const ucontext_t*>(context)->uc_mcontext.sp;
#else
  constexpr std::uint64_t kReach = 0, stack = 0;
#endif
  return number_of(info.si_addr) - stack + kReach < 2 * kReach;
}

// Signal handler for a crash: writes where the code was, then lets the signal end the process as it would
// have. It runs on a stack of its own, since a recursion may have used up the thread's.
void crashed(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && is_out_of_stack(*info, context)) {
    constexpr std::string_view kOutOfStack =
        R"({"kind":"crashed","kernel":"","file":"","line":0,"message":"the stack is used up: a recursion does not end or goes too deep, or a local array is too large"})"
        "\n";
    static_cast<void>(!::write(watched.last_words, kOutOfStack.data(), kOutOfStack.size()));
  }
  const Frames frames = frames_of(watched.library, interrupted_at(context));
  if (frames.count > 0) write_frames(frames);
  ::raise(signal);  // SA_RESETHAND has restored the default action, so the signal now ends the process
}

// Installs the handler that writes the call stack of a crash, but only for signals without a handler: the
// simulator and the sanitizers handle crashes themselves, with a better explanation.
void look_at_crashes() {
  alignas(16) static std::array<std::byte, 1 << 17> stack;
  stack_t other{};
  other.ss_sp = stack.data();
  other.ss_size = stack.size();
  sigaltstack(&other, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_sigaction = crashed;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

LastLook::LastLook(std::uint64_t after_ms, int last_words, const void* function) {
  if (after_ms == 0 || last_words < 0) return;
  watched = {loaded_object_at(number_of(function)), last_words, this_thread()};
  install_handlers();
  sigevent event = signal_to(watched.caller);
  on_ = ::timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
  itimerspec when{};
  when.it_value.tv_sec = static_cast<time_t>(after_ms / 1000);
  when.it_value.tv_nsec = static_cast<long>(after_ms % 1000 * kMillion);
  if (on_) ::timer_settime(timer_, 0, &when, nullptr);
}

void LastLook::install_handlers() {
  static bool installed = false;
  if (std::exchange(installed, true)) return;
  std::array<void*, 1> any{};
  // The first call of backtrace() loads libgcc, which a signal handler must not do; so it is made before the
  // handler is installed.
  backtrace(any.data(), 1);
  look_at_crashes();
  struct sigaction action {};
  action.sa_sigaction = look;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number(), &action, nullptr);
}

LastLook::~LastLook() {
  if (on_) ::timer_delete(timer_);
}

std::vector<std::uint64_t> frames_in_library_of(const void* function) {
  const Frames frames = frames_of(loaded_object_at(number_of(function)), 0);
  return {frames.offsets.begin(), frames.offsets.begin() + frames.count};
}

}  // namespace warpmark
