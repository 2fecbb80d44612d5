#pragma once

#include <ostream>

#include <thrust/detail/type_traits.h>
#include <thrust/memory.h>
#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/memory_resource.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {

inline pointer<void> malloc(std::size_t bytes) {
  tag device;
  return pointer<void>(detail::malloc(device, bytes));
}
template <typename T>
pointer<T> malloc(std::size_t count) {
  return pointer<T>(static_cast<T*>(thrust::system::cuda::malloc(count * sizeof(T)).get()));
}
inline void free(pointer<void> memory) {
  tag device;
  detail::free(device, memory);
}

template <typename T>
using allocator = thrust::mr::stateless_resource_allocator<T, memory_resource>;
template <typename T>
using universal_allocator = thrust::mr::stateless_resource_allocator<T, universal_memory_resource>;
template <typename T>
using universal_host_pinned_allocator =
    thrust::mr::stateless_resource_allocator<T, universal_host_pinned_memory_resource>;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::allocator;
using system::cuda::free;
using system::cuda::malloc;
using system::cuda::universal_allocator;
using system::cuda::universal_host_pinned_allocator;
}  // namespace cuda
THRUST_NAMESPACE_END
