// System call filters (seccomp) for student code. A blocked call fails with EPERM instead of killing the
// process, so that the program continues and is graded by its results.
#pragma once

namespace warpmark::sandbox {

enum class Filter {
  // For every process in a sandbox: forbids ptrace, access to other processes' memory, mounts, namespaces,
  // keys, BPF, perf events, userfaultfd and io_uring.
  box,
  // System call filter for a worker process after its set-up, just before it runs student code. Adds to
  // `box`: no new processes or programs, no other processor for a process that is bound to one, no signals to
  // other processes, no new sockets, no further executable
  // pages by mprotect, no /proc/self/mem; what the program and its libraries execute cannot be changed (on
  // Linux 6.10 and later). Threads are allowed.
  sealed,
  // Adds to `sealed`: no new signal handlers and no restartable sequences. Both would run student code
  // between two calls: at a timer's end, a fault or a change of threads in the harness's own code.
  sealed_between_calls,
};

// Installs a system call filter (seccomp) irrevocably on all threads of this process. Returns 0 or the errno
// of the failure.
int install(Filter filter);

}  // namespace warpmark::sandbox
