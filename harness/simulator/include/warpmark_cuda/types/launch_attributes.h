// Attributes of kernel launches and streams, and cudaLaunchKernelEx.
#pragma once

#include "warpmark_cuda/host/host_runtime.h"

struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  enum cudaAccessProperty hitProp, missProp;
};
typedef struct cudaLaunchMemSyncDomainMap_st {
  unsigned char default_, remote;
} cudaLaunchMemSyncDomainMap;
struct warpmark_cluster_size {
  unsigned int x, y, z;
};

union cudaLaunchAttributeValue {
  char pad[64];
  struct cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  enum cudaSynchronizationPolicy syncPolicy;
  struct warpmark_cluster_size clusterDim, preferredClusterDim;
  enum cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    cudaEvent_t event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
  struct {
    cudaEvent_t event;
    int flags;
  } launchCompletionEvent;
  int priority;
  cudaLaunchMemSyncDomainMap memSyncDomainMap;
  enum cudaLaunchMemSyncDomain memSyncDomain;
  unsigned int sharedMemCarveout;
  unsigned int nvlinkUtilCentricScheduling;
};
typedef struct cudaLaunchAttribute_st {
  enum cudaLaunchAttributeID id;
  char pad[8 - sizeof(int)];
  union cudaLaunchAttributeValue val;
} cudaLaunchAttribute;
typedef struct cudaLaunchConfig_st {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned int numAttrs;
} cudaLaunchConfig_t;

// Older names of CUDA launch attribute types (cudaStreamAttrID, ...), as macros.
#define cudaStreamAttrID cudaLaunchAttributeID
#define cudaStreamAttrValue cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaStreamAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaStreamAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttrID cudaLaunchAttributeID
#define cudaKernelNodeAttrValue cudaLaunchAttributeValue
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference \
  cudaLaunchAttributeClusterSchedulingPolicyPreference
#define cudaKernelNodeAttributeDeviceUpdatableKernelNode cudaLaunchAttributeDeviceUpdatableKernelNode
#define cudaKernelNodeAttributeMemSyncDomain cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttributeMemSyncDomainMap cudaLaunchAttributeMemSyncDomainMap
#define cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout

#ifdef __cplusplus
extern "C" {
#endif
// cudaStreamSetAttribute stores an attribute, which cudaStreamGetAttribute returns. Cache attributes have no
// other effect, as the simulator has no caches.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute,
                                   const union cudaLaunchAttributeValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute,
                                   union cudaLaunchAttributeValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
// Launches a kernel with attributes. A cluster has at most 8 blocks. A launch with clusters cannot be
// cooperative.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* kernel,
                                void** arguments);
#ifdef __cplusplus
}

template <typename... Parameters, typename... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration, void (*kernel)(Parameters...),
                                      Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* pointers[sizeof...(Parameters) + 1] = {(void*)&converted...};
    return ::cudaLaunchKernelExC(configuration, (const void*)kernel, pointers);
  }(static_cast<Arguments&&>(arguments)...);
}
inline size_t warpmark_cluster_blocks(const cudaLaunchConfig_t* configuration) {
  for (unsigned int i = 0; i < configuration->numAttrs; ++i) {
    const warpmark_cluster_size& size = configuration->attrs[i].val.clusterDim;
    if (configuration->attrs[i].id == cudaLaunchAttributeClusterDimension)
      return (size_t)size.x * size.y * size.z;
  }
  return 1;
}
template <typename T>
inline cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                                  const cudaLaunchConfig_t* configuration) {
  if (clusters == nullptr || configuration == nullptr) return ::cudaGetDevice(nullptr);
  const dim3& block = configuration->blockDim;
  int device = 0, multiprocessors = 0, blocks = 0;
  ::cudaGetDevice(&device);
  ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const cudaError_t error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, (const void*)kernel, (int)(block.x * block.y * block.z), configuration->dynamicSmemBytes);
  const size_t size = warpmark_cluster_blocks(configuration);
  if (error == cudaSuccess)
    *clusters = (int)((size_t)blocks * (size_t)multiprocessors / (size == 0 ? 1 : size));
  return error;
}
template <typename T>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, T*, const cudaLaunchConfig_t*) {
  if (blocks == nullptr) return ::cudaGetDevice(nullptr);
  *blocks = 8;
  return cudaSuccess;
}
template <typename T>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, T* kernel, void** arguments) {
  return ::cudaLaunchKernelExC(configuration, (const void*)kernel, arguments);
}
#endif
