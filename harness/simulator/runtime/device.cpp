// The one device, its properties; streams and events, which order nothing because work ends at the call.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>

#include "harness/simulator/runtime/runtime.h"

namespace warpmark::simulator {
namespace {

constexpr char kDeviceName[] = "Warpmark simulator";
constexpr int kVersion = CUDART_VERSION;

// Clock rates are missing on purpose: the device has none, and a made-up one would become a made-up
// bandwidth.
constexpr std::array kAttributes = {
    std::pair{cudaDevAttrMaxThreadsPerBlock, kThreadsPerBlock},
    std::pair{cudaDevAttrMaxBlockDimX, static_cast<int>(kLargestBlock.x)},
    std::pair{cudaDevAttrMaxBlockDimY, static_cast<int>(kLargestBlock.y)},
    std::pair{cudaDevAttrMaxBlockDimZ, static_cast<int>(kLargestBlock.z)},
    std::pair{cudaDevAttrMaxGridDimX, static_cast<int>(kLargestGrid.x)},
    std::pair{cudaDevAttrMaxGridDimY, static_cast<int>(kLargestGrid.y)},
    std::pair{cudaDevAttrMaxGridDimZ, static_cast<int>(kLargestGrid.z)},
    std::pair{cudaDevAttrMaxSharedMemoryPerBlock, static_cast<int>(kSharedPerBlock)},
    std::pair{cudaDevAttrTotalConstantMemory, 64 << 10},
    std::pair{cudaDevAttrWarpSize, 32},
    std::pair{cudaDevAttrMaxRegistersPerBlock, 64 << 10},
    std::pair{cudaDevAttrMultiProcessorCount, kMultiprocessors},
    std::pair{cudaDevAttrIntegrated, 0},
    std::pair{cudaDevAttrCanMapHostMemory, 1},
    std::pair{cudaDevAttrConcurrentKernels, 1},
    std::pair{cudaDevAttrL2CacheSize, 40 << 20},
    std::pair{cudaDevAttrMaxThreadsPerMultiProcessor, kThreadsPerMultiprocessor},
    std::pair{cudaDevAttrUnifiedAddressing, 1},
    std::pair{cudaDevAttrComputeCapabilityMajor, 8},
    std::pair{cudaDevAttrComputeCapabilityMinor, 0},
    std::pair{cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<int>(kSharedPerMultiprocessor)},
    std::pair{cudaDevAttrMaxRegistersPerMultiprocessor, 64 << 10},
    std::pair{cudaDevAttrManagedMemory, 1},
    std::pair{cudaDevAttrConcurrentManagedAccess, 1},
    std::pair{cudaDevAttrCooperativeLaunch, 1},
    std::pair{cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<int>(kSharedPerBlockOptIn)},
    std::pair{cudaDevAttrMaxBlocksPerMultiprocessor, kBlocksPerMultiprocessor},
    std::pair{cudaDevAttrMemoryPoolsSupported, 1},
};

cudaDeviceProp properties_of_device() {
  cudaDeviceProp all{};
  std::copy(std::begin(kDeviceName), std::end(kDeviceName), std::begin(all.name));
  all.totalGlobalMem = kDeviceMemoryBytes;
  all.sharedMemPerBlock = kSharedPerBlock;
  all.regsPerBlock = 64 << 10;
  all.warpSize = 32;
  all.maxThreadsPerBlock = kThreadsPerBlock;
  const auto spread = [](Dim3 from, int* to) {
    to[0] = static_cast<int>(from.x);
    to[1] = static_cast<int>(from.y);
    to[2] = static_cast<int>(from.z);
  };
  spread(kLargestBlock, all.maxThreadsDim);
  spread(kLargestGrid, all.maxGridSize);
  all.totalConstMem = 64 << 10;
  all.major = 8;
  all.multiProcessorCount = kMultiprocessors;
  all.canMapHostMemory = 1;
  all.concurrentKernels = 1;
  all.unifiedAddressing = 1;
  all.l2CacheSize = 40 << 20;
  all.maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  all.sharedMemPerMultiprocessor = kSharedPerMultiprocessor;
  all.regsPerMultiprocessor = 64 << 10;
  all.managedMemory = 1;
  all.concurrentManagedAccess = 1;
  all.cooperativeLaunch = 1;
  all.sharedMemPerBlockOptin = kSharedPerBlockOptIn;
  all.maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  all.memoryPoolsSupported = 1;
  return all;
}

template <class T>
cudaError_t create(T** handle, std::map<T*, std::unique_ptr<T>>& all, T value) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  auto created = std::make_unique<T>(std::move(value));
  *handle = created.get();
  all.emplace(created.get(), std::move(created));
  return cudaSuccess;
}

}  // namespace

bool is_stream(const Runtime& runtime, cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         runtime.streams.contains(stream);
}

}  // namespace warpmark::simulator

using namespace warpmark::simulator;

cudaError_t cudaGetDeviceCount(int* count) {
  return answer(count, 1);
}

cudaError_t cudaGetDevice(int* device) {
  return answer(device, 0);
}

cudaError_t cudaSetDevice(int device) {
  return Runtime::call([=](Runtime&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const cudaError_t error = cudaSetDevice(device);
  return error != cudaSuccess ? error : answer(properties, properties_of_device());
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const cudaError_t error = cudaSetDevice(device);
  if (error != cudaSuccess) return error;
  const auto* found = std::find_if(kAttributes.begin(), kAttributes.end(),
                                   [=](const auto& entry) { return entry.first == attribute; });
  if (found != kAttributes.end()) return answer(value, found->second);
  return Runtime::call([](Runtime&) { return cudaErrorNotSupported; });
}

cudaError_t cudaDeviceSynchronize() {
  return Runtime::call([](Runtime& runtime) {
    runtime.streams_used.joined_all();
    copies_arrived();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int /*flags*/) {
  return Runtime::call([](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return answer(version, kVersion);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return answer(version, kVersion);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return Runtime::call([=](Runtime& runtime) { return create(stream, runtime.streams, CUstream_st{}); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int /*flags*/) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int /*flags*/, int /*priority*/) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    return runtime.streams.erase(stream) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Runtime::locked([=](Runtime& runtime) { runtime.streams_used.joined(stream); });
  return cudaStreamQuery(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    copies_arrived();
    return is_stream(runtime, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int /*flags*/) {
  const cudaError_t error = cudaStreamQuery(stream);
  return error != cudaSuccess ? error : cudaEventQuery(event);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  const cudaError_t error = answer(least, 0);
  return error != cudaSuccess ? error : answer(greatest, 0);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return Runtime::call([=](Runtime& runtime) {
    return create(event, runtime.events, CUevent_st{std::nullopt, (flags & cudaEventDisableTiming) == 0});
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return Runtime::call([=](Runtime& runtime) {
    return runtime.events.erase(event) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Runtime::call([=](Runtime& runtime) {
    if (!runtime.events.contains(event) || !is_stream(runtime, stream)) return cudaErrorInvalidResourceHandle;
    event->recorded = std::chrono::steady_clock::now();
    runtime.streams_used.joined(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return cudaEventQuery(event);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return Runtime::call([=](Runtime& runtime) {
    copies_arrived();
    return runtime.events.contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

// The time that the simulator took, which says nothing about a GPU.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return Runtime::call([=](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const auto usable = [&](cudaEvent_t event) {
      return runtime.events.contains(event) && event->timed && event->recorded.has_value();
    };
    if (!usable(start) || !usable(end)) return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded - *start->recorded).count();
    return cudaSuccess;
  });
}
