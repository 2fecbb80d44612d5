// Finds all descendants of this process in /proc and kills them.
#pragma once

#include <cstddef>
#include <optional>

#include <sys/types.h>

namespace warpmark::sandbox {

struct Sweep {
  int killed = 0;                     // descendants that were still running, `program` excluded
  std::optional<int> program_status;  // wait status of `program`, if it had not been reaped before
};

// Kills all descendants and reaps them. This process must be a subreaper (PR_SET_CHILD_SUBREAPER), so that
// orphaned descendants are found, and single-threaded. Gives up after ten seconds on a process that cannot be
// killed because it hangs inside the kernel; such a process is counted in `killed` all the same.
Sweep end_descendants(pid_t program);

struct Usage {
  std::size_t bytes = 0;  // resident memory; pages shared by several processes are counted once
  int processes = 0;
};

// Returns the current resource usage of all descendants.
Usage usage_of_descendants();

}  // namespace warpmark::sandbox
