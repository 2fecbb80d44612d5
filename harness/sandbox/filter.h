// System call filters (seccomp) for student code. A blocked call fails with EPERM instead of killing the
// process, so that the program continues and is graded by its results.
#pragma once

namespace warpmark::sandbox {

enum class Filter {
  // For every process in a sandbox: forbids ptrace, access to other processes' memory, mounts, namespaces,
  // keys, BPF, perf events, userfaultfd and io_uring.
  box,
  // In addition to `box`, for a worker process (which runs student code) after its set-up: forbids new
  // processes and programs, signals to other processes, and new sockets. Threads are allowed.
  sealed,
};

// Installs the filter irrevocably on all threads of this process. Returns 0 or the errno of the failure.
int install(Filter filter);

}  // namespace warpmark::sandbox
