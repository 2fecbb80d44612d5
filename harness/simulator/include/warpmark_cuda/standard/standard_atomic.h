// Defines cuda::std's atomics, semaphores and latches as those of namespace cuda with system scope.
#pragma once

#include "warpmark_cuda/standard/scoped_semaphore.h"
#include "warpmark_cuda/standard/standard.h"

#if defined(__CUDA__)

namespace cuda {
namespace std {

using ::cuda::atomic_thread_fence;
using ::cuda::memory_order;
using ::cuda::memory_order_acq_rel;
using ::cuda::memory_order_acquire;
using ::cuda::memory_order_consume;
using ::cuda::memory_order_relaxed;
using ::cuda::memory_order_release;
using ::cuda::memory_order_seq_cst;
template <typename T>
using atomic = ::cuda::atomic<T>;
template <typename T>
using atomic_ref = ::cuda::atomic_ref<T>;
using atomic_flag = ::cuda::atomic_flag<>;
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned int>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_size_t = atomic<size_t>;
template <ptrdiff_t Most = 0x7fffffff>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::binary_semaphore<>;
using latch = ::cuda::latch<>;

}  // namespace std
}  // namespace cuda

#endif
