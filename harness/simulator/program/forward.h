// Forwards runtime functions to the device process.
#pragma once

#include <tuple>

#include "harness/simulator/both/address_plan.h"
#include "harness/simulator/program/connection.h"
#include "harness/simulator/program/stream_capture.h"

namespace warpmark::simulator {

// Launches a kernel with a cluster size that a launch attribute gives (cudaLaunchKernelEx).
cudaError_t launch_in_clusters(bool cooperative, const void* kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream, dim3 cluster);
// Sets the thread's last CUDA error, as CUDA does, and returns it.
cudaError_t remember(cudaError_t error);

// True if the address is outside the range of device memory; whether it is mapped is not checked.
inline bool is_host_memory(const void* pointer) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  return pointer != nullptr && address - kDeviceRange >= kDeviceRangeBytes;
}

template <class T>
void put_argument(Packer& to, T value) {
  if constexpr (kFilledIn<T>) {
    to.put(value != nullptr);
    if (value != nullptr) to.put(*value);
  } else {
    to.put(value);
  }
}
template <class T>
void take_argument(Unpacker& from, T value) {
  if constexpr (kFilledIn<T>) {
    if (value == nullptr) return;
    auto taken = from.take<std::remove_pointer_t<T>>();
    if (!from.failed()) *value = taken;
  }
}

template <auto kFunction, class... Given, class... Arguments>
cudaError_t forward_as(cudaError_t (* /*function*/)(Arguments...), std::span<const std::byte> sent,
                       Given... given) {
  const auto error = Connection::instance().call(
      Functions::number_of<kFunction>(),
      [&](Packer& to) { (put_argument<Arguments>(to, static_cast<Arguments>(given)), ...); },
      [&](Unpacker& from) { (take_argument<Arguments>(from, static_cast<Arguments>(given)), ...); },
      {sent, PlacedFunctions::contains<kFunction>()});
  return remember(error);
}

// CUDA runtime functions that become a graph node if the stream in their last argument is being captured.
using CapturedFunctions =
    FunctionList<&cudaMemcpyAsync, &cudaMemcpy2DAsync, &cudaMemcpyToSymbolAsync, &cudaMemcpyFromSymbolAsync,
                 &cudaMemsetAsync, &cudaMemset2DAsync, &cudaMemPrefetchAsync, &warpmark_device_library_call>;

template <auto kFunction, class... Given>
bool captured_call(Given... given) {
  if constexpr (CapturedFunctions::contains<kFunction>()) {
    const std::tuple<Given...> arguments(given...);
    constexpr std::size_t kStream = sizeof...(Given) - 1;
    constexpr bool kFills = FunctionList<&cudaMemsetAsync, &cudaMemset2DAsync>::contains<kFunction>();
    return StreamCapture::instance().work(std::get<kStream>(arguments),
                                          kFills ? cudaGraphNodeTypeMemset : cudaGraphNodeTypeMemcpy,
                                          [arguments](cudaStream_t stream) {
                                            auto again = arguments;
                                            std::get<kStream>(again) = stream;
                                            return std::apply(kFunction, again);
                                          });
  } else {
    return false;
  }
}

// Forwards a CUDA runtime function to the device process. If the function's stream is being captured, adds a
// graph node instead.
template <auto kFunction, class... Given>
cudaError_t forward(Given... given) {
  if (captured_call<kFunction>(given...)) return cudaSuccess;
  return forward_as<kFunction>(kFunction, {}, given...);
}
// Forwards a CUDA copy function to the device process, or adds a graph node if the stream is being captured.
// The contents of a small source in host memory are sent along, to save a round trip.
template <auto kFunction, class... Given>
cudaError_t forward_copy(const void* from, std::size_t bytes, cudaMemcpyKind kind, Given... given) {
  if (captured_call<kFunction>(given...)) return cudaSuccess;
  const bool goes = kind == cudaMemcpyHostToDevice && bytes <= kMostAttached && is_host_memory(from);
  return forward_as<kFunction>(
      kFunction, goes ? std::span(static_cast<const std::byte*>(from), bytes) : std::span<const std::byte>(),
      given...);
}

}  // namespace warpmark::simulator
