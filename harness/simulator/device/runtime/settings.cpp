// Implements the CUDA runtime functions for device limits, device flags, memory advice and host functions on
// streams.
#include <algorithm>
#include <array>
#include <utility>

#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

// Returns the runtime's variable that stores the given device limit; null for an unknown limit. Limits
// without effect in the simulator are stored only for cudaDeviceGetLimit to return.
std::size_t* limit_of(Runtime& runtime, cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return &runtime.stack_bytes;
    case cudaLimitPrintfFifoSize:
      return &runtime.print_bytes;
    case cudaLimitMallocHeapSize:
      return &runtime.heap_bytes;
    case cudaLimitDevRuntimePendingLaunchCount:
      return &runtime.pending_launches;
    case cudaLimitMaxL2FetchGranularity:
      return &runtime.l2_fetch_bytes;
    case cudaLimitPersistingL2CacheSize:
      return &runtime.persisting_l2_bytes;
    default:
      return nullptr;
  }
}

cudaError_t queue_host_function(cudaStream_t stream, const HostFunction& function) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    if (function.function == 0) return cudaErrorInvalidValue;
    QueuedWork work(runtime, stream, "a host function");
    work.done(false);
    // The host function may notify another host thread that preceding work is complete, in a way that the
    // simulator cannot observe. So if several host threads make calls, the function counts as a
    // synchronisation by the host.
    const bool several_threads = host_thread().number > 1;
    return runtime.do_work(work.stamp(), [=, stamp = work.stamp(), &runtime] {
      Runtime::in_host_function = true;
      call_on_host(function);
      Runtime::in_host_function = false;
      if (several_threads) runtime.order.streams.host_waits_for(stamp);
      return cudaSuccess;
    });
  });
}

cudaError_t nothing_to_do() {
  return Runtime::call([](Runtime&) { return cudaSuccess; });
}

}  // namespace
}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return Runtime::call([=](Runtime& runtime) {
    std::size_t* place = limit_of(runtime, limit);
    if (place == nullptr) return cudaErrorUnsupportedLimit;
    // Kernel printf output is kept in memory until the launch ends, so the buffer size is capped.
    constexpr std::size_t most = std::size_t{256} << 20;
    *place = std::min(value, most);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return Runtime::call([=](Runtime& runtime) {
    const std::size_t* place = limit_of(runtime, limit);
    if (place == nullptr) return cudaErrorUnsupportedLimit;
    if (value == nullptr) return cudaErrorInvalidValue;
    *value = *place;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return answer(flags, static_cast<unsigned int>(cudaDeviceScheduleAuto));
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* /*wanted*/) {
  return answer(device, 0);
}

cudaError_t cudaProfilerStart() {
  return nothing_to_do();
}
cudaError_t cudaProfilerStop() {
  return nothing_to_do();
}

// A prefetch only validates its arguments and is otherwise a no-op, because host and device share the pages
// of managed memory.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int /*device*/, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    const auto allocation = runtime.memory.find(address_of(pointer));
    if (!allocation || allocation->kind != Allocation::Kind::managed || bytes == 0)
      return cudaErrorInvalidValue;
    return device_bytes(runtime, "cudaMemPrefetchAsync", pointer, bytes) != nullptr ? cudaSuccess
                                                                                    : cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise /*advice*/, int device) {
  return cudaMemPrefetchAsync(pointer, bytes, device, nullptr);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    if (priority == nullptr) return cudaErrorInvalidValue;
    *priority = runtime.streams.contains(stream) ? stream->priority : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return Runtime::call([=](Runtime& runtime) {
    if (!is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = runtime.streams.contains(stream) ? stream->flags : cudaStreamDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
  return Runtime::call([=](Runtime& runtime) {
    const auto allocation = runtime.memory.find(address_of(pointer));
    if (!allocation || allocation->freed || allocation->kind != Allocation::Kind::host_pinned)
      return cudaErrorInvalidValue;
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
  });
}

// Enqueues a host function, which runs after all earlier work on the stream.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  return queue_host_function(
      stream, {reinterpret_cast<std::uint64_t>(stream), reinterpret_cast<std::uint64_t>(function),
               reinterpret_cast<std::uint64_t>(argument), false});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* argument,
                                  unsigned int flags) {
  if (flags != 0) return Runtime::call([](Runtime&) { return cudaErrorInvalidValue; });
  return queue_host_function(
      stream, {reinterpret_cast<std::uint64_t>(stream), reinterpret_cast<std::uint64_t>(function),
               reinterpret_cast<std::uint64_t>(argument), true});
}
