// Memory pools: only handles and attributes exist, memory comes from cudaMallocAsync. Each device has a
// default pool.
#pragma once

#include "warpmark_cuda/host/host_runtime.h"

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
  unsigned long long values[9];  // values of the pool's attributes, indexed by cudaMemPoolAttr
  int device;
};

// The default memory pool and current memory pool of each simulated device. One object per process, shared by
// all source files of the program.
struct WarpmarkPools {
  static const int most = 64;  // maximum number of simulated devices that can have a memory pool
  CUmemPoolHandle_st of_device[most];
  cudaMemPool_t current[most];
  WarpmarkPools() {
    for (int i = 0; i < most; ++i) {
      of_device[i] = {{0, 1, 1, 1, 0, 0, 0, 0, 0}, i};
      current[i] = &of_device[i];
    }
  }
  bool is_default(cudaMemPool_t pool) const { return pool >= of_device && pool < of_device + most; }
};
inline WarpmarkPools& warpmark_pools() {
  static WarpmarkPools all;
  return all;
}

inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return ::cudaGetDevice(nullptr);
  int count = 0;
  ::cudaGetDeviceCount(&count);
  if (device < 0 || device >= count || device >= WarpmarkPools::most) return ::cudaSetDevice(-1);
  *pool = &warpmark_pools().of_device[device];
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  const cudaError_t error = cudaDeviceGetDefaultMemPool(pool, device);
  if (error == cudaSuccess) *pool = warpmark_pools().current[device];
  return error;
}
inline cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  cudaMemPool_t there;
  const cudaError_t error = cudaDeviceGetDefaultMemPool(&there, device);
  if (error == cudaSuccess && pool == nullptr) return ::cudaGetDevice(nullptr);
  if (error == cudaSuccess) warpmark_pools().current[device] = pool;
  return error;
}
inline cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return ::cudaGetDevice(nullptr);
  *pool = new CUmemPoolHandle_st{{0, 1, 1, 1, 0, 0, 0, 0, 0}, properties->location.id};
  return cudaSuccess;
}
inline cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  WarpmarkPools& all = warpmark_pools();
  if (pool == nullptr || all.is_default(pool)) return ::cudaGetDevice(nullptr);
  for (int i = 0; i < WarpmarkPools::most; ++i) {
    if (all.current[i] == pool) all.current[i] = &all.of_device[i];
  }
  delete pool;
  return cudaSuccess;
}
// Sets a memory pool's attribute. As in CUDA, the three reuse flags are passed as int, the other attributes
// as 64-bit byte counts.
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
// cudaMemPoolSetAccess grants peer access to all memory of the pool's device, not just to the pool: the
// simulator has no access rights per pool.
inline cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* rights,
                                        size_t count) {
  if (pool == nullptr || (rights == nullptr && count != 0)) return ::cudaGetDevice(nullptr);
  int chosen = 0;
  ::cudaGetDevice(&chosen);
  const int owner = pool->device;
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; ++i) {
    const int device = rights[i].location.id;
    if (device == owner) continue;
    int possible = 0;
    error = ::cudaSetDevice(device);
    if (error == cudaSuccess) error = ::cudaDeviceCanAccessPeer(&possible, device, owner);
    if (error != cudaSuccess || possible == 0) break;
    if (rights[i].flags == cudaMemAccessFlagsProtNone) {
      ::cudaDeviceDisablePeerAccess(owner);
    } else {
      ::cudaDeviceEnablePeerAccess(owner, 0);
    }
    // clears the last CUDA error, which is set if peer access was in the requested state already
    ::cudaGetLastError();
  }
  ::cudaSetDevice(chosen);
  return error;
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
