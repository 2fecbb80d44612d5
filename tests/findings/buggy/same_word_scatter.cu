// Two values with one key go to one place: which of them stays is anybody's guess.
#include <cstdio>

__global__ void scatter(const int* keys, int* place_of) {
  place_of[keys[threadIdx.x]] = threadIdx.x;  // EXPECT(same_word_store)
}

int main() {
  int *keys, *place_of;
  int host[32];
  for (int i = 0; i < 32; ++i) host[i] = i / 2;
  cudaMalloc(&keys, sizeof host);
  cudaMalloc(&place_of, sizeof host);
  cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
  scatter<<<1, 32>>>(keys, place_of);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(keys);
  cudaFree(place_of);
  return error;
}
