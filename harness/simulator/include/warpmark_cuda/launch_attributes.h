// Attributes of launches and streams, and the launch that takes them.
#pragma once

#include "warpmark_cuda/host_runtime.h"

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

// The older names of the same.
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

#ifdef __cplusplus
extern "C" {
#endif
// Kept and given back; what they ask of caches has no effect here.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute,
                                   const union cudaLaunchAttributeValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, enum cudaLaunchAttributeID attribute,
                                   union cudaLaunchAttributeValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
// Clusters of more than one block: cudaErrorNotSupported, as on every GPU before compute capability 9.0.
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
template <typename T>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, T* kernel, void** arguments) {
  return ::cudaLaunchKernelExC(configuration, (const void*)kernel, arguments);
}
#endif
