// Why a worker ended: what it wrote before, how its process and its channel ended.
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

// What a worker wrote before it died, as lines of a journal: a finding, and where that was.
struct LastWords {
  std::optional<Cause> cause;
  wire::Frames where;                      // of the thread that called
  std::vector<wire::Frames> others_where;  // of further threads
  std::vector<wire::Finding> findings;
  std::optional<wire::RanksFailure> ranks;
};
// fd: the file of the worker's journal.
LastWords last_words(int fd);

// All that the judge saw of it.
struct WorkerEnd {
  wire::ChannelFailure failure;
  sandbox::Ending ended;
  bool by_itself = false;           // not killed
  std::chrono::milliseconds limit;  // of the last request
  std::size_t memory_cap = 0;
  bool on_host = false;                 // it ran versions of C++
  std::optional<Cause> device_trouble;  // why its simulated device ended, too
};
Cause cause_of_end(const WorkerEnd& end, const LastWords& words);

// What a program printed, as a grade keeps it. cut: there was more.
std::string shortened(std::string printed, bool cut);

}  // namespace warpmark::judge
