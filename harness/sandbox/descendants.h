// Finds all descendants of this process by scanning /proc, kills them, and adds up their resource usage.
#pragma once

#include <cstddef>
#include <optional>

#include <sys/types.h>

namespace warpmark::sandbox {

struct Sweep {
  // Number of descendants still running at the end, not counting the supervised program itself, which were
  // killed.
  int killed = 0;
  // Wait status of the supervised program; nullopt if it had been reaped before.
  std::optional<int> program_status;
};

// Kills and reaps all descendants of this process, of which `program` is one. This process must be
// single-threaded, and a subreaper (PR_SET_CHILD_SUBREAPER), so that orphans remain its descendants. Gives up
// after ten seconds on processes that hang inside the kernel; these are included in `killed`.
Sweep end_descendants(pid_t program);

struct Usage {
  // Resident memory in bytes of all descendants of this process; shared file pages are counted once.
  std::size_t bytes = 0;
  int processes = 0;
};

// Returns the current resource usage of all descendants of this process.
Usage usage_of_descendants();

}  // namespace warpmark::sandbox
