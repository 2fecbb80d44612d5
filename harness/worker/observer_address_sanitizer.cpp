// The runtimes of AddressSanitizer and UndefinedBehaviorSanitizer are linked into this worker: they watch the
// libraries that were built for them.
#include <algorithm>
#include <array>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "harness/wire/codec.h"
#include "harness/worker/sanitizer_reports.h"

extern "C" {

// Of the runtimes (asan_interface.h, ubsan_monitor.h).
const char* __asan_get_report_description();
int __asan_get_report_access_type();
unsigned long __asan_get_report_access_size();
void* __asan_get_report_address();
unsigned long __asan_get_free_stack(void* address, void** trace, unsigned long size, int* thread);
void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                     unsigned* line, unsigned* column, char** address);
void __sanitizer_set_report_fd(void* fd);

// Asked for once, before main(). A version goes on after a report, so that all that it does wrong is seen.
const char* __asan_default_options();
const char* __ubsan_default_options();
// Called for each report.
void __asan_on_error();
void __ubsan_on_report();

}  // extern "C"

namespace warpmark {
namespace {

struct Meaning {
  std::string_view begin;  // of a description
  CauseKind kind;
  const char* what;  // follows "reads 4 bytes" or stands alone
};
constexpr std::array kMeanings{
    Meaning{"heap-use-after-free", CauseKind::use_after_free, "of memory that has been freed"},
    Meaning{"stack-use-after-return", CauseKind::use_after_free,
            "of a local variable whose function has returned"},
    Meaning{"stack-use-after-scope", CauseKind::use_after_free, "of a local variable whose block has ended"},
    Meaning{"double-free", CauseKind::use_after_free, "memory is freed that has been freed before"},
    Meaning{"heap-buffer-overflow", CauseKind::out_of_bounds, "past the end of an array, or before it"},
    Meaning{"stack-buffer", CauseKind::out_of_bounds, "outside of a local array"},
    Meaning{"dynamic-stack-buffer", CauseKind::out_of_bounds, "outside of a local array"},
    Meaning{"global-buffer", CauseKind::out_of_bounds, "outside of a global array"},
    Meaning{"container-overflow", CauseKind::out_of_bounds, "of a container, past its size"},
    Meaning{"negative-size-param", CauseKind::out_of_bounds,
            "a block of memory of negative size is copied or set"},
    Meaning{"stack-overflow", CauseKind::crashed,
            "the stack is used up: a recursion goes too deep, or a local array is too large"},
    Meaning{"SEGV", CauseKind::crashed, "at an address at which there is no memory"},
};

bool is_about_an_access(CauseKind kind, std::string_view description) {
  return kind != CauseKind::undefined_behaviour && description != "double-free" &&
         description != "stack-overflow" && description != "negative-size-param";
}

wire::Finding finding_now() {
  const std::string_view description = __asan_get_report_description();
  const auto meaning = std::ranges::find_if(
      kMeanings, [&](const Meaning& each) { return description.starts_with(each.begin); });
  wire::Finding finding;
  finding.frames = reported_library().frames_here();
  if (meaning == kMeanings.end()) {
    finding.kind = CauseKind::undefined_behaviour;
    finding.message = fmt::format("AddressSanitizer reports `{}`", description);
    return finding;
  }
  finding.kind = meaning->kind;
  finding.message = meaning->what;
  if (is_about_an_access(meaning->kind, description)) {
    const unsigned long bytes = __asan_get_report_access_size();
    finding.message = fmt::format(
        "{}{} {}", __asan_get_report_access_type() != 0 ? "writes" : "reads",
        bytes > 0 ? fmt::format(" {} {}", bytes, bytes == 1 ? "byte" : "bytes") : "", finding.message);
  }
  if (meaning->begin == "heap-use-after-free") {
    ReturnAddresses trace{};
    int thread = 0;
    __asan_get_free_stack(__asan_get_report_address(), trace.data(), trace.size() - 1, &thread);
    finding.other_frames = reported_library().frames(trace);
  }
  return finding;
}

// What the process dies of is told at once.
int& last_words_fd() {
  static int fd = -1;
  return fd;
}

}  // namespace

void on_address_report() {
  wire::Finding finding = finding_now();
  if (finding.kind == CauseKind::crashed && last_words_fd() >= 0) {
    const std::string line = wire::encode(wire::JournalLine(finding)) + "\n";
    static_cast<void>(!::write(last_words_fd(), line.data(), line.size()));
  }
  keep_finding(std::move(finding));
}

void on_undefined_behaviour() {
  const char* kind = "";
  const char* message = "";
  const char* file = "";
  char* address = nullptr;
  unsigned line = 0, column = 0;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  wire::Finding finding;
  finding.kind = std::string_view(kind) == "out-of-bounds-index" ? CauseKind::out_of_bounds
                                                                 : CauseKind::undefined_behaviour;
  finding.message = fmt::format(
      "{}: the standard does not say what happens then, and the compiler assumes that it "
      "never does",
      message);
  finding.frames = reported_library().frames_here();
  keep_finding(std::move(finding));
}

std::unique_ptr<Observer> make_observer(int last_words) {
  last_words_fd() = last_words;
  // Never closed: the runtime writes there until the process ends.
  __sanitizer_set_report_fd(
      reinterpret_cast<void*>(static_cast<std::intptr_t>(::open("/dev/null", O_WRONLY))));
  prepare_openmp();
  return std::make_unique<SanitizerObserver>("address-sanitizer");
}

}  // namespace warpmark

// Several libraries of a version may have globals of one name: that is no violation here. Leaks are looked
// for by a process that traces this one, which a box forbids.
extern "C" const char* __asan_default_options() {
  return "symbolize=0:halt_on_error=0:detect_leaks=0:detect_stack_use_after_return=1:detect_odr_violation=0:"
         "allocator_may_return_null=1:handle_abort=0:handle_sigfpe=0:quarantine_size_mb=32:check_"
         "initialization_order=1";
}
extern "C" const char* __ubsan_default_options() {
  return "halt_on_error=0:print_stacktrace=0:symbolize=0";
}
extern "C" void __asan_on_error() {
  warpmark::on_address_report();
}
extern "C" void __ubsan_on_report() {
  warpmark::on_undefined_behaviour();
}
