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

// Environment variable that passes the encoded Startup to the program.
inline constexpr char kStartupVariable[] = "WARPMARK_SIMULATION";

struct Startup {
  int journal = -1;  // file descriptor to which the simulator writes the journal
  bool checking = false;
  bool check_accesses = false;
  bool count_work = false;
  std::uint64_t schedule = 0;
  int host_threads = 0;          // threads of the simulator; 0: one per processor
  std::uint64_t work_limit = 0;  // number of warp instructions after which checking ends; 0: no limit
  bool late = false;             // true: defer work on streams until something waits for it
  bool record_all = false;       // true: record the accesses of every launch, even with a single stream
  bool operator==(const Startup&) const = default;
};

// Lines of a journal (see JournalLine): observations since the previous line, the start of a kernel launch, a
// finding (reported error) of the fault handler, and the call stack of that finding.
struct Running {
  Launch launch;
  bool operator==(const Running&) const = default;
};
struct Frames {
  std::vector<std::uint64_t> frames;
  bool in_launch = false;  // true inside a launch: the innermost frame is the kernel's host stub
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
  std::uint64_t frame = 0;  // call site as an offset in the student's library; 0: not known
  bool operator==(const RankPlace&) const = default;
};
struct RanksFailure {
  RanksEnd end = RanksEnd::crashed;
  int ranks = 1;
  std::vector<RankPlace> places;  // positions of the ranks, the failed rank first
  std::string advice;
  bool operator==(const RanksFailure&) const = default;
};
using JournalLine = std::variant<Observation, Running, Finding, Frames, RanksFailure>;

}  // namespace warpmark::wire
