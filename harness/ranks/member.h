// A worker that is one of several ranks. Rank 0 receives the judge's requests and holds the data and results;
// it tells the other ranks what to load and when to call, and waits for them. Requests travel over separate
// sockets, so this does not depend on MPI and a version cannot disturb it through MPI.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/ranks/board.h"
#include "harness/wire/channel.h"
#include "harness/wire/request.h"

namespace warpmark::ranks {

class Member {
 public:
  // The values after kRankOption in a worker's arguments: its rank, the number of ranks, and the library that
  // starts MPI.
  struct RankArguments {
    int rank = 0;
    int ranks = 1;
    std::string library;
  };
  static std::optional<RankArguments> arguments_in(int argc, char** argv);

  // Starts MPI. Throws std::runtime_error with the reason if it does not start.
  explicit Member(const RankArguments& arguments);

  // Sends the other ranks their part of a request; call before answering it.
  void begin(const wire::NumberedRequest& request);
  // Waits for the other ranks and adds their errors to rank 0's reply; call after answering.
  void end(wire::Reply& reply);

 private:
  RankArguments arguments_;
  RankState* state_ = nullptr;
  std::vector<wire::Channel> peers_;  // rank 0 only: channels to rank 1, 2, ...
  bool asked_ = false;                // the other ranks take part in the current request
};

// Returns the part of a request that the other ranks execute: nothing, the same request, or a call without
// data, with null pointers and 0 for every number.
std::optional<wire::Request> part_of_others(const wire::Request& request);

// Merges the reply of another rank into that of rank 0. A failure of the other rank becomes the result unless
// rank 0 failed itself.
void merge(int rank, wire::Reply& other, wire::Reply& reply);

}  // namespace warpmark::ranks
