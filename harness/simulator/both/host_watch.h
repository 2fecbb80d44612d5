// Watches on host memory that pending device work uses, to detect host accesses before synchronisation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// A watch on the host memory [begin, end) that pending work uses. readable: the work only reads the memory,
// so host reads are allowed. atomic: the work uses system-scope atomics only, so host atomics are allowed.
// Any other host access is an error.
struct Watch {
  Address begin = 0;
  Address end = 0;
  bool readable = false;
  bool atomic = false;
  // True: the watch protects only pages that lie wholly inside the watched range, because the pages at both
  // ends also hold unwatched memory of the program.
  bool whole_pages = false;
  bool operator==(const Watch&) const = default;
};

// Maximum number of watches on host memory that the device process sends to the program's process. If there
// are more, neighbours are merged; this cannot cause false reports, because the device process checks each
// access by byte.
inline constexpr std::size_t kMostWatches = 4096;

// Kinds of host access to memory that pending device work uses.
enum class HostAccess : std::uint8_t { read, write, free, atomic_read, atomic_write };

constexpr bool is_atomic(HostAccess access) {
  return access == HostAccess::atomic_read || access == HostAccess::atomic_write;
}
constexpr bool is_read(HostAccess access) {
  return access == HostAccess::read || access == HostAccess::atomic_read;
}

// A host access to watched memory before the host synchronised with the work that uses the memory.
struct EarlyAccess {
  static constexpr int kMostFrames = 16;
  HostAccess access = HostAccess::read;
  Address begin = 0;
  Address end = 0;
  // name of the C library function that accessed watched host memory; empty if the program's own code did
  std::array<char, 16> function{};
  // call stack of a premature host access, as return addresses (encoded as CallSite::frames)
  std::array<std::uint64_t, kMostFrames> frames{};
  int frame_count = 0;
};

}  // namespace warpmark::simulator
