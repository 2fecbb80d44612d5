// Shared memory through which the ranks of an MPI version show their state to the launcher. A rank that
// waits, spins or is dead need not do anything for it. The contents are claims of processes that run a
// submission: they explain a failure and never make anything pass.
//
// Only plain data, without other harness headers: the MPI side is compiled when a submission is graded,
// without the harness's libraries.
#pragma once

#include <array>
#include <atomic>
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
  X(Comm_split)

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

// Returns true for functions that all ranks must call in the same order.
constexpr bool is_collective(Function function) {
  return function >= Function::Barrier;
}

// Why a rank ended: an MPI error or a wrong call, MPI_Abort, or a crash.
enum class Refusal : std::uint32_t { none, mpi_error, aborted, crashed };

struct RankState {
  std::atomic<std::uint64_t> calls;       // number of calls of the version that the rank entered
  std::atomic<std::uint32_t> in_version;  // 1 while the rank is inside such a call
  std::atomic<Function> function;
  std::atomic<std::int32_t> peer;      // point-to-point: the other rank, -1 for any; collective: the root
  std::atomic<std::uint64_t> frame;    // call site as an offset in the library; 0: unknown
  std::atomic<std::uint64_t> entries;  // number of MPI functions called so far
  std::atomic<Refusal> refusal;        // explained by `text`; set at most once, when the rank ends
  std::array<char, 320> text;
};

struct Board {
  std::array<RankState, kMostRanks> ranks;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<Function>::is_always_lock_free);

}  // namespace warpmark::ranks
