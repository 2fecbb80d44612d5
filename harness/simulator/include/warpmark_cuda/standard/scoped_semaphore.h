// Implements cuda::counting_semaphore and cuda::latch by cuda::atomic.
#pragma once

#include "warpmark_cuda/standard/scoped_atomic.h"

#if defined(__CUDA__)

namespace cuda {

template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = 0x7fffffff>
class counting_semaphore {
 public:
  __host__ __device__ constexpr explicit counting_semaphore(ptrdiff_t count = 0) : count_((int)count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  counting_semaphore& operator=(const counting_semaphore&) = delete;
  __host__ __device__ static constexpr ptrdiff_t max() { return Most; }

  WARPMARK_ATOMIC_MEMBER void release(ptrdiff_t count = 1) {
    count_.fetch_add((int)count, memory_order_release);
  }
  WARPMARK_ATOMIC_MEMBER bool try_acquire() {
    int count = count_.load(memory_order_relaxed);
    while (count > 0) {
      if (count_.compare_exchange_strong(count, count - 1, memory_order_acquire)) return true;
    }
    return false;
  }
  WARPMARK_ATOMIC_MEMBER void acquire() {
    while (!try_acquire()) count_.wait(0, memory_order_relaxed);
  }

 private:
  atomic<int, Scope> count_;
};
template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

template <thread_scope Scope = thread_scope_system>
class latch {
 public:
  __host__ __device__ constexpr explicit latch(ptrdiff_t expected) : left_((int)expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;
  __host__ __device__ static constexpr ptrdiff_t max() { return 0x7fffffff; }

  WARPMARK_ATOMIC_MEMBER void count_down(ptrdiff_t arrivals = 1) {
    left_.fetch_sub((int)arrivals, memory_order_release);
  }
  WARPMARK_ATOMIC_MEMBER bool try_wait() const { return left_.load(memory_order_acquire) == 0; }
  WARPMARK_ATOMIC_MEMBER void wait() const {
    while (!try_wait()) {
#if defined(__CUDA_ARCH__)
      __nanosleep(100);
#endif
    }
  }
  WARPMARK_ATOMIC_MEMBER void arrive_and_wait(ptrdiff_t arrivals = 1) {
    count_down(arrivals);
    wait();
  }

 private:
  atomic<int, Scope> left_;
};

}  // namespace cuda

#endif
