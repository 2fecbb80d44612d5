// thrust::universal_vector (in managed memory) with the initializer-list constructors of CUDA 13, which the
// installed Thrust lacks. Like CUDA 13's header, also includes counting iterators and cuda::std, which
// programs rely on.
#pragma once

#include <cuda/std/utility>
#include <initializer_list>

#include <thrust/detail/config.h>
#include <thrust/detail/vector_base.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system/cuda/memory.h>

THRUST_NAMESPACE_BEGIN

template <typename T, typename Allocator = thrust::system::cuda::universal_allocator<T>>
class universal_vector : public detail::vector_base<T, Allocator> {
  using Base = detail::vector_base<T, Allocator>;

 public:
  using Base::Base;
  using Base::operator=;
  universal_vector() = default;
  universal_vector(std::initializer_list<T> values) : Base(values.begin(), values.end()) {}
  universal_vector& operator=(std::initializer_list<T> values) {
    this->assign(values.begin(), values.end());
    return *this;
  }
};

template <typename T, typename Allocator>
void swap(universal_vector<T, Allocator>& a, universal_vector<T, Allocator>& b) {
  a.swap(b);
}

THRUST_NAMESPACE_END
