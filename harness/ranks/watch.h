// Diagnoses ranks that hang, from their state on the board. Pure functions: the caller supplies the clock and
// the board.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/ranks/board.h"
#include "harness/wire/journal.h"

namespace warpmark::ranks {

// Snapshot of a rank's state on the board.
struct Seen {
  std::uint64_t calls = 0;  // number of calls of the version that the rank entered
  bool in_version = false;
  Function function = Function::none;
  int peer = -1;
  std::uint64_t frame = 0;
  std::uint64_t entries = 0;  // number of MPI functions called so far
  bool operator==(const Seen&) const = default;
};
std::vector<Seen> look_at(const Board& board, int ranks);

// Far longer than a transfer between ranks of one machine takes; a loaded machine may delay a rank for long.
inline constexpr std::chrono::seconds kDeadlockPatience{5};

class DeadlockWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Reports a deadlock once every rank inside the call has been blocked, with unchanged state, for
  // kDeadlockPatience and all other ranks have returned from the call: nobody is left who could unblock them.
  std::optional<wire::RanksFailure> look(const std::vector<Seen>& ranks, Time now);

 private:
  std::vector<Seen> last_;
  Time since_;
};

// Describes a call that is about to exceed its time limit: which ranks compute while others wait, and where.
// frames: of ranks outside of MPI; 0 if unknown.
wire::RanksFailure time_is_up(const std::vector<Seen>& ranks, const std::vector<std::uint64_t>& frames);

// Describes how a rank's process ended, from its wait status.
wire::RanksFailure ended(int rank, int ranks, int status, const std::string& crash, std::uint64_t frame);
wire::RanksFailure refused(int rank, int ranks, Refusal refusal, const std::string& text,
                           std::uint64_t frame);

}  // namespace warpmark::ranks
