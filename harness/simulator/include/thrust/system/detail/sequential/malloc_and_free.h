// Temporary memory of thrust's algorithms on the simulator, which run in the host. What they copy to and from
// it crosses nothing on a GPU, so that it is remembered (trivial_copy.h).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/detail/sequential/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

class temporary_memory {
 public:
  static temporary_memory& instance() {
    static temporary_memory memory;
    return memory;
  }
  void* allocate(std::size_t bytes) {
    void* begin = std::malloc(bytes);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (begin != nullptr) blocks_[begin] = bytes;
    return begin;
  }
  void release(void* begin) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      blocks_.erase(begin);
    }
    std::free(begin);
  }
  bool holds(const void* pointer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    auto next = blocks_.upper_bound(pointer);
    if (next == blocks_.begin()) return false;
    --next;
    return static_cast<const char*>(pointer) < static_cast<const char*>(next->first) + next->second;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, std::size_t, std::less<const void*>> blocks_;
};

template <typename DerivedPolicy>
inline __host__ __device__ void* malloc(execution_policy<DerivedPolicy>&, std::size_t n) {
#ifdef __CUDA_ARCH__
  return nullptr;
#else
  return temporary_memory::instance().allocate(n);
#endif
}

template <typename DerivedPolicy, typename Pointer>
inline __host__ __device__ void free(sequential::execution_policy<DerivedPolicy>&, Pointer ptr) {
#ifndef __CUDA_ARCH__
  temporary_memory::instance().release(thrust::raw_pointer_cast(ptr));
#endif
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
