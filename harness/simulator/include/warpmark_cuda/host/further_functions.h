// CUDA runtime functions that the simulator defines inline, because they only call other runtime functions or
// return a constant (batched copies, ...).
#pragma once

#include "warpmark_cuda/host/host_templates.h"
#include "warpmark_cuda/host/memory_pools.h"
#include "warpmark_cuda/host/one_device.h"

// Batched copies (cudaMemcpyBatchAsync). Copy attributes, which are hints about the location of the memory,
// are ignored.
struct cudaMemcpyAttributes {
  enum cudaMemcpySrcAccessOrder srcAccessOrder;
  struct cudaMemLocation srcLocHint, dstLocHint;
  unsigned int flags;
};
template <typename To, typename From>
inline cudaError_t cudaMemcpyBatchAsync(To** to, From** from, const size_t* bytes, size_t count,
                                        const cudaMemcpyAttributes*, size_t*, size_t, cudaStream_t stream) {
  for (size_t i = 0; i < count; ++i) {
    const cudaError_t error =
        ::cudaMemcpyAsync((void*)to[i], (const void*)from[i], bytes[i], cudaMemcpyDefault, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
template <typename T>
inline cudaError_t cudaMemPrefetchBatchAsync(T** pointers, const size_t* bytes, size_t count,
                                             const struct cudaMemLocation* places, const size_t* first,
                                             size_t place_count, unsigned long long, cudaStream_t stream) {
  for (size_t i = 0, place = 0; i < count; ++i) {
    while (place + 1 < place_count && first[place + 1] <= i) ++place;
    const cudaError_t error = ::cudaMemPrefetchAsync(pointers[i], bytes[i], places[place].id, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                        struct cudaMemLocation* place) {
  if (flags == nullptr || pool == nullptr || place == nullptr) return warpmark_invalid_value();
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
inline cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, struct cudaMemLocation* place,
                                            enum cudaMemAllocationType) {
  return place == nullptr ? warpmark_invalid_value() : cudaDeviceGetDefaultMemPool(pool, place->id);
}
inline cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, struct cudaMemLocation* place,
                                     enum cudaMemAllocationType) {
  return place == nullptr ? warpmark_invalid_value() : cudaDeviceGetMemPool(pool, place->id);
}
inline cudaError_t cudaMemSetMemPool(struct cudaMemLocation* place, enum cudaMemAllocationType,
                                     cudaMemPool_t pool) {
  return place == nullptr ? warpmark_invalid_value() : cudaDeviceSetMemPool(place->id, pool);
}

inline cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  unsigned int flags = 0;
  const cudaError_t error = ::cudaStreamGetFlags(stream, &flags);
  return error == cudaSuccess ? ::cudaGetDevice(device) : error;
}
inline cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (id == nullptr) return warpmark_invalid_value();
  unsigned int flags = 0;
  *id = (unsigned long long)(size_t)stream;
  return ::cudaStreamGetFlags(stream, &flags);
}

template <typename BytesOfBlock, typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* least_grid, int* block_size,
                                                                           T kernel,
                                                                           BytesOfBlock shared_bytes_of,
                                                                           int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(least_grid, block_size, kernel, shared_bytes_of,
                                                        limit);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* block_size, T kernel,
                                                               size_t shared_bytes = 0, int limit = 0,
                                                               unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(least_grid, block_size, kernel, shared_bytes, limit);
}
