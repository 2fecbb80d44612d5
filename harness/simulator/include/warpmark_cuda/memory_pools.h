// Memory pools: names and attributes; their memory is that of cudaMallocAsync. Every program has the default
// pool of its device.
#pragma once

#include "warpmark_cuda/host_runtime.h"

struct cudaMemPoolProps {
  enum cudaMemAllocationType allocType;
  enum cudaMemAllocationHandleType handleTypes;
  struct cudaMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

struct cudaMemAccessDesc {
  struct cudaMemLocation location;
  enum cudaMemAccessFlags flags;
};

struct CUmemPoolHandle_st {
  unsigned long long values[9];  // by attribute
};

// Of this process, whatever files include this.
inline cudaMemPool_t& warpmark_current_pool() {
  static CUmemPoolHandle_st of_device{{0, 1, 1, 1, 0, 0, 0, 0, 0}};
  static cudaMemPool_t current = &of_device;
  return current;
}
inline cudaMemPool_t warpmark_default_pool() {
  static const cudaMemPool_t first = warpmark_current_pool();
  return first;
}

inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return ::cudaGetDevice(nullptr);
  int count = 0;
  ::cudaGetDeviceCount(&count);
  if (device < 0 || device >= count) return ::cudaSetDevice(-1);
  *pool = warpmark_default_pool();
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  warpmark_default_pool();
  const cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
  if (error == cudaSuccess) *pool = warpmark_current_pool();
  return error;
}
inline cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  cudaMemPool_t there;
  const cudaError_t error = cudaDeviceGetDefaultMemPool(&there, device);
  if (error == cudaSuccess && pool == nullptr) return ::cudaGetDevice(nullptr);
  if (error == cudaSuccess) warpmark_current_pool() = pool;
  return error;
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return ::cudaGetDevice(nullptr);
  *pool = new CUmemPoolHandle_st{{0, 1, 1, 1, 0, 0, 0, 0, 0}};
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (pool == nullptr || pool == warpmark_default_pool()) return ::cudaGetDevice(nullptr);
  if (warpmark_current_pool() == pool) warpmark_current_pool() = warpmark_default_pool();
  delete pool;
  return cudaSuccess;
}
// The three that say what may be reused are ints, the others count bytes.
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool == nullptr || value == nullptr || attribute < 1 || attribute > 8) return ::cudaGetDevice(nullptr);
  pool->values[attribute] = attribute <= 3 ? (unsigned long long)*(int*)value : *(unsigned long long*)value;
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  if (pool == nullptr || value == nullptr || attribute < 1 || attribute > 8) return ::cudaGetDevice(nullptr);
  if (attribute <= 3)
    *(int*)value = (int)pool->values[attribute];
  else
    *(unsigned long long*)value = pool->values[attribute];
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return pool == nullptr ? ::cudaGetDevice(nullptr) : cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc*, size_t) {
  return pool == nullptr ? ::cudaGetDevice(nullptr) : cudaSuccess;
}
inline cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return pool == nullptr ? ::cudaGetDevice(nullptr) : ::cudaMallocAsync(pointer, bytes, stream);
}
template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)pointer, bytes, pool, stream);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)pointer, bytes, pool, stream);
}
