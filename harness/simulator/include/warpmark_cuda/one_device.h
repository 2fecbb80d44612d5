// Runtime functions that follow from others where there is one device without banks or caches to choose.
#pragma once

#include "warpmark_cuda/host_runtime.h"

inline cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return cudaSetDevice(device);
}
inline cudaError_t cudaSetValidDevices(int* devices, int count) {
  return count > 0 && devices != nullptr ? cudaSetDevice(devices[0]) : cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* name, int size, int device) {
  const char address[] = "0000:00:00.0";
  if (name == nullptr || size < (int)sizeof address) return cudaGetDevice(nullptr);  // an invalid value
  for (size_t i = 0; i < sizeof address; ++i) name[i] = address[i];
  return cudaSetDevice(device);
}
inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  return cudaGetDevice(device);
}

// No device has a peer.
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return cudaSetDevice(-1);  // an invalid device
}
inline cudaError_t cudaDeviceDisablePeerAccess(int) {
  return cudaSetDevice(-1);
}
inline cudaError_t cudaDeviceGetP2PAttribute(int*, enum cudaDeviceP2PAttr, int, int) {
  return cudaSetDevice(-1);
}
inline cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return to_device == 0 && from_device == 0 ? cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice)
                                            : cudaSetDevice(-1);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                       size_t bytes, cudaStream_t stream = 0) {
  return to_device == 0 && from_device == 0
             ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream)
             : cudaSetDevice(-1);
}

// Preferences that change nothing, as on a GPU of capability 8.0 most do not.
inline cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (config == nullptr) return cudaGetDevice(nullptr);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) {
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (config == nullptr) return cudaGetDevice(nullptr);
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
  return cudaSuccess;  // managed memory is where both sides reach it
}
