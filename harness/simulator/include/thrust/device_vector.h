// thrust::device_vector with the initializer-list constructors of CUDA 13, which the installed Thrust lacks.
// Like CUDA 13's header, also includes host vectors and extrema, which programs rely on.
#pragma once

#include <initializer_list>

#include <thrust/detail/config.h>
#include <thrust/detail/vector_base.h>
#include <thrust/device_allocator.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>

THRUST_NAMESPACE_BEGIN

template <typename T, typename Allocator = thrust::device_allocator<T>>
class device_vector : public detail::vector_base<T, Allocator> {
  using Base = detail::vector_base<T, Allocator>;

 public:
  using Base::Base;
  using Base::operator=;
  device_vector() = default;
  device_vector(std::initializer_list<T> values) : Base(values.begin(), values.end()) {}
  device_vector& operator=(std::initializer_list<T> values) {
    this->assign(values.begin(), values.end());
    return *this;
  }
};

template <typename T, typename Allocator>
void swap(device_vector<T, Allocator>& a, device_vector<T, Allocator>& b) {
  a.swap(b);
}

THRUST_NAMESPACE_END
