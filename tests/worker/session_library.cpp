// What a session loads: adapters and "versions" that copy bytes instead of launching kernels. Each version
// takes the first view to the second unless its name says otherwise.
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include <cuda_runtime.h>
#include <unistd.h>

#include "harness/worker/adapter.h"

namespace {

void copy(const WarpmarkView* views, void* stream) {
  cudaMemcpyAsync(views[1].data, views[0].data, views[1].bytes, cudaMemcpyDeviceToDevice,
                  static_cast<cudaStream_t>(stream));
}

}  // namespace

extern "C" {

using Version = void(const WarpmarkView*, const std::uint64_t*, void*);

void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars, void* stream) {
  reinterpret_cast<Version*>(function)(buffers, scalars, stream);
}

void copies(const WarpmarkView* views, const std::uint64_t* /*scalars*/, void* stream) {
  copy(views, stream);
}

// Fills the second view with the low byte of the second scalar.
void fills(const WarpmarkView* views, const std::uint64_t* scalars, void* stream) {
  cudaMemsetAsync(views[1].data, static_cast<int>(scalars[1]), views[1].bytes,
                  static_cast<cudaStream_t>(stream));
}

void fails(const WarpmarkView* views, const std::uint64_t* /*scalars*/, void* /*stream*/) {
  cudaMemcpy(views[1].data, nullptr, views[1].bytes, cudaMemcpyHostToDevice);
}

void throws(const WarpmarkView* /*views*/, const std::uint64_t* /*scalars*/, void* /*stream*/) {
  throw std::runtime_error("own goal");
}
void throws_oddly(const WarpmarkView* /*views*/, const std::uint64_t* /*scalars*/, void* /*stream*/) {
  throw 7;
}

void uploads(const WarpmarkView* views, const std::uint64_t* /*scalars*/, void* stream) {
  const std::vector<char> host(views[1].bytes, 'u');
  cudaMemcpy(views[1].data, host.data(), host.size(), cudaMemcpyHostToDevice);
  static_cast<void>(stream);
}

void* warpmark_upload(void* function, const void* host_values, std::uint64_t count) {
  return reinterpret_cast<void* (*)(const void*, std::uint64_t)>(function)(host_values, count);
}

// Uploads of `count` bytes.
void* to_device(const void* host, std::uint64_t count) {
  void* device = nullptr;
  cudaMalloc(&device, count);
  cudaMemcpy(device, host, count, cudaMemcpyHostToDevice);
  return device;
}
void* to_an_exception(const void* /*host*/, std::uint64_t /*count*/) {
  throw std::runtime_error("own goal");
}
void* to_nowhere(const void* /*host*/, std::uint64_t /*count*/) {
  return nullptr;
}
void* to_the_heap(const void* /*host*/, std::uint64_t /*count*/) {
  static char memory[64];
  return memory;
}
void* to_pinned(const void* /*host*/, std::uint64_t count) {
  void* pinned = nullptr;
  cudaMallocHost(&pinned, count);
  return pinned;
}
void* to_managed(const void* /*host*/, std::uint64_t count) {
  void* managed = nullptr;
  cudaMallocManaged(&managed, count);
  return managed;
}
void* to_an_error(const void* host, std::uint64_t count) {
  cudaMemcpy(nullptr, host, count, cudaMemcpyHostToDevice);
  return nullptr;
}

void* to_freed_memory(const void* host, std::uint64_t count) {
  void* device = to_device(host, count);
  cudaFree(device);
  return device;
}
// Frees what it was given to write to.
void frees(const WarpmarkView* views, const std::uint64_t* /*scalars*/, void* /*stream*/) {
  cudaFree(views[1].data);
}
// Comes back once something stands in the file, whose descriptor is the first scalar.
void waits(const WarpmarkView* /*views*/, const std::uint64_t* scalars, void* /*stream*/) {
  while (::lseek(static_cast<int>(scalars[0]), 0, SEEK_END) == 0) {
  }
}

// The sweep: copies nothing, but leaves a mark in what it was given.
void warpmark_sweep(const void* /*data*/, std::size_t bytes, void* sink, cudaStream_t stream) {
  cudaMemsetAsync(sink, 's', bytes, stream);
}

}  // extern "C"
