// thrust::host_vector with the initializer-list constructors of CUDA 13, which the installed Thrust lacks.
#pragma once

#include <initializer_list>
#include <memory>

#include <thrust/detail/config.h>
#include <thrust/detail/vector_base.h>

THRUST_NAMESPACE_BEGIN

template <typename T, typename Allocator = std::allocator<T>>
class host_vector : public detail::vector_base<T, Allocator> {
  using Base = detail::vector_base<T, Allocator>;

 public:
  using Base::Base;
  using Base::operator=;
  host_vector() = default;
  host_vector(std::initializer_list<T> values) : Base(values.begin(), values.end()) {}
  host_vector& operator=(std::initializer_list<T> values) {
    this->assign(values.begin(), values.end());
    return *this;
  }
};

template <typename T, typename Allocator>
void swap(host_vector<T, Allocator>& a, host_vector<T, Allocator>& b) {
  a.swap(b);
}

THRUST_NAMESPACE_END
