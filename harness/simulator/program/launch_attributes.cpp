// Implements stream attributes, and launches with a cudaLaunchConfig_t.
#include <algorithm>
#include <map>
#include <mutex>
#include <span>

#include <warpmark_cuda/types/launch_attributes.h>

#include "harness/simulator/program/forward.h"

using namespace warpmark::simulator;

namespace {

struct StreamAttributes {
  std::mutex mutex;
  std::map<cudaStream_t, std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>> streams;
};

StreamAttributes& stream_attributes() {
  static StreamAttributes all;
  return all;
}

bool is_cluster(const cudaLaunchAttribute& attribute) {
  return attribute.id == cudaLaunchAttributeClusterDimension;
}
bool is_cooperative(const cudaLaunchAttribute& attribute) {
  return attribute.id == cudaLaunchAttributeCooperative && attribute.val.cooperative != 0;
}

// Returns cudaSuccess if the CUDA stream exists, else the error that CUDA returns for it.
cudaError_t look_at(cudaStream_t stream) {
  unsigned int flags = 0;
  return cudaStreamGetFlags(stream, &flags);
}

}  // namespace

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = look_at(stream); error != cudaSuccess) return error;
  StreamAttributes& all = stream_attributes();
  const std::lock_guard lock(all.mutex);
  all.streams[stream][attribute] = *value;
  return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  if (value == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = look_at(stream); error != cudaSuccess) return error;
  StreamAttributes& all = stream_attributes();
  const std::lock_guard lock(all.mutex);
  *value = all.streams[stream][attribute];
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  for (const cudaStream_t stream : {to, from}) {
    if (const cudaError_t error = look_at(stream); error != cudaSuccess) return error;
  }
  StreamAttributes& all = stream_attributes();
  const std::lock_guard lock(all.mutex);
  all.streams[to] = all.streams[from];
  return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* kernel,
                                void** arguments) {
  if (configuration == nullptr || (configuration->attrs == nullptr && configuration->numAttrs != 0))
    return remember(cudaErrorInvalidValue);
  const std::span<const cudaLaunchAttribute> attributes(configuration->attrs, configuration->numAttrs);
  const bool cooperative = std::ranges::any_of(attributes, is_cooperative);
  if (const auto cluster = std::ranges::find_if(attributes, is_cluster); cluster != attributes.end()) {
    const auto& size = cluster->val.clusterDim;
    if (size.x == 0 || size.y == 0 || size.z == 0) return remember(cudaErrorInvalidValue);
    return launch_in_clusters(cooperative, kernel, configuration->gridDim, configuration->blockDim, arguments,
                              configuration->dynamicSmemBytes, configuration->stream,
                              {size.x, size.y, size.z});
  }
  const auto launch = cooperative ? &cudaLaunchCooperativeKernel : &cudaLaunchKernel;
  return launch(kernel, configuration->gridDim, configuration->blockDim, arguments,
                configuration->dynamicSmemBytes, configuration->stream);
}
