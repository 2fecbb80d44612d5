// Thrust's CUDA backend for the simulator: the installed Thrust library with kernels of our own. Thrust
// builds most algorithms from a few primitives; this folder implements those, and only its kernels access
// device memory.
#pragma once

#include <cuda_runtime.h>
#include <thrust/detail/allocator_aware_execution_policy.h>
#include <thrust/detail/config.h>
#include <thrust/detail/execution_policy.h>
#include <thrust/iterator/detail/any_system_tag.h>
#include <thrust/system/cpp/detail/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

struct tag;
template <typename Derived>
struct execution_policy;
template <>
struct execution_policy<tag> : thrust::execution_policy<tag> {
  using tag_type = tag;
};
struct tag : execution_policy<tag> {};
template <typename Derived>
struct execution_policy : thrust::execution_policy<Derived> {
  using tag_type = tag;
  operator tag() const { return tag(); }
};

// Execution policy that thrust::cuda::par.on(stream) returns.
struct on_stream : execution_policy<on_stream>,
                   thrust::detail::allocator_aware_execution_policy<execution_policy> {
  cudaStream_t stream;
  bool waits;
  __host__ __device__ constexpr on_stream(cudaStream_t queue, bool synchronous)
      : stream(queue), waits(synchronous) {}
};
template <bool synchronous>
struct par_of : execution_policy<par_of<synchronous>>,
                thrust::detail::allocator_aware_execution_policy<execution_policy> {
  __host__ __device__ constexpr par_of() {}
  __host__ __device__ on_stream on(cudaStream_t stream) const { return on_stream(stream, synchronous); }
};
using par_t = par_of<true>;
using par_nosync_t = par_of<false>;

// Execution policy of a copy between host and device memory.
template <typename From, typename To>
struct cross_system : execution_policy<cross_system<From, To>> {};

// stream_of() returns the CUDA stream on which algorithms with this execution policy run. waits() returns
// true if the stream is synchronised after the algorithm.
template <typename Derived>
cudaStream_t stream_of(const thrust::detail::execution_policy_base<Derived>& exec) {
  if constexpr (std::is_base_of_v<on_stream, Derived>)
    return thrust::detail::derived_cast(exec).stream;
  else
    return nullptr;
}
template <typename Derived>
bool waits(const thrust::detail::execution_policy_base<Derived>& exec) {
  if constexpr (std::is_base_of_v<on_stream, Derived>)
    return thrust::detail::derived_cast(exec).waits;
  else
    return !std::is_same_v<Derived, par_nosync_t>;
}

template <typename System1, typename System2>
__host__ __device__ cross_system<System1, System2> select_system(
    const execution_policy<System1>&, const thrust::cpp::execution_policy<System2>&) {
  return {};
}
template <typename System1, typename System2>
__host__ __device__ cross_system<System1, System2> select_system(
    const thrust::cpp::execution_policy<System1>&, const execution_policy<System2>&) {
  return {};
}

}  // namespace detail

using detail::execution_policy;
using detail::tag;
// Defines Thrust's macro THRUST_INLINE_CONSTANT, which our headers use, where CCCL 3 no longer does.
#if !defined(THRUST_INLINE_CONSTANT)
#define THRUST_INLINE_CONSTANT inline constexpr
#endif
THRUST_INLINE_CONSTANT detail::par_t par;
THRUST_INLINE_CONSTANT detail::par_nosync_t par_nosync;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::execution_policy;
using system::cuda::par;
using system::cuda::par_nosync;
using system::cuda::tag;
}  // namespace cuda
THRUST_NAMESPACE_END
