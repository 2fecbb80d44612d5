// Finds all descendants of this process by scanning /proc, kills them, and adds up their resource usage.
#pragma once

#include <cstddef>
#include <optional>

#include <sys/types.h>

namespace warpmark::sandbox {

struct Sweep {
  int killed = 0;                     // number of descendants, except `program`, that were still running
  std::optional<int> program_status;  // wait status of `program`; nullopt if it had been reaped before
};

// Kills and reaps all descendants of this process, of which `program` is one. This process must be
// single-threaded, and a subreaper (PR_SET_CHILD_SUBREAPER), so that orphans remain its descendants. Gives up
// after ten seconds on processes that hang inside the kernel; these are included in `killed`.
Sweep end_descendants(pid_t program);

struct Usage {
  std::size_t bytes = 0;  // resident memory in bytes; pages shared by several processes are counted once
  int processes = 0;
};

// Returns the current resource usage of all descendants of this process.
Usage usage_of_descendants();

}  // namespace warpmark::sandbox
