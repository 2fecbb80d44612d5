// CUDA runtime functions that need no work, because all simulated devices are identical and have no
// configurable caches or shared-memory banks.
#pragma once

#include "warpmark_cuda/host/host_runtime.h"

// Returns cudaErrorInvalidValue and records it as the thread's last CUDA error.
inline cudaError_t warpmark_invalid_value() {
  return ::cudaGetDevice(nullptr);
}

inline cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}
inline cudaError_t cudaSetValidDevices(int* devices, int count) {
  return count > 0 && devices != nullptr ? cudaSetDevice(devices[0]) : cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* name, int size, int device) {
  char address[] = "0000:00:00.0";
  int bus = 0;
  const cudaError_t error = cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, device);
  if (error != cudaSuccess) return error;
  if (name == nullptr || size < (int)sizeof address) return warpmark_invalid_value();
  address[6] = (char)('0' + bus);
  for (size_t i = 0; i < sizeof address; ++i) name[i] = address[i];
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* name) {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (device == nullptr || name == nullptr) return warpmark_invalid_value();
  for (int i = 0; i < count; ++i) {
    char own[16];
    cudaDeviceGetPCIBusId(own, (int)sizeof own, i);
    size_t at = 0;
    while (own[at] != 0 && own[at] == name[at]) ++at;
    if (own[at] == name[at]) {
      *device = i;
      return cudaSuccess;
    }
  }
  return cudaSetDevice(-1);
}

// Functions that set or return cache and shared-memory bank preferences: the simulator accepts any
// preference, without effect.
inline cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (config == nullptr) return warpmark_invalid_value();
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (config == nullptr) return warpmark_invalid_value();
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
template <typename T>
inline cudaError_t cudaFuncSetSharedMemConfig(T*, enum cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}
template <typename T>
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*, size_t = 0,
                                            unsigned int = cudaMemAttachSingle) {
  // cudaStreamAttachMemAsync is a no-op, because host and device share the pages of managed memory, which
  // never migrate
  return cudaSuccess;
}
