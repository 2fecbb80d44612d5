// Determines why a worker process ended, from its last reports and from the end of its process and channel.
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

// Findings and call stacks that a worker process wrote to a file before it died, one per line.
struct LastWords {
  std::optional<Cause> cause;
  wire::Frames where;                      // call stack of the thread that called the student's function
  std::vector<wire::Frames> others_where;  // call stacks of other threads
  std::vector<wire::Finding> findings;
  std::optional<wire::RanksFailure> ranks;
};
// Parses the file `fd` to which a worker process wrote its last reports.
LastWords last_words(int fd);

// Everything that the judge process knows about the end of a worker process.
struct WorkerEnd {
  wire::ChannelFailure failure;
  sandbox::Ending ended;
  bool by_itself = false;  // true: the worker process ended by itself; false: the judge process killed it
  std::chrono::milliseconds limit;  // time limit of the worker process's last request
  std::size_t memory_cap = 0;
  bool on_host = false;                 // true: the worker process ran plain C++ code
  std::optional<Cause> device_trouble;  // set if the worker process's simulated device ended, too
};
Cause cause_of_end(const WorkerEnd& end, const LastWords& words);

// Returns the cause of a request that a worker process answered it could not do. `what` says so; student code
// is at fault once it may have run.
Cause cause_of_failed_request(const std::string& what, bool holds_a_submission, bool on_host);

// Returns a program's output as stored in a grade, at most 4 KiB. `cut`: the output was truncated before.
std::string shortened(std::string printed, bool cut);

}  // namespace warpmark::judge
