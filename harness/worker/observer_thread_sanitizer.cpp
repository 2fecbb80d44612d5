// ThreadSanitizer's runtime is linked into this worker: it watches the libraries that were built for it, by
// what orders their threads (mutexes, atomics, joins; for OpenMP its tool Archer).
#include <fcntl.h>
#include <fmt/format.h>

#include "harness/worker/sanitizer_reports.h"

extern "C" {

// Of the runtime (tsan_debugging.cpp). Both fill addresses up to so many, null behind the last.
int __tsan_get_report_data(void* report, const char** description, int* count, int* stack_count,
                           int* mop_count, int* loc_count, int* mutex_count, int* thread_count,
                           int* unique_tid_count, void** sleep_trace, unsigned long trace_size);
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* bytes,
                          int* writes, int* atomic, void** trace, unsigned long trace_size);
int __tsan_get_report_stack(void* report, unsigned long index, void** trace, unsigned long trace_size);
void __sanitizer_set_report_fd(void* fd);

// Asked for once, before main(). Every report counts, in each call anew, whatever was reported before;
// crashes are the judge's to tell.
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

Access access_of(void* report, unsigned long index) {
  Access access;
  void* address = nullptr;
  int writes = 0, atomic = 0;
  __tsan_get_report_mop(report, index, &access.thread, &address, &access.bytes, &writes, &atomic,
                        access.trace.data(), access.trace.size());
  access.writes = writes != 0;
  return access;
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

// A report with two accesses to the same memory.
wire::Finding of_accesses(void* report, std::string_view description) {
  const Access one = access_of(report, 0), other = access_of(report, 1);
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
      "first. "
      "Give each thread a place of its own, or use std::atomic, a mutex or OpenMP's reduction",
      told(one), told(other));
  return finding;
}

// A report about mutexes: where they are locked. Of two mutexes that two threads take in turns there are four
// places, two for each thread.
wire::Finding of_stacks(void* report, std::string_view description, int stacks) {
  wire::Finding finding;
  ReturnAddresses trace{};
  if (stacks > 0) __tsan_get_report_stack(report, 0, trace.data(), trace.size());
  finding.frames = reported_library().frames(trace);
  if (description.starts_with("lock-order")) {
    if (stacks > 1) {
      trace = {};
      __tsan_get_report_stack(report, stacks > 2 ? 2 : 1, trace.data(), trace.size());
      finding.other_frames = reported_library().frames(trace);
    }
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

}  // namespace

std::unique_ptr<Observer> make_observer(int /*last_words*/) {
  // Never closed: the runtime writes there until the process ends.
  __sanitizer_set_report_fd(
      reinterpret_cast<void*>(static_cast<std::intptr_t>(::open("/dev/null", O_WRONLY))));
  prepare_openmp();
  return std::make_unique<SanitizerObserver>("thread-sanitizer");
}

}  // namespace warpmark

extern "C" const char* __tsan_default_options() {
  return "symbolize=0:halt_on_error=0:exitcode=0:report_thread_leaks=0:report_signal_unsafe=0:"
         "second_deadlock_stack=1:suppress_equal_stacks=0:suppress_equal_addresses=0:"
         "ignore_noninstrumented_modules=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_abort=0:"
         "handle_sigill=0:allocator_may_return_null=1";
}

extern "C" void __tsan_on_report(void* report) {
  const char* description = "";
  int count = 0, stacks = 0, accesses = 0, locations = 0, mutexes = 0, threads = 0, ids = 0;
  void* sleep = nullptr;
  __tsan_get_report_data(report, &description, &count, &stacks, &accesses, &locations, &mutexes, &threads,
                         &ids, &sleep, 0);
  warpmark::keep_finding(accesses > 1 ? warpmark::of_accesses(report, description)
                                      : warpmark::of_stacks(report, description, stacks));
}
