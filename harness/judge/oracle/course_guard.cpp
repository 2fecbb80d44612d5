#include "harness/judge/oracle/course_guard.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include <execinfo.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpmark::judge {
namespace {

constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
constexpr int kExitStatus = 2;
constexpr int kMostFrames = 48;
constexpr std::size_t kMostLibraries = 16;
// interval at which the watchdog thread looks for overdue calls
constexpr std::chrono::milliseconds kLook{50};
constexpr std::size_t kLine = 4096;  // longest path
constexpr std::size_t kMostDigits = 12;
using Place = std::array<char, kLine + kMostDigits + 2>;

thread_local RunningCall* innermost = nullptr;
// Libraries of the course whose crashes are reported. The signal handler reads this array without a lock, so
// entries are never moved or removed.
std::array<const CourseLibrary*, kMostLibraries> libraries{};

const CourseLibrary* library_at(std::uint64_t address) {
  for (const CourseLibrary* library : libraries) {
    if (library != nullptr && library->object.holds(address)) return library;
  }
  return nullptr;
}

// Stack frames of a crashed thread that lie in one library of the course, innermost first; addresses are
// relative to the library's file, as addr2line expects.
struct Frames {
  const CourseLibrary* library = nullptr;
  std::array<std::uint64_t, kMostFrames> addresses{};
  std::size_t count = 0;

  void add(std::uint64_t address) {
    const CourseLibrary* holder = library_at(address);
    if (holder == nullptr || (library != nullptr && holder != library) || count == addresses.size()) return;
    library = holder;
    addresses[count++] = address - holder->object.shift;
  }
};

Frames frames_of(const void* context) {
  Frames frames;
  const auto* machine = static_cast<const ucontext_t*>(context);
  frames.add(static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]));
  std::array<void*, kMostFrames> stack{};
  const int count = ::backtrace(stack.data(), kMostFrames);
  // Backtrace entries are return addresses; the address before each belongs to the call instruction, so
  // addr2line reports the line of the call.
  for (int i = 0; i < count; ++i)
    frames.add(reinterpret_cast<std::uint64_t>(stack[static_cast<std::size_t>(i)]) - 1);
  return frames;
}

// Runs addr2line on the stack frames and reads its output into `text`. Returns the number of bytes read; 0 if
// addr2line is not installed.
std::size_t source_lines(const Frames& frames, std::array<char, kLine>& text) {
  int ends[2];
  if (frames.count == 0 || ::pipe(ends) != 0) return 0;
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int signal : kCrashes) ::signal(signal, SIG_DFL);
    ::dup2(ends[1], STDOUT_FILENO);
    std::array<std::array<char, 24>, kMostFrames> numbers{};
    std::array<const char*, kMostFrames + 6> arguments{"addr2line", "-i", "-e",
                                                       frames.library->library.c_str()};
    for (std::size_t i = 0; i < frames.count; ++i) {
      std::snprintf(numbers[i].data(), numbers[i].size(), "0x%lx",
                    static_cast<unsigned long>(frames.addresses[i]));
      arguments[4 + i] = numbers[i].data();
    }
    ::execvp("addr2line", const_cast<char* const*>(arguments.data()));
    ::_exit(1);
  }
  ::close(ends[1]);
  std::size_t bytes = 0;
  for (ssize_t got = 1; got > 0 && bytes < text.size();
       bytes += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
    got = ::read(ends[0], text.data() + bytes, text.size() - bytes);
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return bytes;
}

// Writes "FOLDER/FILE:LINE" of the innermost stack frame whose source file belongs to the assignment; if
// there is none, the path of the assignment's judge.cpp.
void write_place(const CourseLibrary& library, const Frames& frames, Place& place) {
  std::snprintf(place.data(), place.size(), "%s/judge.cpp", library.folder.c_str());
  std::array<char, kLine> text{};
  std::string_view rest(text.data(), source_lines(frames, text));
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    line = line.substr(line.rfind('/') + 1);  // a path without '/' is kept whole: npos + 1 is 0
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::array<char, kLine> file{};
    std::snprintf(file.data(), file.size(), "%s/%.*s", library.folder.c_str(), static_cast<int>(colon),
                  line.data());
    const std::size_t digits =
        std::min(line.find_first_not_of("0123456789", colon + 1), line.size()) - colon - 1;
    if (digits == 0 || ::access(file.data(), R_OK) != 0) continue;
    std::snprintf(place.data(), place.size(), "%s:%.*s", file.data(),
                  static_cast<int>(std::min(digits, kMostDigits)), line.data() + colon + 1);
    return;
  }
}

const char* name_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "it used memory that is not there: segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGILL:
      return "illegal instruction";
    case SIGFPE:
      return "it divided by 0, or overflowed: arithmetic exception";
    default:
      return "it called abort";
  }
}

[[noreturn]] void report(int signal, const RunningCall* call, const CourseLibrary& library,
                         const Frames& frames) {
  Place place{};
  write_place(library, frames, place);
  const bool late = call != nullptr && call->late;
  std::array<char, 80> lateness{};
  std::snprintf(lateness.data(), lateness.size(), "it did not return within %ld s",
                static_cast<long>(library.limit.count() / 1000));
  std::array<char, 2 * kLine> text{};
  const int length = std::snprintf(text.data(), text.size(),
                                   "warpmark: %s: `%s` of the assignment %s failed (%s); this is a fault of "
                                   "the assignment, not of a submission\n",
                                   place.data(), call == nullptr ? "a thread" : call->function,
                                   library.name.c_str(), late ? lateness.data() : name_of_signal(signal));
  static_cast<void>(!::write(STDERR_FILENO, text.data(), static_cast<std::size_t>(std::max(length, 0))));
  ::_exit(kExitStatus);
}

// Handler of crash signals. In a thread that is not inside a guarded call into a course's library, a crash is
// reported as the course's fault only if the stack has a frame in such a library.
void on_crash(int signal, siginfo_t* /*info*/, void* context) {
  // The first thread that crashes reports; others that crash meanwhile wait until the process ends.
  static std::atomic_flag taken;
  static thread_local bool reports = false;
  if (taken.test_and_set() && !reports) {
    for (;;) ::pause();
  }
  if (reports) ::_exit(kExitStatus);  // the report itself crashed
  reports = true;
  const Frames frames = frames_of(context);
  if (innermost != nullptr) report(signal, innermost, *innermost->library, frames);
  if (frames.library != nullptr) report(signal, nullptr, *frames.library, frames);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Alternate signal stack of a thread (sigaltstack): after endless recursion, the thread's own stack has no
// room for the signal handler.
class HandlerStack {
 public:
  HandlerStack() : memory_(kBytes) {
    const stack_t stack{memory_.data(), 0, kBytes};
    ::sigaltstack(&stack, nullptr);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;
  ~HandlerStack() {
    const stack_t none{nullptr, SS_DISABLE, 0};
    ::sigaltstack(&none, nullptr);
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{128} << 10;
  std::vector<char> memory_;
};

// Ends calls into a course's library that exceed their time limit: sends the calling thread a signal, whose
// handler records where the thread is.
class Watchdog {
 public:
  static Watchdog& instance() {
    static auto* dog = new Watchdog;  // never deleted: its detached thread lives as long as the process
    return *dog;
  }

  void add(RunningCall& call) {
    const std::scoped_lock lock(mutex_);
    calls_.push_back(&call);
  }
  void remove(RunningCall& call) {
    const std::scoped_lock lock(mutex_);
    std::erase(calls_, &call);
  }
  void extend(RunningCall& call, std::chrono::steady_clock::time_point deadline) {
    const std::scoped_lock lock(mutex_);
    call.deadline = deadline;
  }

 private:
  Watchdog() {
    std::thread([this] { look(); }).detach();
  }

  void look() {
    for (;;) {
      std::this_thread::sleep_for(kLook);
      const std::scoped_lock lock(mutex_);
      const auto now = std::chrono::steady_clock::now();
      for (RunningCall* call : calls_) {
        if (call->late || now < call->deadline) continue;
        call->late = true;
        ::pthread_kill(call->thread, SIGABRT);
      }
    }
  }

  std::mutex mutex_;
  std::vector<RunningCall*> calls_;
};

}  // namespace

void guard(const CourseLibrary& library) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto free = std::ranges::find(libraries, nullptr);
  if (free == libraries.end()) return;
  if (free == libraries.begin()) {
    std::array<void*, 1> warm{};
    ::backtrace(warm.data(), 1);  // the first backtrace() loads libgcc, which a signal handler must not do
    for (const int signal : kCrashes) {
      struct sigaction action {};
      action.sa_sigaction = on_crash;
      action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
      ::sigaction(signal, &action, nullptr);
    }
  }
  *free = &library;
}

CourseCall::CourseCall(const CourseLibrary& library, const char* function)
    : call_{&library, function, innermost, ::pthread_self(),
            std::chrono::steady_clock::now() + library.limit} {
  static thread_local HandlerStack stack;
  innermost = &call_;
  Watchdog::instance().add(call_);
}

CourseCall::~CourseCall() {
  Watchdog::instance().remove(call_);
  innermost = call_.outer;
}

void CourseCall::pause() {
  Watchdog::instance().extend(call_, std::chrono::steady_clock::time_point::max());
  innermost = call_.outer;
}

void CourseCall::resume() {
  innermost = &call_;
  Watchdog::instance().extend(call_, std::chrono::steady_clock::now() + call_.library->limit);
}

}  // namespace warpmark::judge
