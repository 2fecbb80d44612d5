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

// Used by signal handlers: therefore fixed-size, on pages of its own, which are never protected, and guarded
// by a spin lock that is never held by code that could fault.
class alignas(4096) WatchedMemory {
 public:
  // Becomes current(); there is one per process. A signal handler of any thread may use it, so it lives until
  // the process ends.
  WatchedMemory();
  WatchedMemory(const WatchedMemory&) = delete;
  WatchedMemory& operator=(const WatchedMemory&) = delete;
  ~WatchedMemory();
  // For signal handlers and interposed library functions. Returns nullptr before there is one.
  static WatchedMemory* current();

  // Replaces the set of watches, which must be sorted.
  void watch(std::span<const Watch> watches);
  void stop() { watch({}); }
  [[nodiscard]] bool is_watching() const { return watching_.load(std::memory_order_relaxed); }

  // Returns the premature accesses seen since the last call.
  std::vector<EarlyAccess> take();

  // Reports a call of a C library function that frees a block or passes memory to a system call (read, write,
  // ...). System calls fail with EFAULT on protected pages, so the pages are unprotected first.
  void called(const char* function, HostAccess access, const void* memory, std::size_t bytes);
  // Unprotects all watched pages until this thread leaves the library.
  void open_for_library();

  // Per thread: accesses by the runtime's own functions are not accesses by the program. The last
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

  // let_pass(), for the SIGSEGV handler: returns true if the fault was on a watched page and the instruction
  // may be retried now. stepped(), for the SIGTRAP handler: returns true if the trap ended a single-stepped
  // instruction, and protects the page again.
  bool let_pass(Address address, bool written, void* context);
  bool stepped(void* context);

 private:
  // A run of adjacent pages with the same protection.
  struct Run {
    Address begin = 0;
    Address end = 0;
    int protection = 0;  // as for mprotect
  };
  // A plain read of memory that the work updates by system-scope atomics. It may be the first load of a
  // compare-and-swap loop; then the thread's next watched access is the compare-and-swap, which validates it,
  // and the read is no error.
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
  std::array<bool, kMostWatches> told_{};  // by watch: an access to it was reported
  std::size_t watch_count_ = 0;
  std::array<Watch, kMostWatches> told_before_;  // scratch memory of watch()
  std::array<Run, kMostWatches> runs_;
  std::size_t run_count_ = 0;
  std::array<EarlyAccess, kMostEarly> early_;
  std::size_t early_count_ = 0;
  std::array<Guess, kMostGuesses> guesses_;
  bool opened_ = false;                 // all pages are unprotected for a library call
  std::atomic<std::uint64_t> ever_{0};  // incremented whenever the set of watches changes
  int steps_ = 0;
};

}  // namespace warpmark::simulator
