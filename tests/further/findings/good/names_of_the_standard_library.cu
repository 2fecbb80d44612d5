// A program's own names may be those of headers that it does not include.
#include <iostream>

#include <cuda.h>

using namespace std;

__device__ int lock = 0;
int map[4] = {3, 1, 2, 0};
int* array;

__global__ void gather(int* array, int n) {
  const int i = threadIdx.x;
  if (i < n) array[i] = i + lock;
}

int main() {
  int mutex = 0;
  cudaMalloc(&array, sizeof map);
  gather<<<1, 32>>>(array, 4);
  cudaMemcpy(map, array, sizeof map, cudaMemcpyDeviceToHost);
  for (int each : map) mutex += each;
  cout << mutex << endl;
  cudaFree(array);
  return cudaGetLastError();
}
