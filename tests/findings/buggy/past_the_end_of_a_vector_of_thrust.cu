// A kernel that writes one element more than the vector has.
#include <cstdio>

#include <thrust/device_vector.h>

__global__ void count_up(int* values, int n) {
  const int i = threadIdx.x;
  if (i <= n) values[i] = i;  // EXPECT(out_of_bounds)
}

int main() {
  thrust::device_vector<int> values(100);
  count_up<<<1, 128>>>(thrust::raw_pointer_cast(values.data()), 100);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
