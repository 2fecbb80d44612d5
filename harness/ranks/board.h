// What the ranks of a version with MPI tell their launcher while they run: shared memory, so that a rank that
// waits, spins or is dead needs to do nothing for it. Everything on it is a claim of processes that run a
// submission: it explains a failure and never passes anything.
//
// Plain data of this header alone: the side of MPI is built when a submission is graded, without the
// harness's libraries.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace warpmark::ranks {

inline constexpr int kMostRanks = 16;

// What a rank is in: a function of MPI that may wait for other ranks.
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

// All ranks have to call these, in the same order.
constexpr bool is_collective(Function function) {
  return function >= Function::Barrier;
}

// What a rank said of its end: an error of MPI or a wrong call, MPI_Abort, or what it crashed of.
enum class Refusal : std::uint32_t { none, mpi_error, aborted, crashed };

struct RankState {
  std::atomic<std::uint64_t> calls;       // of the version that it entered
  std::atomic<std::uint32_t> in_version;  // 1: between the begin and the end of such a call
  std::atomic<Function> function;
  std::atomic<std::int32_t> peer;      // of a message: the other rank, -1: any; of a collective: its root
  std::atomic<std::uint64_t> frame;    // where it was called: an offset in the library; 0: not known
  std::atomic<std::uint64_t> entries;  // so many functions of MPI were called
  std::atomic<Refusal> refusal;        // with a text; the last word of the rank
  std::array<char, 320> text;
};

struct Board {
  std::array<RankState, kMostRanks> ranks;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<Function>::is_always_lock_free);

}  // namespace warpmark::ranks
