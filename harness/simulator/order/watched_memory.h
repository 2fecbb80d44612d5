// Memory of the host that device work uses and nothing has waited for, in the program's process: its pages
// are protected, so that an access that comes too early is seen. The access is made all the same: the page is
// open for one instruction, so that what lies beside the watched bytes can be used as ever.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "harness/simulator/order/watch.h"

namespace warpmark::simulator {

// An access that came too early.
struct EarlyAccess {
  static constexpr int kMostFrames = 16;
  HostAccess access = HostAccess::read;
  Address begin = 0;
  Address end = 0;
  std::array<char, 16> function{};  // of the C library, that made it; empty: the program's own code
  std::array<std::uint64_t, kMostFrames> frames{};  // as in CallSite
  int frame_count = 0;
};

class WatchedMemory {
 public:
  // From now on these are watched, sorted, and nothing else.
  static void watch(std::span<const Watch> watches);
  static void stop() { watch({}); }
  [[nodiscard]] static bool is_watching();

  // What was seen since it was last asked.
  static std::vector<EarlyAccess> take();

  // The program calls a function of the C library that frees a block, or that has the system read or write
  // memory. The system refuses protected memory, so the pages are opened.
  static void called(const char* function, HostAccess access, const void* memory, std::size_t bytes);
  [[nodiscard]] static bool in_library();
  // For the time that this thread is in the library.
  static void open_for_library();

  // Of this thread: what the runtime's own functions do with the memory is no access of the program's.
  static void enter_library();
  static void leave_library();
  class InLibrary {
   public:
    InLibrary() { enter_library(); }
    InLibrary(const InLibrary&) = delete;
    InLibrary& operator=(const InLibrary&) = delete;
    ~InLibrary() { leave_library(); }
  };

  // For the handler of SIGSEGV: whether the access was to watched pages, and may be made again now. For that
  // of SIGTRAP: whether that was the end of its instruction.
  static bool let_pass(Address address, bool written, void* context);
  static bool stepped(void* context);
};

}  // namespace warpmark::simulator
