// Observer for ThreadSanitizer, whose runtime is linked into this worker and checks the student libraries
// compiled with it. ThreadSanitizer derives the happens-before order from mutexes, atomics and joins, and for
// OpenMP from the tool library Archer.
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/worker/sanitizer_reports.h"

extern "C" {

// Interface functions of ThreadSanitizer's runtime (tsan_debugging.cpp). `trace` receives up to trace_size
// addresses, terminated by null.
int __tsan_get_report_data(void* report, const char** description, int* count, int* stack_count,
                           int* mop_count, int* loc_count, int* mutex_count, int* thread_count,
                           int* unique_tid_count, void** sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* bytes,
                          int* writes, int* atomic, void** trace, unsigned long trace_size);
int __tsan_get_report_stack(void* report, unsigned long index, void** trace, unsigned long trace_size);
void __sanitizer_set_report_fd(void* fd);
void __sanitizer_set_death_callback(void (*callback)());

// Hooks that ThreadSanitizer's runtime calls: one returns default options, before main(); the other receives
// each report. The options turn off deduplication, so that each call of student code gets its own reports,
// and leave crashes to the judge process.
const char* __tsan_default_options();
void __tsan_on_report(void* report);

}  // extern "C"

namespace warpmark {
namespace {

struct Access {
  int thread = 0;
  int bytes = 0;
  bool writes = false;
  ReturnAddresses trace{};
};

// Fixed-size copy of a race report. The runtime holds its own locks while it reports, so the hook must not
// allocate memory or take locks; the copy is interpreted after the call.
struct Report {
  const char* description = "";
  int accesses = 0;
  int stacks = 0;
  Access one, other;
  ReturnAddresses stack{}, other_stack{};
};
struct Reports {
  std::array<Report, 64> all;  // the first 64 ThreadSanitizer reports during a call of student code
  std::atomic<std::size_t> count = 0;
};
Reports& reports() {
  static Reports of_call;
  return of_call;
}

void fill(Access& access, void* report, unsigned long index) {
  void* address = nullptr;
  int writes = 0, atomic = 0;
  __tsan_get_report_mop(report, index, &access.thread, &address, &access.bytes, &writes, &atomic,
                        access.trace.data(), access.trace.size());
  access.writes = writes != 0;
}

std::string name_of_thread(int thread) {
  return thread == 0 ? "the calling thread" : fmt::format("thread {}", thread);
}

std::string told(const Access& access) {
  return fmt::format("{} {} {} {}", name_of_thread(access.thread), access.writes ? "writes" : "reads",
                     access.bytes, access.bytes == 1 ? "byte" : "bytes");
}

void add_accesses(wire::Finding& finding, const Access& one, const Access& other) {
  finding.frames = reported_library().frames(one.trace);
  finding.other_frames = reported_library().frames(other.trace);
  for (const Access* each : {&one, &other}) {
    finding.accesses.push_back(
        {name_of_thread(each->thread), fmt::format("{} bytes", each->bytes), 0, each->writes});
  }
}

// Returns true if OpenMP's runtime library made the memory access. The library is not compiled with
// ThreadSanitizer, which therefore misses the library's synchronisation and reports false races in it.
bool is_openmps(const Access& access) {
  const LoadedObject program = loaded_object_at(0);
  for (void* const address : access.trace) {
    if (address == nullptr) return false;
    if (program.holds(reinterpret_cast<std::uint64_t>(address)))
      continue;  // skips stack frames of ThreadSanitizer's interceptors, which are linked into the program
    Dl_info object{};
    return dladdr(address, &object) != 0 && object.dli_fname != nullptr &&
           std::string_view(object.dli_fname).find("libomp") != std::string_view::npos;
  }
  return false;
}

// Returns true if OpenMP's runtime library started the thread's work: the access is in a parallel region.
bool is_in_parallel_region(const Access& access) {
  return std::ranges::any_of(access.trace, [](void* address) {
    Dl_info object{};
    return address != nullptr && dladdr(address, &object) != 0 && object.dli_fname != nullptr &&
           std::string_view(object.dli_fname).find("libomp") != std::string_view::npos;
  });
}

std::string remedy_of(const Report& report, const wire::Finding& finding) {
  const Access& one = report.one;
  const Access& other = report.other;
  if (is_in_parallel_region(one) && is_in_parallel_region(other)) {
    return "All threads of the parallel region share it. For a sum, or the like, add reduction(+ : variable) "
           "to the "
           "directive; else declare the variable in the loop, or put #pragma omp atomic or critical before "
           "the "
           "lines";
  }
  const bool one_line = !finding.frames.empty() && !finding.other_frames.empty() &&
                        finding.frames.front() == finding.other_frames.front();
  std::string text;
  if (!one_line && (one.thread == 0) != (other.thread == 0)) {
    text = fmt::format(
        "join() {} before the calling thread comes to its line, if it needs what the other did. Else ",
        name_of_thread(one.thread == 0 ? other.thread : one.thread));
  }
  return text + (text.empty() ? "Give" : "give") +
         " each thread a place of its own, or use std::atomic, or one std::mutex that is locked around both "
         "lines";
}

// Converts a report about two accesses to the same memory to a finding; nullopt if OpenMP's runtime library
// made one of the accesses.
std::optional<wire::Finding> of_accesses(const Report& report) {
  const std::string_view description = report.description;
  const Access& one = report.one;
  const Access& other = report.other;
  if (is_openmps(one) || is_openmps(other)) return std::nullopt;
  wire::Finding finding;
  add_accesses(finding, one, other);
  if (description.starts_with("heap-use-after-free")) {
    finding.kind = CauseKind::use_after_free;
    finding.message = fmt::format("{} of memory that {} has freed; join the threads that use it first",
                                  told(one), name_of_thread(other.thread));
    return finding;
  }
  finding.kind = CauseKind::race;
  finding.message = fmt::format(
      "{} here, and {} of the same memory, and nothing orders the two: what comes out depends on which is "
      "first. {}",
      told(one), told(other), remedy_of(report, finding));
  return finding;
}

// Converts a report about mutexes to a finding with the source locations at which student code locks them. A
// lock-order inversion of two mutexes and two threads has four locations, two per thread.
wire::Finding of_stacks(const Report& report) {
  const std::string_view description = report.description;
  wire::Finding finding;
  finding.frames = reported_library().frames(report.stack);
  if (description.starts_with("lock-order")) {
    finding.other_frames = reported_library().frames(report.other_stack);
    finding.kind = CauseKind::deadlock;
    finding.message =
        "two threads lock the same mutexes, each in another order: when both hold one, each waits for the "
        "other for "
        "ever. Lock them in one order everywhere, or with std::scoped_lock(a, b)";
    return finding;
  }
  if (description == "mutex-double-lock") {
    finding.kind = CauseKind::deadlock;
    finding.message = "a thread locks a mutex that it holds: it waits for itself for ever";
    return finding;
  }
  finding.kind = CauseKind::undefined_behaviour;
  finding.message = fmt::format(
      "ThreadSanitizer reports `{}`: a mutex is used in a way that it does not allow", description);
  return finding;
}

// File that ThreadSanitizer's runtime prints to. The reports come by the hook; of the text only the reason
// for which the runtime ends the process is read.
int& printed_fd() {
  static int fd = -1;
  return fd;
}
int& last_words_fd() {
  static int fd = -1;
  return fd;
}

// Runs before the runtime ends the process, which it does when it is out of room for threads or memory.
// Writes the reason as a finding. The runtime holds its locks, so nothing here may allocate or call a
// function that the runtime intercepts.
void on_death() {
  constexpr std::string_view kReason = "ThreadSanitizer";
  constexpr std::string_view kBefore =
      R"({"kind":"crashed","kernel":"","file":"","line":0,"message":"ThreadSanitizer, which watches the threads of this call, could not go on. Most often too many are started: start about as many as std::thread::hardware_concurrency() says, each with a larger share of the work, and join them; else look for an allocation that is too large (it says: )";
  constexpr std::string_view kBehind = ")\"}\n";
  std::array<char, 4096> text{};
  const long end = ::syscall(SYS_lseek, printed_fd(), 0, SEEK_END);
  const long begin = std::max<long>(0, end - static_cast<long>(text.size()));
  const long got = ::syscall(SYS_pread64, printed_fd(), text.data(), text.size(), begin);
  char* const last = text.data() + std::max<long>(got, 0);
  char* const reason = std::find_end(text.data(), last, kReason.begin(), kReason.end());
  std::array<char, 1024> line{};
  char* to = std::copy(kBefore.begin(), kBefore.end(), line.begin());
  for (const char* from = reason; from != last && *from != '\n' && to != line.end() - kBehind.size(); ++from)
    *to++ = *from < ' ' || *from == '"' || *from == '\\' ? ' ' : *from;
  to = std::copy(kBehind.begin(), kBehind.end(), to);
  static_cast<void>(
      !::syscall(SYS_write, last_words_fd(), line.data(), static_cast<std::size_t>(to - line.data())));
}

class ThreadObserver final : public SanitizerObserver {
 public:
  ThreadObserver() : SanitizerObserver("thread-sanitizer") { static_cast<void>(reports()); }
  wire::Observation drain() override {
    const std::size_t count = std::min(reports().count.exchange(0), reports().all.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Report& report = reports().all[i];
      if (report.accesses < 2) {
        keep_finding(of_stacks(report));
      } else if (auto finding = of_accesses(report)) {
        keep_finding(std::move(*finding));
      }
    }
    static_cast<void>(!::ftruncate(printed_fd(), 0));
    return SanitizerObserver::drain();
  }
};

}  // namespace

// Stores a report. Runs while the sanitizer's runtime holds its report lock, so it must not allocate or lock.
void keep_report(void* report) {
  const std::size_t place = reports().count.load();
  if (place >= reports().all.size()) return;
  Report& kept = reports().all[place];
  kept = {};
  int count = 0, locations = 0, mutexes = 0, threads = 0, ids = 0;
  void* sleep = nullptr;
  __tsan_get_report_data(report, &kept.description, &count, &kept.stacks, &kept.accesses, &locations,
                         &mutexes, &threads, &ids, &sleep, 0);
  if (kept.accesses > 1) {
    fill(kept.one, report, 0);
    fill(kept.other, report, 1);
  } else if (kept.stacks > 0) {
    __tsan_get_report_stack(report, 0, kept.stack.data(), kept.stack.size());
    if (kept.stacks > 1) {
      const unsigned long second = kept.stacks > 2 ? 2 : 1;
      __tsan_get_report_stack(report, second, kept.other_stack.data(), kept.other_stack.size());
    }
  }
  reports().count = place + 1;
}

std::unique_ptr<Observer> make_observer(int last_words) {
  last_words_fd() = last_words;
  printed_fd() = ::memfd_create("thread-sanitizer", MFD_CLOEXEC);
  // The descriptor stays open, because the runtime writes to it until the process ends.
  __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(printed_fd())));
  __sanitizer_set_death_callback(on_death);
  prepare_openmp();
  return std::make_unique<ThreadObserver>();
}

}  // namespace warpmark

extern "C" const char* __tsan_default_options() {
  return "symbolize=0:halt_on_error=0:exitcode=0:report_thread_leaks=0:report_signal_unsafe=0:"
         "second_deadlock_stack=1:suppress_equal_stacks=0:suppress_equal_addresses=0:"
         "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0:"
         "handle_sigill=0:allocator_may_return_null=1";
}

extern "C" void __tsan_on_report(void* report) {
  warpmark::keep_report(report);
}
