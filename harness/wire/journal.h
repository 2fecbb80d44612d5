// What the simulator tells about a program of its own (not a worker), and what it is told at its start.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/wire/observation.h"

namespace warpmark::wire {

// The name of the environment variable that carries it.
inline constexpr char kStartupVariable[] = "WARPMARK_SIMULATION";

struct Startup {
  int journal = -1;  // descriptor to write to
  bool checking = false;
  bool check_accesses = false;
  bool count_work = false;
  std::uint64_t schedule = 0;
  int host_threads = 0;          // 0: as many as the machine has
  std::uint64_t work_limit = 0;  // warp instructions that are checked; 0: no limit
  bool late = false;             // work on streams is done when something waits for it
  bool record_all = false;       // accesses of each launch, whatever streams there are
  bool operator==(const Startup&) const = default;
};

// The lines of a journal: what was seen since the line before; a launch begins; the fault handler's finding;
// where in the program that was.
struct Running {
  Launch launch;
  bool operator==(const Running&) const = default;
};
struct Frames {
  std::vector<std::uint64_t> frames;
  bool in_launch = false;  // in a kernel's launch: the innermost frame of the program is the kernel's stub
  bool operator==(const Frames&) const = default;
};

// How the ranks of a version with MPI ended without an answer, in place of what a worker alone would say.
enum class RanksEnd : std::uint8_t { crashed, exited, timed_out, deadlock, mpi_error };
std::string_view name_of(RanksEnd end);
struct RankPlace {
  int rank = 0;
  std::string what;         // "waits in MPI_Recv for rank 1"
  std::uint64_t frame = 0;  // where, an offset in the version's library; 0: not known
  bool operator==(const RankPlace&) const = default;
};
struct RanksFailure {
  RanksEnd end = RanksEnd::crashed;
  int ranks = 1;
  std::vector<RankPlace> places;  // the one to blame first
  std::string advice;
  bool operator==(const RanksFailure&) const = default;
};
using JournalLine = std::variant<Observation, Running, Finding, Frames, RanksFailure>;

}  // namespace warpmark::wire
