// The memory of thrust's vectors on the simulator, in place of the packaged header's operator new: device
// vectors lie in device memory, so that kernels reach them and allocations are on record; universal ones in
// managed memory.
#pragma once

#include <new>

#include <cuda_runtime_api.h>
#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
namespace detail {

class device_resource final : public thrust::mr::memory_resource<> {
 public:
  // Throws std::bad_alloc.
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    if (cudaMalloc(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFree(memory); }
};

class managed_resource final : public thrust::mr::memory_resource<> {
 public:
  // Throws std::bad_alloc.
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    if (cudaMallocManaged(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFree(memory); }
};

typedef thrust::mr::fancy_pointer_resource<device_resource, thrust::cpp::pointer<void>> native_resource;
typedef thrust::mr::fancy_pointer_resource<managed_resource, thrust::cpp::universal_pointer<void>>
    universal_native_resource;

}  // namespace detail

typedef detail::native_resource memory_resource;
typedef detail::universal_native_resource universal_memory_resource;
typedef detail::universal_native_resource universal_host_pinned_memory_resource;

}  // namespace cpp
}  // namespace system
THRUST_NAMESPACE_END
