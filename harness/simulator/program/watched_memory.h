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

// Signal handlers use this object. It is therefore fixed-size, on pages of its own, which are never
// protected, and guarded by a spin lock that is never held by code that could fault.
class alignas(4096) WatchedMemory {
 public:
  // The constructor makes the object the result of current(); a process has only one. A signal handler of any
  // thread may use the object, so it must live until the process ends.
  WatchedMemory();
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;
  ~WatchedMemory();
  // Returns the process's object for signal handlers and interposed library functions; null before there is
  // one.
  static WatchedMemory* current();

  // Replaces the set of watches, which must be sorted by address.
  void watch(std::span<const Watch> watches);
  void stop() { watch({}); }
  [[nodiscard]] bool is_watching() const { return watching_.load(std::memory_order_relaxed); }

  // Returns and clears the premature accesses that were recorded since the last call.
  std::vector<EarlyAccess> take();

  // Reports an access by a C library function that frees memory or passes it to a system call (read, write,
  // ...). Unprotects the pages that a system call would use, because it would fail with EFAULT.
  void called(const char* function, HostAccess access, const void* memory, std::size_t bytes);
  // Unprotects all watched pages until this thread leaves the runtime library.
  void open_for_library();

  // Per-thread nesting depth of runtime functions, whose accesses are not the program's. The outermost
  // leave_library() protects the pages of current() again.
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

  // let_pass() handles SIGSEGV: records the access and returns true if the fault was on a watched page, so
  // that the instruction may be retried now. stepped() handles SIGTRAP: returns true if the trap ended a
  // single-stepped instruction, and protects its pages again.
  bool let_pass(Address address, bool written, void* context);
  bool stepped(void* context);

 private:
  // A run of adjacent pages with the same protection.
  struct Run {
    Address begin = 0;
    Address end = 0;
    int protection = 0;  // PROT_ flags for mprotect
  };
  // A plain read of memory that pending work updates by system-scope atomics; not yet reported, because it
  // may be the first load of a compare-and-swap loop. If the thread's next watched access is the
  // compare-and-swap, that validates the read; otherwise the read is reported.
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
  std::array<bool, kMostWatches> told_{};  // per watch: true if an access to it was reported
  std::size_t watch_count_ = 0;
  std::array<Watch, kMostWatches> told_before_;  // scratch buffer of watch()
  std::array<Run, kMostWatches> runs_;
  std::size_t run_count_ = 0;
  std::array<EarlyAccess, kMostEarly> early_;
  std::size_t early_count_ = 0;
  std::array<Guess, kMostGuesses> guesses_;
  // true: all watched pages are unprotected while a runtime function runs
  bool opened_ = false;
  std::atomic<std::uint64_t> ever_{0};  // incremented whenever the set of watches changes
  int steps_ = 0;
};

}  // namespace warpmark::simulator
