// Thrust copies within device memory by a kernel, and between host and device memory by cudaMemcpy.
#pragma once

#include <algorithm>
#include <vector>

#include <thrust/distance.h>
#include <thrust/system/cuda/detail/device.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Input, typename Output>
struct CopyEach {
  Input input;
  Output output;
  __device__ void operator()(Index i) { output[i] = input[i]; }
};
// True for types that can be copied as bytes. std::pair counts, although its assignment is not trivial.
// Compiler built-ins are used because clang 14 crashes on the library's traits for a class that contains a
// pair.
template <typename Value>
constexpr bool kIsBytes = __has_trivial_copy(Value) && __has_trivial_destructor(Value);
template <typename Input, typename Output>
constexpr bool kCopiesBytes =
    thrust::is_contiguous_iterator<Input>::value&& thrust::is_contiguous_iterator<Output>::value&&
        std::is_same_v<ValueOf<Input>, ValueOf<Output>>&& kIsBytes<ValueOf<Input>>;

template <typename Derived, typename Input, typename Size, typename Output>
Output copy_n(execution_policy<Derived>& exec, Input first, Size size, Output result) {
  const auto count = static_cast<Index>(size);
  if (count <= 0) return result;
  const auto in = plain(first);
  const auto out = plain(result);
  cudaError_t error = cudaSuccess;
  if constexpr (kCopiesBytes<Input, Output>)
    error = ::cudaMemcpyAsync(static_cast<void*>(out), in, static_cast<size_t>(count) * sizeof(*in),
                              cudaMemcpyDefault, stream_of(exec));
  else
    error = warpmark_lib::for_each_index(
        count, stream_of(exec), CopyEach<std::decay_t<decltype(in)>, std::decay_t<decltype(out)>>{in, out});
  finish(exec, error, "copy");
  return result + count;
}
template <typename Derived, typename Input, typename Output>
Output copy(execution_policy<Derived>& exec, Input first, Input last, Output result) {
  return copy_n(exec, first, thrust::distance(first, last), result);
}

template <typename To, typename From>
void copy_bytes(To* to, const From* from, Index count) {
  throw_on_error(::cudaMemcpy(static_cast<void*>(to), from, static_cast<size_t>(count) * sizeof(From),
                              cudaMemcpyDefault),
                 "a copy between host and device");
}

template <typename System>
constexpr bool kIsDevice = std::is_convertible_v<System, tag>;

// Thrust's copy from host to device memory. Input that is not contiguous or has another value type is first
// gathered in a host buffer.
template <typename Input, typename Output>
Output copy_to_device(Input first, Index count, Output result) {
  using Value = ValueOf<Input>;
  if constexpr (kCopiesBytes<Input, Output>) {
    copy_bytes(plain(result), plain(first), count);
    return result + count;
  } else {
    std::vector<std::conditional_t<std::is_same_v<Value, bool>, char, Value>> line;
    line.reserve(static_cast<size_t>(count));
    for (Index i = 0; i < count; ++i, ++first) line.push_back(*first);
    Buffer<Value> buffer(count);
    copy_bytes(buffer.data(), line.data(), count);
    tag device;
    return copy_n(device, buffer.data(), count, result);
  }
}
template <typename Input, typename Output>
Output copy_to_host(Input first, Index count, Output result) {
  using Value = ValueOf<Input>;
  if constexpr (kCopiesBytes<Input, Output>) {
    copy_bytes(plain(result), plain(first), count);
    return result + count;
  } else {
    std::vector<std::conditional_t<std::is_same_v<Value, bool>, char, Value>> line(
        static_cast<size_t>(count));
    if constexpr (thrust::is_contiguous_iterator<Input>::value) {
      copy_bytes(line.data(), plain(first), count);
    } else {
      Buffer<Value> buffer(count);
      tag device;
      copy_n(device, first, count, buffer.data());
      copy_bytes(line.data(), buffer.data(), count);
    }
    return std::copy(line.begin(), line.end(), result);
  }
}
template <typename From, typename To, typename Input, typename Size, typename Output>
Output copy_n(cross_system<From, To>&, Input first, Size size, Output result) {
  const auto count = static_cast<Index>(size);
  if (count <= 0) return result;
  if constexpr (kIsDevice<To>)
    return copy_to_device(first, count, result);
  else
    return copy_to_host(first, count, result);
}
template <typename From, typename To, typename Input, typename Output>
Output copy(cross_system<From, To>& systems, Input first, Input last, Output result) {
  return copy_n(systems, first, thrust::distance(first, last), result);
}
// Overload of Thrust's cross-system copy for a const execution policy, because Thrust passes the result of
// select_system() as a const object.
template <typename From, typename To, typename Input, typename Output>
Output copy(const cross_system<From, To>&, Input first, Input last, Output result) {
  cross_system<From, To> systems;
  return copy(systems, first, last, result);
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
