// Records of a failure that reports draw as pictures. Plain data in the lowest module: the simulator or the
// launcher of MPI ranks records them, the wire carries them, and the grade stores them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark {

// One of two accesses to the same memory without a happens-before order between them.
struct RacingAccess {
  std::string thread = {};   // thread that made the access, for display: "thread (32,0,0)"
  std::string element = {};  // accessed memory: "shared[32]"
  int line = 0;              // source line of the access; 0: not known
  bool writes = false;
  // Number of barriers that the thread's block had passed before the access, and the line of the last one (0:
  // not known), if both accesses are of one block; else nullopt.
  std::optional<std::uint64_t> barriers = {};
  int barrier_line = 0;
  bool operator==(const RacingAccess&) const = default;
};

// The elements of an array that the threads of one warp access by one execution of an instruction. A position
// is an element's index plus `before`, so that no number is negative where an index is.
struct WarpAccess {
  std::string array = {};  // name of the memory: "tile", "a 400-byte allocation"
  std::string block = {};  // "block (0,0,0)"
  int line = 0;            // source line of the access; 0: not known
  bool writes = false;
  bool shared = false;       // true: shared memory; false: global memory
  std::uint64_t bytes = 0;   // bytes per element
  std::uint64_t each = 1;    // number of adjacent elements that each thread accesses
  std::uint64_t before = 0;  // position of the element of index 0
  std::uint64_t first = 0;   // position of the array's first element
  std::uint64_t elements = 0;
  std::uint64_t phase = 0;   // bytes from the last multiple of 128 in memory to the element of index 0
  std::uint64_t passes = 0;  // sectors (global) or passes (shared memory) of the access; 0: not counted
  // Number of the first thread in its grid, if grid and block extend along x alone.
  std::optional<std::uint64_t> number = {};
  std::vector<std::string> threads = {};      // index of each accessing thread in its block: "(3,0,0)"
  std::vector<std::uint64_t> positions = {};  // first accessed position of each of them
  bool operator==(const WarpAccess&) const = default;
};

// What a thread does when its block can go on no more: it waits at a barrier (or for other threads of its
// warp), it is past the place at which others wait, or it has returned from the kernel.
enum class ThreadState : std::uint8_t { waits, past, returned };
constexpr std::array<std::string_view, 3> names_of(ThreadState /*type*/) {
  return {"waits", "past", "returned"};
}

// Consecutive threads of a block, by their numbers in it, that are in the same state at the same line.
struct ThreadRun {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  ThreadState state = ThreadState::waits;
  int line = 0;  // 0: not known, or returned
  bool operator==(const ThreadRun&) const = default;
};

// One of a rank's calls of MPI.
struct RankCall {
  std::string what;    // for display: "MPI_Recv (rank 1)"
  int line = 0;        // line of the call in the blamed source file; 0: not known, or of another file
  bool waits = false;  // true: the call has not returned
};

// The calls of MPI that a rank of a host version made, in order, those alone that can wait for another rank.
struct RankCalls {
  int rank = 0;
  bool returned = false;      // true: the rank has returned from the version
  std::uint64_t earlier = 0;  // number of calls before the first of `calls`
  std::vector<RankCall> calls;
};

}  // namespace warpmark
