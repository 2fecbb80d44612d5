// Thrust's pointers and references to device memory.
#pragma once

#include <type_traits>

#include <thrust/detail/pointer.h>
#include <thrust/detail/reference.h>
#include <thrust/system/cuda/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {

template <typename T>
using pointer = thrust::pointer<T, tag, thrust::tagged_reference<T, tag>>;
// Pointer to managed memory, which host code may dereference.
template <typename T>
using universal_pointer = thrust::pointer<T, tag, std::add_lvalue_reference_t<T>>;
template <typename T>
using reference = thrust::reference<T, tag>;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::pointer;
using system::cuda::reference;
using system::cuda::universal_pointer;
}  // namespace cuda
THRUST_NAMESPACE_END
