// Arrays read through textures of several kinds and written through a surface.
#include <cmath>
#include <cstdlib>
#include <cstring>

constexpr int kWidth = 8, kHeight = 4, kLayers = 3;

__global__ void fill(cudaSurfaceObject_t surface) {
  surf2Dwrite(threadIdx.x + 10.0f * threadIdx.y, surface, threadIdx.x * sizeof(float), threadIdx.y);
}
__global__ void read(cudaTextureObject_t point, cudaTextureObject_t linear, cudaTextureObject_t layered,
                     cudaTextureObject_t bytes, float* results) {
  const int x = threadIdx.x, y = threadIdx.y, i = y * kWidth + x;
  results[i] = tex2D<float>(point, x + 0.5f, y + 0.5f);
  results[32 + i] = tex2D<float>(linear, (x + 1.0f) / kWidth, (y + 0.5f) / kHeight);  // halfway to the next
  results[64 + i] = tex2DLayered<float>(layered, x + 0.5f, y + 0.5f, 2);
  results[96 + i] = tex1Dfetch<float>(bytes, i);
}

cudaTextureObject_t texture(const cudaResourceDesc& resource, cudaTextureFilterMode filter, bool normalized,
                            cudaTextureReadMode mode) {
  cudaTextureDesc reading;
  memset(&reading, 0, sizeof reading);
  reading.addressMode[0] = normalized ? cudaAddressModeWrap : cudaAddressModeClamp;
  reading.addressMode[1] = cudaAddressModeClamp;
  reading.filterMode = filter;
  reading.readMode = mode;
  reading.normalizedCoords = normalized;
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &resource, &reading, nullptr) != cudaSuccess) abort();
  return object;
}
cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t flat, layers;
  cudaMallocArray(&flat, &floats, kWidth, kHeight, cudaArraySurfaceLoadStore);
  cudaMalloc3DArray(&layers, &floats, make_cudaExtent(kWidth, kHeight, kLayers), cudaArrayLayered);
  float volume[kLayers * kHeight * kWidth];
  for (int i = 0; i < kLayers * kHeight * kWidth; ++i) volume[i] = i;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume, kWidth * sizeof(float), kWidth, kHeight);
  copy.dstArray = layers;
  copy.extent = make_cudaExtent(kWidth, kHeight, kLayers);
  copy.kind = cudaMemcpyHostToDevice;
  if (cudaMemcpy3D(&copy) != cudaSuccess) abort();

  unsigned char* bytes;
  cudaMalloc(&bytes, 32);
  cudaMemset(bytes, 51, 32);
  cudaResourceDesc linear_memory;
  memset(&linear_memory, 0, sizeof linear_memory);
  linear_memory.resType = cudaResourceTypeLinear;
  linear_memory.res.linear.devPtr = bytes;
  linear_memory.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
  linear_memory.res.linear.sizeInBytes = 32;

  const cudaResourceDesc resource = resource_of(flat);
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  const cudaTextureObject_t point = texture(resource, cudaFilterModePoint, false, cudaReadModeElementType);
  const cudaTextureObject_t linear = texture(resource, cudaFilterModeLinear, true, cudaReadModeElementType);
  const cudaTextureObject_t layered =
      texture(resource_of(layers), cudaFilterModePoint, false, cudaReadModeElementType);
  const cudaTextureObject_t shares =
      texture(linear_memory, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  float* results;
  cudaMalloc(&results, 128 * sizeof(float));
  fill<<<1, dim3(kWidth, kHeight)>>>(surface);
  read<<<1, dim3(kWidth, kHeight)>>>(point, linear, layered, shares, results);
  float host[128];
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    const float x = i % kWidth, y = i / kWidth;
    if (host[i] != x + 10 * y) abort();
    if (host[32 + i] != (x == 7 ? 3.5f : x + 0.5f) + 10 * y) abort();  // behind the last one comes the first
    if (host[64 + i] != 2 * kWidth * kHeight + i) abort();
    if (std::fabs(host[96 + i] - 0.2f) > 1e-6f) abort();
  }
  for (const cudaTextureObject_t object : {point, linear, layered, shares}) cudaDestroyTextureObject(object);
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(flat);
  cudaFreeArray(layers);
  cudaFree(bytes);
  cudaFree(results);
}
