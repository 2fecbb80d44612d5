// The levels of a mipmapped array, halved by a kernel through surfaces, read at levels and between them.
#include <cmath>
#include <cstdlib>
#include <cstring>

constexpr int kWidth = 16, kHeight = 8, kLevels = 5;

__global__ void halve(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  const float first = surf2Dread<float>(from, 2 * x * sizeof(float), 2 * y, cudaBoundaryModeClamp);
  surf2Dwrite(first + 10.0f, to, x * sizeof(float), y);
}

__global__ void read(cudaTextureObject_t point, cudaTextureObject_t linear, cudaTextureObject_t part,
                     float* results) {
  const float u = 0.5f / kWidth, v = 0.5f / kHeight;
  results[0] = tex2D<float>(point, u, v);
  results[1] = tex2DLod<float>(point, u, v, 2.0f);
  results[2] = tex2DLod<float>(point, u, v, 2.6f);
  results[3] = tex2DLod<float>(point, u, v, 99.0f);
  results[4] = tex2DLod<float>(linear, u, v, 1.25f);
  results[5] = tex2DLod<float>(linear, u, v, 0.0f);  // no finer than the descriptor's clamp
  // A step of four elements: level 2.
  results[6] = tex2DGrad<float>(linear, u, v, make_float2(4.0f / kWidth, 0.0f), make_float2(0.0f, 0.0f));
  results[7] = tex2DLod<float>(part, u, v, 1.0f);
  results[8] = tex2D<float>(part, u, v);
}

cudaSurfaceObject_t surface_of(cudaMipmappedArray_t array, unsigned int level) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  if (cudaGetMipmappedArrayLevel(&resource.res.array.array, array, level) != cudaSuccess) abort();
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) abort();
  return surface;
}

cudaTextureObject_t texture_of(cudaMipmappedArray_t array, cudaTextureFilterMode filter, float finest,
                               const cudaResourceViewDesc* view) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc reading;
  memset(&reading, 0, sizeof reading);
  for (cudaTextureAddressMode& mode : reading.addressMode) mode = cudaAddressModeClamp;
  reading.filterMode = cudaFilterModePoint;
  reading.mipmapFilterMode = filter;
  reading.normalizedCoords = 1;
  reading.minMipmapLevelClamp = finest;
  reading.maxMipmapLevelClamp = 99.0f;
  cudaTextureObject_t texture = 0;
  if (cudaCreateTextureObject(&texture, &resource, &reading, view) != cudaSuccess) abort();
  return texture;
}

bool is_taken(cudaMipmappedArray_t array, const cudaResourceViewDesc& view) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc reading;
  memset(&reading, 0, sizeof reading);
  reading.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &reading, &view);
  if (error == cudaSuccess) cudaDestroyTextureObject(texture);
  cudaGetLastError();
  return error == cudaSuccess;
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  if (cudaMallocMipmappedArray(&array, &floats, make_cudaExtent(kWidth, kHeight, 0), 99,
                               cudaArraySurfaceLoadStore) != cudaSuccess)
    abort();
  cudaArray_t first, none;
  cudaGetMipmappedArrayLevel(&first, array, 0);
  if (cudaGetMipmappedArrayLevel(&none, array, kLevels) != cudaErrorInvalidValue) abort();
  cudaGetLastError();
  float values[kWidth * kHeight] = {};
  cudaMemcpy2DToArray(first, 0, 0, values, kWidth * sizeof(float), kWidth * sizeof(float), kHeight,
                      cudaMemcpyHostToDevice);
  for (unsigned int level = 1; level < kLevels; ++level) {
    cudaArray_t to;
    cudaGetMipmappedArrayLevel(&to, array, level);
    cudaExtent size;
    cudaArrayGetInfo(nullptr, &size, nullptr, to);
    const int height = kHeight >> level == 0 ? 1 : kHeight >> level;
    if (size.width != kWidth >> level || size.height != static_cast<size_t>(height)) abort();
    const cudaSurfaceObject_t source = surface_of(array, level - 1), target = surface_of(array, level);
    halve<<<1, dim3(kWidth, kHeight)>>>(source, target, kWidth >> level, height);
    cudaDeviceSynchronize();
    cudaDestroySurfaceObject(source);
    cudaDestroySurfaceObject(target);
  }
  cudaResourceViewDesc view;
  memset(&view, 0, sizeof view);
  view.format = cudaResViewFormatFloat1;
  view.width = kWidth / 4;  // not the array's
  view.height = kHeight / 4;
  view.firstMipmapLevel = 2;
  view.lastMipmapLevel = 3;
  if (is_taken(array, view)) abort();
  view.width = kWidth;
  view.height = kHeight;
  if (!is_taken(array, view)) abort();
  const cudaTextureObject_t point = texture_of(array, cudaFilterModePoint, 0.0f, nullptr);
  const cudaTextureObject_t linear = texture_of(array, cudaFilterModeLinear, 0.5f, nullptr);
  const cudaTextureObject_t part = texture_of(array, cudaFilterModePoint, 0.0f, &view);
  const float expected[] = {0.0f, 20.0f, 30.0f, 40.0f, 12.5f, 5.0f, 20.0f, 30.0f, 20.0f};
  float* results;
  cudaMalloc(&results, sizeof expected);
  read<<<1, 1>>>(point, linear, part, results);
  float got[sizeof expected / sizeof(float)];
  cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < sizeof expected / sizeof(float); ++i) {
    if (std::fabs(got[i] - expected[i]) > 0.05f) abort();
  }
  for (const cudaTextureObject_t texture : {point, linear, part}) cudaDestroyTextureObject(texture);
  cudaFree(results);
  cudaFreeMipmappedArray(array);
}
