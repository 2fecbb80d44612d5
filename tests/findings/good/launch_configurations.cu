// Launches by a configuration, attributes of a stream, several copies in one call.
#include <cstdlib>

#include <cooperative_groups.h>

__global__ void add(int* values, int count, double what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += (int)what;
}
__global__ void through_the_grid(int* values) {
  if (blockIdx.x == 0) values[threadIdx.x] += 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 1) values[threadIdx.x] *= 2;
}

int main() {
  int host[64] = {}, *values;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);

  cudaStreamAttrValue window = {}, back = {};
  window.accessPolicyWindow.base_ptr = values;
  window.accessPolicyWindow.num_bytes = sizeof host;
  window.accessPolicyWindow.hitRatio = 0.5f;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  if (cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window) != cudaSuccess) abort();
  cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &back);
  if (back.accessPolicyWindow.base_ptr != values || back.accessPolicyWindow.hitRatio != 0.5f) abort();

  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributePriority;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = 2;
  configuration.blockDim = 32;
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  if (cudaLaunchKernelEx(&configuration, add, values, 64, 3) != cudaSuccess) abort();  // 3 becomes a double
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  if (cudaLaunchKernelEx(&configuration, through_the_grid, values) != cudaSuccess) abort();
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  if (cudaLaunchKernelEx(&configuration, add, values, 64, 3) != cudaSuccess) abort();
  attribute.val.clusterDim = {3, 1, 1};
  if (cudaLaunchKernelEx(&configuration, add, values, 64, 3) != cudaErrorInvalidClusterSize) abort();
  if (cudaGetLastError() != cudaErrorInvalidClusterSize) abort();
  cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  if (host[0] != 11 || host[63] != 6) abort();
  cudaFree(values);
  cudaStreamDestroy(stream);
}
