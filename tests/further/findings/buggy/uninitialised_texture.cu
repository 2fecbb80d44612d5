// Only the first rows of the array were copied.
#include <cstring>

__global__ void sum_of_rows(cudaTextureObject_t texture, float* sums) {
  float sum = 0;
  for (int x = 0; x < 8; ++x)
    sum += tex2D<float>(texture, x + 0.5f, threadIdx.x + 0.5f);  // EXPECT(uninitialised_read)
  sums[threadIdx.x] = sum;
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &floats, 8, 4);
  const float rows[2][8] = {};
  cudaMemcpy2DToArray(array, 0, 0, rows, sizeof rows[0], sizeof rows[0], 2, cudaMemcpyHostToDevice);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc reading;
  memset(&reading, 0, sizeof reading);
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &reading, nullptr);
  float* sums;
  cudaMalloc(&sums, 4 * sizeof(float));
  sum_of_rows<<<1, 4>>>(texture, sums);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
  cudaFree(sums);
  return error;
}
