// Implements cuda::std::pair separately from std::pair, because clang 14 crashes when device code copies a
// class that contains a std::pair.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

namespace cuda {
namespace std {

template <typename First, typename Second>
struct pair {
  using first_type = First;
  using second_type = Second;
  First first;
  Second second;

  __host__ __device__ constexpr pair() : first(), second() {}
  __host__ __device__ constexpr pair(const First& a, const Second& b) : first(a), second(b) {}
  template <typename A, typename B,
            ::std::enable_if_t<::std::is_constructible_v<First, A&&>&& ::std::is_constructible_v<Second, B&&>,
                               int> = 0>
  __host__ __device__ constexpr pair(A&& a, B&& b)
      : first(static_cast<A&&>(a)), second(static_cast<B&&>(b)) {}
  template <typename A, typename B>
  __host__ __device__ constexpr pair(const pair<A, B>& other) : first(other.first), second(other.second) {}
  template <typename A, typename B>
  __host__ __device__ constexpr pair(const ::std::pair<A, B>& other)
      : first(other.first), second(other.second) {}
  template <typename A, typename B>
  __host__ __device__ constexpr operator ::std::pair<A, B>() const {
    return {first, second};
  }
  __host__ __device__ constexpr void swap(pair& other) {
    const pair mine = *this;
    *this = other;
    other = mine;
  }
  __host__ __device__ friend constexpr bool operator==(const pair& a, const pair& b) {
    return a.first == b.first && a.second == b.second;
  }
  __host__ __device__ friend constexpr bool operator!=(const pair& a, const pair& b) { return !(a == b); }
  __host__ __device__ friend constexpr bool operator<(const pair& a, const pair& b) {
    return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
  }
  __host__ __device__ friend constexpr bool operator>(const pair& a, const pair& b) { return b < a; }
  __host__ __device__ friend constexpr bool operator<=(const pair& a, const pair& b) { return !(b < a); }
  __host__ __device__ friend constexpr bool operator>=(const pair& a, const pair& b) { return !(a < b); }
};
template <typename First, typename Second>
pair(First, Second) -> pair<First, Second>;

template <typename A, typename B>
__host__ __device__ constexpr pair<::std::decay_t<A>, ::std::decay_t<B>> make_pair(A&& a, B&& b) {
  return {static_cast<A&&>(a), static_cast<B&&>(b)};
}

template <::std::size_t which, typename First, typename Second>
__host__ __device__ constexpr auto& get(pair<First, Second>& both) {
  if constexpr (which == 0)
    return both.first;
  else
    return both.second;
}
template <::std::size_t which, typename First, typename Second>
__host__ __device__ constexpr const auto& get(const pair<First, Second>& both) {
  if constexpr (which == 0)
    return both.first;
  else
    return both.second;
}

}  // namespace std
}  // namespace cuda
