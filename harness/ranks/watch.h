// Diagnoses MPI ranks that hang, from the state that each rank publishes in shared memory (board.h). Pure
// functions: the caller supplies the clock and the state.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/ranks/board.h"
#include "harness/wire/journal.h"

namespace warpmark::ranks {

// Copy of the state that one MPI rank has published in shared memory.
struct Seen {
  std::uint64_t calls = 0;  // number of calls of the student's function that the rank has entered
  bool in_version = false;
  Function function = Function::none;
  int peer = -1;
  std::uint64_t frame = 0;
  std::uint64_t entries = 0;  // number of MPI functions called so far
  // Processor time, in clock ticks, of the rank's threads beside the one that runs the version.
  std::uint64_t time_of_others = 0;
  // Collective calls on all ranks in this call of the version, the first kMostCollectives of them.
  struct Collective {
    Function function = Function::none;
    int root = -1;
    std::uint64_t frame = 0;
    bool operator==(const Collective&) const = default;
  };
  std::vector<Collective> collectives = {};
  // The last calls of the version that can block, and how many it made before them.
  struct Call {
    Function function = Function::none;
    int peer = -1;
    std::uint64_t frame = 0;
    bool operator==(const Call&) const = default;
  };
  std::vector<Call> last_calls = {};
  std::uint64_t earlier_calls = 0;
  bool operator==(const Seen&) const = default;
};
std::vector<Seen> look_at(const Board& board, int ranks);

// Time without progress in MPI after which blocked ranks count as deadlocked. Much longer than a transfer
// between ranks on one machine takes, because a loaded machine may delay a rank.
inline constexpr std::chrono::seconds kDeadlockPatience{5};

// Returns a failure if the collective calls of two ranks differ where both made one, or if one rank has
// returned from the version, or waits in a collective call, without a call that the other made: MPI pairs the
// calls by their order. `end` is how the difference came out.
std::optional<wire::RanksFailure> different_collectives(const std::vector<Seen>& ranks, wire::RanksEnd end);

class DeadlockWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Returns a deadlock once every rank inside the student's function has been blocked in MPI, with unchanged
  // state, for kDeadlockPatience, and all other ranks have returned: no rank is left that could unblock them.
  // A rank whose other threads compute is one that could.
  std::optional<wire::RanksFailure> look(const std::vector<Seen>& ranks, Time now);

 private:
  std::vector<Seen> last_;
  Time since_;
};

// Returns the calls of each rank, for a picture; empty unless a rank waits for another in MPI, or has refused
// a call that did not fit.
std::vector<wire::RankHistory> histories_of(const std::vector<Seen>& ranks, wire::RanksEnd end);

// Describes a call of MPI code that is about to exceed its time limit: which ranks compute while others wait,
// and where. frames: per rank, the code address if the rank is outside of MPI; 0 if unknown.
wire::RanksFailure time_is_up(const std::vector<Seen>& ranks, const std::vector<std::uint64_t>& frames);

// Describes how a rank's process ended, from its wait status.
wire::RanksFailure ended(int rank, int ranks, int status, const std::string& crash, std::uint64_t frame);
wire::RanksFailure refused(int rank, int ranks, Refusal refusal, const std::string& text,
                           std::uint64_t frame);

}  // namespace warpmark::ranks
