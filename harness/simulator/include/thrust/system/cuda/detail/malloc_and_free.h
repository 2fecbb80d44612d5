// Allocation of device memory, and access to single values in it, for Thrust.
#pragma once

#include <thrust/system/cuda/detail/device.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Derived>
void* malloc(execution_policy<Derived>&, std::size_t bytes) {
  void* memory = nullptr;
  if (::cudaMalloc(&memory, bytes) == cudaSuccess) return memory;
  cudaGetLastError();
  return nullptr;
}
template <typename Derived, typename Pointer>
void free(execution_policy<Derived>&, Pointer memory) {
  ::cudaFree(thrust::raw_pointer_cast(memory));
}

template <typename Derived, typename Pointer>
__host__ __device__ ValueOf<Pointer> get_value(execution_policy<Derived>& exec, Pointer from) {
#if defined(__CUDA_ARCH__)
  (void)exec;
  return *thrust::raw_pointer_cast(from);
#else
  using Value = ValueOf<Pointer>;
  (void)exec;
  alignas(Value) unsigned char memory[sizeof(Value)];
  throw_on_error(::cudaMemcpy(memory, thrust::raw_pointer_cast(from), sizeof(Value), cudaMemcpyDefault),
                 "a value of the device's memory");
  return reinterpret_cast<Value&>(memory);
#endif
}

// Assigns one value through iterators that may refer to host or device memory.
template <typename Derived, typename To, typename From>
__host__ __device__ void assign_value(execution_policy<Derived>& exec, To to, From from) {
  using Value = ValueOf<To>;
#if defined(__CUDA_ARCH__)
  (void)exec;
  *thrust::raw_pointer_cast(to) = static_cast<Value>(*thrust::raw_pointer_cast(from));
#else
  (void)exec;
  if constexpr (std::is_same_v<Value, ValueOf<From> >) {
    throw_on_error(::cudaMemcpy(static_cast<void*>(thrust::raw_pointer_cast(to)),
                                thrust::raw_pointer_cast(from), sizeof(Value), cudaMemcpyDefault),
                   "a value of the device's memory");
  } else {
    tag device;
    const Value value = static_cast<Value>(get_value(device, from));
    assign_value(device, to, &value);
  }
#endif
}

template <typename Derived, typename A, typename B>
__host__ __device__ void iter_swap(execution_policy<Derived>& exec, A a, B b) {
  const auto of_a = get_value(exec, a);
  const auto of_b = get_value(exec, b);
  assign_value(exec, a, &of_b);
  assign_value(exec, b, &of_a);
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
