// Shared memory in which each rank of an MPI program publishes its state, so that the launcher can diagnose a
// rank that waits, spins or is dead. The ranks run student code, which may write anything here: the contents
// explain failures and never make a check pass.
//
// Plain data without other project headers, because mpi_side.cpp is compiled at grading time, without the
// project's libraries.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpmark::ranks {

inline constexpr int kMostRanks = 16;

// The MPI functions that can block on other ranks.
#define WARPMARK_MPI_FUNCTIONS(X) \
  X(Send)                         \
  X(Ssend)                        \
  X(Recv)                         \
  X(Sendrecv)                     \
  X(Wait)                         \
  X(Waitall)                      \
  X(Waitany)                      \
  X(Probe)                        \
  X(Put)                          \
  X(Get)                          \
  X(Accumulate)                   \
  X(Win_lock)                     \
  X(Win_unlock)                   \
  X(Win_lock_all)                 \
  X(Win_unlock_all)               \
  X(Win_flush)                    \
  X(Barrier)                      \
  X(Bcast)                        \
  X(Scatter)                      \
  X(Scatterv)                     \
  X(Gather)                       \
  X(Gatherv)                      \
  X(Allgather)                    \
  X(Allgatherv)                   \
  X(Reduce)                       \
  X(Allreduce)                    \
  X(Reduce_scatter)               \
  X(Alltoall)                     \
  X(Alltoallv)                    \
  X(Scan)                         \
  X(Exscan)                       \
  X(Comm_dup)                     \
  X(Comm_split)                   \
  X(Win_create)                   \
  X(Win_allocate)                 \
  X(Win_fence)                    \
  X(Win_free)

enum class Function : std::uint32_t {
  none,
#define WARPMARK_X(name) name,
  WARPMARK_MPI_FUNCTIONS(WARPMARK_X)
#undef WARPMARK_X
};

inline constexpr std::array kFunctionNames{"",
#define WARPMARK_X(name) "MPI_" #name,
                                           WARPMARK_MPI_FUNCTIONS(WARPMARK_X)
#undef WARPMARK_X
};

// Returns true for collective MPI functions, which all ranks must call in the same order.
constexpr bool is_collective(Function function) {
  return function >= Function::Barrier;
}

// Reason why a rank ended: an MPI error or a wrong call, MPI_Abort, or a crash.
enum class Refusal : std::uint32_t { none, mpi_error, aborted, crashed };

// What is said of a window where MPI's one-sided communication does not work.
inline constexpr const char* kNoWindows = "one-sided communication does not work on this machine";

// One call of a collective function on all ranks.
struct Collective {
  std::atomic<Function> function;
  std::atomic<std::int32_t> root;  // -1: the function has none
  std::atomic<std::uint64_t> frame;
};
inline constexpr std::size_t kMostCollectives = 32;  // of the calls in a version, the first so many are noted

// The last calls of the version's thread that can block, a ring: call `k` is at k % kMostCalls.
struct NotedCall {
  std::atomic<Function> function;
  std::atomic<std::int32_t> peer;  // as RankState::peer
  std::atomic<std::uint64_t> frame;
};
inline constexpr std::size_t kMostCalls = 16;

struct RankState {
  std::atomic<std::uint64_t> calls;  // number of calls of the student's function that the rank has entered
  std::atomic<std::uint32_t> in_version;  // 1 while the rank is inside the student's function
  std::atomic<Function> function;
  // Rank that the current MPI call refers to: the other rank of a point-to-point call (-1: any), or the root
  // of a collective call.
  std::atomic<std::int32_t> peer;
  // Where the student's code called MPI, as an offset in its library; 0: unknown.
  std::atomic<std::uint64_t> frame;
  std::atomic<std::uint64_t> entries;  // number of MPI functions called so far
  // Calls of collective functions on MPI_COMM_WORLD since the version was entered; all ranks must make the
  // same.
  std::atomic<std::uint64_t> collectives;
  std::array<Collective, kMostCollectives> noted;
  std::atomic<std::uint64_t> made;  // number of calls that were noted since the version was entered
  std::array<NotedCall, kMostCalls> last_calls;
  // Why the rank's process ended itself, with details in `text`; set at most once.
  std::atomic<Refusal> refusal;
  std::array<char, 320> text;
};

struct Board {
  std::array<RankState, kMostRanks> ranks;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<Function>::is_always_lock_free);

}  // namespace warpmark::ranks
