// A worker that is one rank of several. Rank 0 has the judge's requests, the data and the results; it tells
// the others what to load and when to call, and waits for them. Requests go over sockets of their own:
// nothing of this needs MPI, and nothing that a version does with MPI can disturb it.
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
  // What follows kRankOption among a worker's arguments: its rank, their number, the library that starts MPI.
  // Nothing without that option.
  struct Place {
    int rank = 0;
    int ranks = 1;
    std::string library;
  };
  static std::optional<Place> place_in(int argc, char** argv);

  // Starts MPI. Throws std::runtime_error with what keeps it from starting.
  explicit Member(const Place& place);

  // Before a request is answered: the other ranks get their part of it.
  void begin(const wire::NumberedRequest& request);
  // After that: what went wrong at other ranks is in the reply of rank 0.
  void end(wire::Reply& reply);

 private:
  Place place_;
  RankState* state_ = nullptr;
  std::vector<wire::Channel> peers_;  // of rank 0: to rank 1, 2, ...
  bool asked_ = false;                // the others, of the present request
};

// The part of other ranks in a request: nothing of it, the same, or a call without data: null pointers, and 0
// for every number.
std::optional<wire::Request> part_of_others(const wire::Request& request);

// Puts what the reply of another rank reports into that of rank 0, which it decides where rank 0 has no
// failure of its own.
void merge(int rank, wire::Reply& other, wire::Reply& reply);

}  // namespace warpmark::ranks
