// Only the first level is filled, and the texture is read between it and the next one.
#include <cstdio>

__global__ void sample(cudaTextureObject_t texture, float* results) {
  // EXPECT-NEXT(uninitialised_read)
  results[threadIdx.x] = tex1DLod<float>(texture, (threadIdx.x + 0.5f) / 8, 0.5f);
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  cudaMallocMipmappedArray(&array, &floats, make_cudaExtent(8, 0, 0), 2);
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaArray_t first;
  cudaGetMipmappedArrayLevel(&first, array, 0);
  cudaMemcpy2DToArray(first, 0, 0, values, sizeof values, sizeof values, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc reading = {};
  reading.normalizedCoords = 1;
  reading.mipmapFilterMode = cudaFilterModeLinear;
  reading.maxMipmapLevelClamp = 1;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &reading, nullptr);
  float* results;
  cudaMalloc(&results, sizeof values);
  sample<<<1, 8>>>(texture, results);
  float got[8];
  cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%f\n", got[0]);
  cudaDestroyTextureObject(texture);
  cudaFree(results);
  cudaFreeMipmappedArray(array);
}
