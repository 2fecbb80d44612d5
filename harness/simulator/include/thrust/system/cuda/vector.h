#pragma once

#include <thrust/detail/vector_base.h>
#include <thrust/system/cuda/memory.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {

template <typename T, typename Allocator = thrust::system::cuda::allocator<T>>
using vector = thrust::detail::vector_base<T, Allocator>;
template <typename T, typename Allocator = thrust::system::cuda::universal_allocator<T>>
using universal_vector = thrust::detail::vector_base<T, Allocator>;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::universal_vector;
using system::cuda::vector;
}  // namespace cuda
THRUST_NAMESPACE_END
