// Implements cuda::barrier. The simulator holds the barrier's state, keyed by its address in shared memory
// (harness/simulator/engine/machine/barrier_objects.cpp). A thread's arrival token is the number of the
// phase.
#pragma once

#include "warpmark_cuda/device/copy_bytes.h"
#include "warpmark_cuda/standard/thread_scope.h"

#if defined(__CUDA__)

#define WARPMARK_BARRIER __device__ __attribute__((always_inline, nodebug))

extern "C" {
__device__ void __warpmark_barrier_init(const void* barrier, unsigned int expected);
__device__ unsigned long long __warpmark_barrier_arrive(const void* barrier, unsigned int arrivals,
                                                        unsigned int drops);
__device__ int __warpmark_barrier_test(const void* barrier, unsigned long long phase);
__device__ void __warpmark_barrier_wait(const void* barrier, unsigned long long phase);
}

namespace cuda {

namespace warpmark {
struct NoCompletion {
  WARPMARK_BARRIER void operator()() {}
};
}  // namespace warpmark

template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

template <thread_scope Scope = thread_scope_system, typename Completion = warpmark::NoCompletion>
class barrier {
  static_assert(Scope == thread_scope_block || Scope == thread_scope_thread,
                "a barrier of more than a block is unavailable: not simulated by Warpmark");

 public:
  typedef unsigned long long arrival_token;

  barrier() = default;
  WARPMARK_BARRIER barrier(ptrdiff_t expected) { begin(expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  WARPMARK_BARRIER arrival_token arrive(ptrdiff_t arrivals = 1) {
    asm volatile("" ::: "memory");
    return __warpmark_barrier_arrive(this, (unsigned int)arrivals, 0);
  }
  WARPMARK_BARRIER void wait(arrival_token&& phase) const {
    __warpmark_barrier_wait(this, phase);
    asm volatile("" ::: "memory");
  }
  WARPMARK_BARRIER void arrive_and_wait() { wait(arrive()); }
  WARPMARK_BARRIER void arrive_and_drop() { __warpmark_barrier_arrive(this, 1, 1); }
  WARPMARK_BARRIER bool try_wait(arrival_token&& phase) const {
    wait(static_cast<arrival_token&&>(phase));
    return true;
  }
  // cuda::barrier: waits until the phase with the given parity has completed; the first phase has parity 0.
  WARPMARK_BARRIER void wait_parity(bool parity) const {
    unsigned long long phase = parity ? 1 : 0;
    while (__warpmark_barrier_test(this, phase + 1) != 0) phase += 2;
    __warpmark_barrier_wait(this, phase);
    asm volatile("" ::: "memory");
  }
  __host__ __device__ static constexpr ptrdiff_t max() { return (1 << 20) - 1; }

  WARPMARK_BARRIER void begin(ptrdiff_t expected) {
    state_ = 0;
    __warpmark_barrier_init(this, (unsigned int)expected);
  }

 private:
  // gives a cuda::barrier its size on a GPU; otherwise unused, because the simulator keeps barrier state
  // elsewhere
  unsigned long long state_;
};

template <thread_scope Scope, typename Completion>
WARPMARK_BARRIER inline void init(barrier<Scope, Completion>* object, ptrdiff_t expected) {
  object->begin(expected);
}

// cuda::memcpy_async with a barrier: the copy is complete when the call returns, but a thread that reads the
// data before the barrier's phase has completed races with the copying thread, as on a GPU.
template <typename To, typename From, typename Size, thread_scope Scope, typename Completion>
WARPMARK_BARRIER inline void memcpy_async(To* to, const From* from, Size bytes, barrier<Scope, Completion>&) {
  warpmark_copy_bytes((char*)to, (const char*)from, (size_t)bytes, 0, 1);
}
template <typename Group, typename To, typename From, typename Size, thread_scope Scope, typename Completion>
WARPMARK_BARRIER inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes,
                                          barrier<Scope, Completion>&) {
  warpmark_copy_bytes((char*)to, (const char*)from, (size_t)bytes, (size_t)group.thread_rank(),
                      (size_t)group.size());
}

}  // namespace cuda

#endif
