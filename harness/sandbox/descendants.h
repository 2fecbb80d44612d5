// Everything that runs below this process, found in /proc and ended for good.
#pragma once

#include <cstddef>
#include <optional>

#include <sys/types.h>

namespace warpmark::sandbox {

struct Sweep {
  int killed = 0;                     // processes that were still running, without `program`
  std::optional<int> program_status;  // what waitpid said of `program`, where it was still to be waited for
};

// Kills every descendant and waits for it. This process must be a subreaper (prctl PR_SET_CHILD_SUBREAPER),
// so that a process whose parent ended is still found, and single-threaded. Gives up on what cannot be killed
// after ten seconds (a process that hangs inside the kernel); it is counted all the same.
Sweep end_descendants(pid_t program);

struct Usage {
  std::size_t bytes = 0;  // resident; pages that several of them share are counted once
  int processes = 0;
};

// What all descendants take now.
Usage usage_of_descendants();

}  // namespace warpmark::sandbox
