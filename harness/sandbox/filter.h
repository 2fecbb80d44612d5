// System call filters (seccomp). What they refuse fails with EPERM, so that a program that tries goes on and
// is judged by what it computes.
#pragma once

namespace warpmark::sandbox {

enum class Filter {
  // For everything in a box: no tracing, no memory of other processes, no mounts, no namespaces, no keys, no
  // BPF, no performance events, no userfaultfd, no io_uring.
  box,
  // For a worker that is set up, on top of that: no other process or program, no signals to others, no new
  // socket. Threads are still made.
  sealed,
};

// Puts the filter on every thread of this process, for good. 0, or the errno of what failed.
int install(Filter filter);

}  // namespace warpmark::sandbox
