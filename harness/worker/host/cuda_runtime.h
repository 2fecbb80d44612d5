// Replaces CUDA's header in the worker for assignments without a GPU (C++ and OpenMP): a device buffer is
// ordinary memory, a stream is the calling thread, an event is a timestamp. Student code does not see this
// header.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
};
enum cudaDeviceAttr { cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth };

struct HostMoment {
  std::chrono::steady_clock::time_point at;
};
using cudaStream_t = void*;
using cudaEvent_t = HostMoment*;

struct cudaPointerAttributes {
  cudaMemoryType type = cudaMemoryTypeUnregistered;
};
struct cudaDeviceProp {
  char name[256] = {};
  int major = 0;  // compute capability of the device, as in CUDA; 0: the device is a CPU
  int minor = 0;
  int multiProcessorCount = 0;  // number of CPU cores this process may use
  int l2CacheSize = 0;          // size in bytes of the last-level cache, at most 32 MiB
};

inline const char* cudaGetErrorName(cudaError_t status) {
  return status == cudaErrorMemoryAllocation ? "out of memory" : "error";
}
inline const char* cudaGetErrorString(cudaError_t status) {
  return status == cudaErrorMemoryAllocation ? "the machine has no memory of that size left" : "no error";
}
inline cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() {
  return cudaSuccess;
}

// Allocates exactly `bytes` bytes, so that a sanitizer detects an access to the first byte past the end.
inline cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  constexpr std::size_t kAlignment = 256;  // alignment that assignments guarantee for workspaces, in bytes
  return posix_memalign(data, kAlignment, bytes) == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFree(void* data) {
  std::free(data);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t /*stream*/) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemset(void* data, int value, std::size_t bytes) {
  std::memset(data, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* /*pointer*/) {
  attributes->type = cudaMemoryTypeDevice;
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t /*stream*/) {
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new HostMoment;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t /*stream*/) {
  event->at = std::chrono::steady_clock::now();
  return cudaSuccess;
}
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
  return cudaSuccess;
}

inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int /*device*/) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr /*attribute*/, int /*device*/) {
  *value = 0;
  // The CPU's substitute for cudaDeviceGetAttribute() returns an error for every attribute, because memory
  // clock and bus width have no meaning for a CPU.
  return cudaErrorInvalidValue;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int /*device*/) {
  std::string model = "CPU";
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(std::min(line.find(':') + 2, line.size()));
    break;
  }
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::string name = model + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
  name.copy(properties->name, sizeof properties->name - 1);
  properties->multiProcessorCount = static_cast<int>(cores);
  // Upper limit on the buffer that is read to evict data from the cache before a timed call. A server's cache
  // may be larger than any data timed here, and reading all of it would take longer than the call.
  constexpr long kMostSwept = 32L << 20;
  const long cache = std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE));
  properties->l2CacheSize = static_cast<int>(std::min(std::max(cache, 0L), kMostSwept));
  return cudaSuccess;
}
