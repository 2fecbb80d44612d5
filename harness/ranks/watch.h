// What is wrong with ranks that do not come back, judged by what they show on the board. Values in, values
// out: the clock and the board are the caller's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/ranks/board.h"
#include "harness/wire/journal.h"

namespace warpmark::ranks {

// How a rank was seen.
struct Seen {
  std::uint64_t calls = 0;  // of the version that it entered
  bool in_version = false;
  Function function = Function::none;
  int peer = -1;
  std::uint64_t frame = 0;
  std::uint64_t entries = 0;  // so many functions of MPI were called
  bool operator==(const Seen&) const = default;
};
std::vector<Seen> look_at(const Board& board, int ranks);

// Data between ranks of one machine moves in less; a loaded machine may take long to let a rank run.
inline constexpr std::chrono::seconds kDeadlockPatience{5};

class DeadlockWatch {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // The deadlock, once every rank that is in the call has waited, unchanged, for kDeadlockPatience, and
  // everyone else has returned from it: nobody is left who could end the waiting.
  std::optional<wire::RanksFailure> look(const std::vector<Seen>& ranks, Time now);

 private:
  std::vector<Seen> last_;
  Time since_;
};

// A call whose time is nearly up: who computes while others wait, by where each is now. frames: of the ranks
// outside of MPI, 0 where it is not known.
wire::RanksFailure time_is_up(const std::vector<Seen>& ranks, const std::vector<std::uint64_t>& frames);

// How a rank's process ended, as wait() says it. text: of the rank itself, for a reason of MPI.
wire::RanksFailure ended(int rank, int ranks, int status, const std::string& crash, std::uint64_t frame);
wire::RanksFailure refused(int rank, int ranks, Refusal refusal, const std::string& text,
                           std::uint64_t frame);

}  // namespace warpmark::ranks
