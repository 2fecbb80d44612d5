// Worker process that is one of several MPI ranks. Rank 0 receives the judge process's requests and holds the
// input and output; it forwards load and call requests to the other ranks and waits for them. Requests travel
// over sockets of their own, so that student code cannot disturb them through MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/ranks/board.h"
#include "harness/wire/channel.h"
#include "harness/wire/request.h"

namespace warpmark::ranks {

class Member {
 public:
  // Command-line values that make a worker process an MPI rank (after kRankOption): its rank, the number of
  // ranks, and the library that starts MPI.
  struct RankArguments {
    int rank = 0;
    int ranks = 1;
    std::string library;
  };
  static std::optional<RankArguments> arguments_in(int argc, char** argv);

  // Starts MPI. Throws std::runtime_error with the reason if it does not start.
  explicit Member(const RankArguments& arguments);

  // Rank 0 of a student's MPI program sends the other ranks their part of the judge's request; call before
  // executing the request.
  void begin(const wire::NumberedRequest& request);
  // Waits until all ranks are about to make a timed call: a rank that is ready earlier would wait inside of
  // the student's MPI program, on a core that the others need. `asker`: the channel of this rank's requests.
  void meet(wire::Channel& asker);
  // Rank 0 of a student's MPI program waits for the other ranks and adds their errors to its own reply; call
  // after executing the request.
  void end(wire::Reply& reply);

 private:
  RankArguments arguments_;
  Board* board_ = nullptr;
  RankState* state_ = nullptr;
  std::vector<wire::Channel> peers_;  // rank 0 only: channels to rank 1, 2, ...
  bool asked_ = false;                // true: the other ranks take part in the current request
  std::uint64_t number_ = 0;          // of the current request
  // replies of other ranks that ended before the call, by index in peers_
  std::map<std::size_t, std::string> early_replies_;
};

// Returns the request that the other ranks execute: nullopt, the same request, or for a call the same call
// with null pointers and zeros, because only rank 0 holds the data.
std::optional<wire::Request> part_of_others(const wire::Request& request);

// Merges the reply of another rank into that of rank 0. A failure of the other rank becomes the result unless
// rank 0 failed itself.
void merge(int rank, wire::Reply& other, wire::Reply& reply);

}  // namespace warpmark::ranks
