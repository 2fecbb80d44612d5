// Memory of the default pool and of one of the program's own.
#include <cstdlib>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long threshold = ~0ull, read = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read);
  if (read != threshold) abort();
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t own;
  if (cudaMemPoolCreate(&own, &properties) != cudaSuccess) abort();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* values;
  int host[32];
  cudaMallocFromPoolAsync(&values, sizeof host, own, stream);
  fill<<<1, 32, 0, stream>>>(values);
  cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(values, stream);
  cudaStreamSynchronize(stream);
  if (host[31] != 31) abort();
  cudaMemPoolDestroy(own);
  cudaStreamDestroy(stream);
}
