// Detects, in the program's process, host accesses to memory that pending device work uses. The watched pages
// are protected, so a premature access faults. The access then proceeds: the page is unprotected for one
// single-stepped instruction, so that data next to the watched bytes stays usable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/simulator/both/host_watch.h"

namespace warpmark::simulator {

class WatchedMemory {
 public:
  // Replaces the set of watches, which must be sorted.
  static void watch(std::span<const Watch> watches);
  static void stop() { watch({}); }
  [[nodiscard]] static bool is_watching();

  // Returns the premature accesses seen since the last call.
  static std::vector<EarlyAccess> take();

  // Reports a call of a C library function that frees a block or passes memory to a system call (read, write,
  // ...). System calls fail with EFAULT on protected pages, so the pages are unprotected first.
  static void called(const char* function, HostAccess access, const void* memory, std::size_t bytes);
  [[nodiscard]] static bool in_library();
  // Unprotects all watched pages until this thread leaves the library.
  static void open_for_library();

  // Per thread: accesses by the runtime's own functions are not accesses by the program.
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
  static bool let_pass(Address address, bool written, void* context);
  static bool stepped(void* context);
};

}  // namespace warpmark::simulator
