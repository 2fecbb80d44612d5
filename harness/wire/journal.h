// Format of the journal that the simulator writes about a standalone CUDA program (not a worker process), and
// the simulator's start-up options for the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::wire {

// Environment variable that passes the simulator's start-up options, an encoded Startup, to a CUDA program.
inline constexpr char kStartupVariable[] = "WARPMARK_SIMULATION";

struct Startup {
  int journal = -1;  // file descriptor to which the simulator writes the journal
  bool checking = false;
  bool check_accesses = false;
  bool count_work = false;
  std::uint64_t schedule = 0;
  int host_threads = 0;  // threads of the simulator; 0: one per processor
  // Number of simulated warp instructions after which kernels are no longer checked for races and
  // uninitialised reads; 0: no limit.
  std::uint64_t work_limit = 0;
  bool late = false;  // true: the simulator defers work on a stream until something waits for it
  // True: the simulator records the memory accesses of every kernel launch, even while the program has only
  // one stream, so that work on a later stream can be checked for races with them.
  bool record_all = false;
  bool operator==(const Startup&) const = default;
};

// Line of the journal that the simulator writes about a CUDA program (variant JournalLine): observations
// since the previous line, the start of a kernel launch (Running), a finding (reported error), a finding's
// call stack (Frames), or the failure of an MPI program (RanksFailure).
struct Running {
  Launch launch;
  bool operator==(const Running&) const = default;
};
struct Frames {
  std::vector<std::uint64_t> frames;
  // True: the call stack's innermost frame is a kernel's host stub, within a kernel launch.
  bool in_launch = false;
  bool operator==(const Frames&) const = default;
};

// The way in which the ranks of an MPI submission failed to return a result; more specific than the exit
// status of the worker process.
enum class RanksEnd : std::uint8_t { crashed, exited, timed_out, deadlock, mpi_error };
constexpr std::array<std::string_view, 5> names_of(RanksEnd /*type*/) {
  return {"crashed", "exited", "timed_out", "deadlock", "mpi_error"};
}
struct RankPlace {
  int rank = 0;
  std::string what;         // state of the rank for display: "waits in MPI_Recv for rank 1"
  std::uint64_t frame = 0;  // call site of the MPI rank, as an offset in the student's library; 0: unknown
  bool operator==(const RankPlace&) const = default;
};
// One of a rank's calls of MPI.
struct RankCall {
  std::string what;         // for display: "MPI_Recv (rank 1)"
  std::uint64_t frame = 0;  // call site, as in RankPlace
  bool waits = false;       // true: the call has not returned
  bool operator==(const RankCall&) const = default;
};
// The calls of MPI that a rank made in the failed call of the version, in order.
struct RankHistory {
  int rank = 0;
  bool returned = false;      // true: the rank has returned from the version
  std::uint64_t earlier = 0;  // number of calls before the first of `calls`
  std::vector<RankCall> calls;
  bool operator==(const RankHistory&) const = default;
};
struct RanksFailure {
  RanksEnd end = RanksEnd::crashed;
  int ranks = 1;
  // State and call site of the failed MPI program's ranks, the failed rank first.
  std::vector<RankPlace> places;
  std::string advice;
  std::vector<RankHistory> histories = {};  // by rank; empty if the ranks do not wait for each other
  bool operator==(const RanksFailure&) const = default;
};
using JournalLine = std::variant<Observation, Running, Finding, Frames, RanksFailure>;

}  // namespace warpmark::wire
