// Observer for AddressSanitizer and UndefinedBehaviorSanitizer. Their runtimes are linked into this worker
// and check the student libraries that are compiled with these sanitizers.
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "harness/wire/codec.h"
#include "harness/worker/reachable_blocks.h"
#include "harness/worker/sanitizer_reports.h"

extern "C" {

// Interface functions of the sanitizer runtimes (asan_interface.h, ubsan_monitor.h).
const char* __asan_get_report_description();
int __asan_get_report_access_type();
unsigned long __asan_get_report_access_size();
void* __asan_get_report_address();
unsigned long __asan_get_alloc_stack(void* address, void** trace, unsigned long size, int* thread);
unsigned long __asan_get_free_stack(void* address, void** trace, unsigned long size, int* thread);
void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                     unsigned* line, unsigned* column, char** address);
void __sanitizer_set_report_fd(void* fd);
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void*, unsigned long),
                                              void (*freed)(const volatile void*));

// Functions that return default options of the sanitizer runtimes, which call them before main(). The options
// let student code continue after a report, so that all its errors are found.
const char* __asan_default_options();
const char* __ubsan_default_options();
// Hooks that the runtimes of AddressSanitizer and UndefinedBehaviorSanitizer call for each error that they
// report.
void __asan_on_error();
void __ubsan_on_report();

}  // extern "C"

namespace warpmark {
namespace {

struct Meaning {
  std::string_view begin;  // start of the sanitizer's description of an error, such as "heap-use-after-free"
  CauseKind kind;
  // Text of the message for the student: the end of a sentence that begins with "reads 4 bytes", or a whole
  // sentence if the error is not an invalid access.
  const char* what;
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
    Meaning{"null-deref", CauseKind::crashed, "a null pointer is followed, or one near it"},
    Meaning{"wild-jump", CauseKind::crashed, "a function is called at an address at which there is none"},
    Meaning{"wild-addr", CauseKind::crashed,
            "a pointer leads to an address at which there is no memory, or none of that kind"},
    Meaning{"SEGV", CauseKind::crashed, "a pointer leads to an address at which there is no memory"},
};

bool is_about_an_access(CauseKind kind, std::string_view description) {
  return kind != CauseKind::crashed && description != "double-free" && description != "negative-size-param";
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

// Heap blocks that student code has allocated on any thread during a call and not freed, with their bytes.
// The runtime is not asked for the size later: a thread that outlives the call may free a block at any time.
struct Blocks {
  std::mutex mutex;
  std::unordered_map<const volatile void*, unsigned long> there;
  std::atomic<bool> watched = false;
};
Blocks& blocks() {
  static Blocks all;
  return all;
}
thread_local bool in_hook = false;

// RAII guard: heap allocations of the calling thread during the guard's lifetime are the sanitizer observer's
// own and are not counted as the student's.
class NotCounted {
 public:
  NotCounted() : outer_(std::exchange(in_hook, true)) {}
  NotCounted(const NotCounted&) = delete;
  NotCounted& operator=(const NotCounted&) = delete;
  ~NotCounted() { in_hook = outer_; }

 private:
  bool outer_;
};

template <class Change>
void in_blocks(const Change& change) {
  if (in_hook || !blocks().watched) return;
  const NotCounted own;
  const std::scoped_lock lock(blocks().mutex);
  change(blocks().there);
}
void allocated(const volatile void* block, unsigned long bytes) {
  in_blocks([&](auto& there) { there[block] = bytes; });
}
void freed(const volatile void* block) {
  in_blocks([&](auto& there) { there.erase(block); });
}

// Returns a leak finding if the student's own code allocated the block, i.e. the innermost frame outside of
// this program (which contains the allocator) lies in the student's library. Blocks allocated by a runtime
// library are excluded, because such libraries keep memory for later calls.
wire::Finding leak_of(void* block) {
  ReturnAddresses trace{};
  int thread = 0;
  __asan_get_alloc_stack(block, trace.data(), trace.size() - 1, &thread);
  wire::Finding finding;
  const LoadedObject program = loaded_object_at(0);
  const auto caller = std::ranges::find_if(
      trace, [&](void* address) { return !program.holds(reinterpret_cast<std::uint64_t>(address)); });
  if (caller == trace.end() || !reported_library().holds(*caller)) return finding;
  finding.frames = reported_library().frames(trace);
  finding.kind = CauseKind::leak;
  return finding;
}

void keep_leaks() {
  // Number of leaked heap blocks and bytes per call stack of their allocation, so that each call stack gives
  // one finding.
  std::map<std::vector<std::uint64_t>, std::pair<std::size_t, std::size_t>> places;
  blocks().watched = false;
  std::vector<HeapBlock> left;
  {
    const NotCounted own;
    const std::scoped_lock lock(blocks().mutex);
    for (const auto& [block, bytes] : std::exchange(blocks().there, {}))
      left.push_back({reinterpret_cast<std::uint64_t>(block), bytes});
  }
  for (const HeapBlock& block : out_of_reach(std::move(left), reported_library().code())) {
    wire::Finding leak =
        leak_of(reinterpret_cast<void*>(block.address));  // NOLINT(performance-no-int-to-ptr)
    if (leak.frames.empty()) continue;
    auto& [count, bytes] = places[std::move(leak.frames)];
    ++count;
    bytes += block.bytes;
  }
  for (const auto& [frames, lost] : places) {
    wire::Finding leak;
    leak.kind = CauseKind::leak;
    leak.message =
        fmt::format("{} {} with {} bytes, allocated here, {} not freed when the call returned", lost.first,
                    lost.first == 1 ? "block" : "blocks", lost.second, lost.first == 1 ? "was" : "were");
    leak.frames = frames;
    keep_finding(std::move(leak));
  }
}

class AddressObserver final : public SanitizerObserver {
 public:
  AddressObserver() : SanitizerObserver("address-sanitizer") {
    __sanitizer_install_malloc_and_free_hooks(allocated, freed);
  }
  void begin_call(const void* function, const void* stream) override {
    SanitizerObserver::begin_call(function, stream);
    blocks().watched = true;
  }
  void end_call(const void* kept) override {
    keep_leaks();
    SanitizerObserver::end_call(kept);
  }
};

// Returns the descriptor to which a finding about a crash is written at once, since the process is about to
// die.
int& last_words_fd() {
  static int fd = -1;
  return fd;
}

}  // namespace

void on_address_report() {
  const NotCounted report;
  wire::Finding finding = finding_now();
  if (finding.kind == CauseKind::crashed && last_words_fd() >= 0) {
    const std::string line = wire::encode(wire::JournalLine(finding)) + "\n";
    static_cast<void>(!::write(last_words_fd(), line.data(), line.size()));
  }
  keep_finding(std::move(finding));
}

void on_undefined_behaviour() {
  const NotCounted report;
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
  // Discards what the sanitizer's runtime prints, because its hooks deliver the reports. The descriptor of
  // /dev/null stays open, because the runtime writes to it until the process ends.
  __sanitizer_set_report_fd(
      reinterpret_cast<void*>(static_cast<std::intptr_t>(::open("/dev/null", O_WRONLY))));
  prepare_openmp();
  return std::make_unique<AddressObserver>();
}

}  // namespace warpmark

// AddressSanitizer's options: detect_odr_violation is off because several libraries of student code in one
// process may define globals of the same name; detect_leaks is off because LeakSanitizer uses ptrace, which
// the sandbox forbids (keep_leaks() replaces it).
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
