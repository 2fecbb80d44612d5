// System call filters (seccomp). A refused call fails with EPERM rather than killing the process, so that the
// program goes on and is judged by what it computes.
#pragma once

namespace warpmark::sandbox {

enum class Filter {
  // For every process in a box: forbids ptrace, access to other processes' memory, mounts, namespaces, keys,
  // BPF, perf events, userfaultfd and io_uring.
  box,
  // For a worker after its set-up, on top of `box`: forbids new processes and programs, signals to other
  // processes, and new sockets. Threads are allowed.
  sealed,
};

// Installs the filter on all threads of this process; it cannot be removed. Returns 0, or the errno of the
// failure.
int install(Filter filter);

}  // namespace warpmark::sandbox
