// Memory resources of Thrust's vectors. They allocate through the CUDA runtime, so that the simulator counts
// and checks their memory.
#pragma once

#include <thrust/mr/memory_resource.h>
#include <thrust/system/cuda/detail/malloc_and_free.h>
#include <thrust/system/cuda/pointer.h>
#include <thrust/system/detail/bad_alloc.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

struct OfDevice {
  static cudaError_t get(void** memory, std::size_t bytes) { return ::cudaMalloc(memory, bytes); }
  static void give_back(void* memory) { ::cudaFree(memory); }
};
struct Managed {
  static cudaError_t get(void** memory, std::size_t bytes) {
    return ::cudaMallocManaged(memory, bytes, cudaMemAttachGlobal);
  }
  static void give_back(void* memory) { ::cudaFree(memory); }
};
struct Pinned {
  static cudaError_t get(void** memory, std::size_t bytes) { return ::cudaMallocHost(memory, bytes); }
  static void give_back(void* memory) { ::cudaFreeHost(memory); }
};

template <typename Kind, typename Pointer>
class resource final : public thrust::mr::memory_resource<Pointer> {
 public:
  Pointer do_allocate(std::size_t bytes, std::size_t) override {
    void* memory = nullptr;
    const cudaError_t error = Kind::get(&memory, bytes);
    if (error == cudaSuccess) return Pointer(memory);
    cudaGetLastError();
    throw thrust::system::detail::bad_alloc(cudaGetErrorString(error));
  }
  void do_deallocate(Pointer memory, std::size_t, std::size_t) override {
    Kind::give_back(thrust::raw_pointer_cast(memory));
  }
};

}  // namespace detail

using memory_resource = detail::resource<detail::OfDevice, pointer<void>>;
using universal_memory_resource = detail::resource<detail::Managed, universal_pointer<void>>;
using universal_host_pinned_memory_resource = detail::resource<detail::Pinned, universal_pointer<void>>;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::memory_resource;
using system::cuda::universal_host_pinned_memory_resource;
using system::cuda::universal_memory_resource;
}  // namespace cuda
THRUST_NAMESPACE_END
