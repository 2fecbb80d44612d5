// Determines why a worker ended, from what it wrote before and how its process and channel ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/grade.h"
#include "harness/sandbox/process.h"
#include "harness/wire/channel.h"
#include "harness/wire/journal.h"

namespace warpmark::judge {

// Findings and call stacks that a worker wrote before it died, as lines of a journal.
struct LastWords {
  std::optional<Cause> cause;
  wire::Frames where;                      // call stack of the calling thread
  std::vector<wire::Frames> others_where;  // of other threads
  std::vector<wire::Finding> findings;
  std::optional<wire::RanksFailure> ranks;
};
// fd: the file that the worker wrote them to.
LastWords last_words(int fd);

// Everything that the judge knows about the worker's end.
struct WorkerEnd {
  wire::ChannelFailure failure;
  sandbox::Ending ended;
  bool by_itself = false;           // not killed by the judge
  std::chrono::milliseconds limit;  // time limit of the last request
  std::size_t memory_cap = 0;
  bool on_host = false;                 // it ran C++ versions
  std::optional<Cause> device_trouble;  // why its simulated device ended as well
};
Cause cause_of_end(const WorkerEnd& end, const LastWords& words);

// Returns a program's output as a grade stores it. cut: the output was truncated.
std::string shortened(std::string printed, bool cut);

}  // namespace warpmark::judge
