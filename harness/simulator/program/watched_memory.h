// Detects, in the program's process, host accesses to memory that pending device work uses. The watched pages
// are protected, so a premature access faults. The access then proceeds: the page is unprotected for one
// single-stepped instruction, so that data next to the watched bytes stays usable.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/simulator/both/host_watch.h"

namespace warpmark::simulator {

// Signal handlers use the WatchedMemory object. It is therefore fixed-size, on pages of its own, which are
// never protected, and guarded by a spin lock that is never held by code that could fault.
class alignas(4096) WatchedMemory {
 public:
  // A process has one WatchedMemory; its constructor makes it the result of current(). A signal handler of
  // any thread may use the object, so it must live until the process ends.
  WatchedMemory();
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;
  ~WatchedMemory();
  // Returns the process's WatchedMemory, for signal handlers and interposed library functions; null before it
  // is constructed.
  static WatchedMemory* current();

  // Replaces the set of watches on host memory that pending device work uses. Must be sorted by address.
  void watch(std::span<const Watch> watches);
  void stop() { watch({}); }
  [[nodiscard]] bool is_watching() const { return watching_.load(std::memory_order_relaxed); }

  // Returns and clears the recorded host accesses that came before synchronisation with the device work using
  // the memory.
  std::vector<EarlyAccess> take();

  // Records an access to watched host memory by an interposed C library function that frees memory or passes
  // it to a system call (read, write, ...). For a system call, unprotects the pages, because the call would
  // fail with EFAULT.
  void called(const char* function, HostAccess access, const void* memory, std::size_t bytes);
  // Unprotects all watched host pages until this thread leaves the CUDA runtime library, whose own accesses
  // are not reported.
  void open_for_library();

  // Per-thread nesting depth of CUDA runtime functions, whose accesses to watched host memory are not the
  // program's. When the outermost one returns (leave_library()), the watched pages are protected again.
  [[nodiscard]] static bool in_library();
  static void enter_library();
  static void leave_library();
  class InLibrary {
   public:
    InLibrary() { enter_library(); }
    InLibrary(const InLibrary&) = delete;
    InLibrary& operator=(const InLibrary&) = delete;
    ~InLibrary() { leave_library(); }
  };

  // let_pass() handles SIGSEGV: if the fault was on a watched host page, records the access, unprotects the
  // page and returns true, so that the instruction is retried, single-stepped. stepped() handles the SIGTRAP
  // after that instruction and protects the page again; it returns false for a SIGTRAP of other origin.
  bool let_pass(Address address, bool written, void* context);
  bool stepped(void* context);

 private:
  // A run of adjacent pages with the same protection.
  struct Run {
    Address begin = 0;
    Address end = 0;
    int protection = 0;  // page protection as PROT_ flags for mprotect
  };
  // A host's plain read of memory that pending device work updates by system-scope atomics; not yet reported,
  // because it may be the first load of a compare-and-swap loop. If the thread's next access to watched
  // memory is the compare-and-swap, the read is allowed; otherwise it is reported.
  struct Guess {
    const void* thread = nullptr;
    EarlyAccess access;
  };
  static constexpr std::size_t kMostEarly = 64;
  static constexpr std::size_t kMostGuesses = 16;
  class Lock;

  static std::vector<Run> runs_of(std::span<const Watch> watches);
  void open_all() const;
  void close_all() const;
  [[nodiscard]] const Run* run_at(Address address) const;
  [[nodiscard]] bool is_hit(std::size_t watch, HostAccess access, Address begin, Address end) const;
  EarlyAccess* note(HostAccess access, Address begin, Address end);
  [[nodiscard]] bool may_be_guess(Address begin, Address end) const;
  Guess* guess_of(const void* thread);
  void tell_guess(Guess& guess);
  [[nodiscard]] bool all_told(Address page) const;

  std::atomic_flag locked_ = ATOMIC_FLAG_INIT;
  std::atomic<bool> watching_ = false;
  std::array<Watch, kMostWatches> watches_;
  // per watched range of host memory: true if a premature access to the range was reported
  std::array<bool, kMostWatches> told_{};
  std::size_t watch_count_ = 0;
  // scratch buffer of watch(): the old watches on host memory for which an access was reported
  std::array<Watch, kMostWatches> told_before_;
  std::array<Run, kMostWatches> runs_;
  std::size_t run_count_ = 0;
  std::array<EarlyAccess, kMostEarly> early_;
  std::size_t early_count_ = 0;
  std::array<Guess, kMostGuesses> guesses_;
  // true while a CUDA runtime function runs for which all watched host pages were unprotected
  bool opened_ = false;
  // number of times that the set of watched host memory ranges was replaced
  std::atomic<std::uint64_t> ever_{0};
  int steps_ = 0;
};

}  // namespace warpmark::simulator
