// Vectors of thrust: device ones are device memory, universal ones managed, and kernels reach both.
#include <cstdio>

#include <thrust/copy.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/universal_vector.h>

__global__ void twice(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  thrust::host_vector<int> host(1000);
  for (int i = 0; i < 1000; ++i) host[i] = i % 17;
  thrust::device_vector<int> device = host;
  twice<<<4, 256>>>(thrust::raw_pointer_cast(device.data()), 1000);
  thrust::sort(device.begin(), device.end());
  host = device;

  thrust::universal_vector<int> shared(100, 1);
  twice<<<1, 128>>>(thrust::raw_pointer_cast(shared.data()), 100);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const int sum = thrust::reduce(shared.begin(), shared.end());

  const thrust::device_ptr<int> numbers = thrust::device_malloc<int>(10);
  thrust::sequence(numbers, numbers + 10);
  twice<<<1, 32>>>(thrust::raw_pointer_cast(numbers), 10);
  const int last = numbers[9];
  thrust::device_free(numbers);

  std::printf("%d %d %d %d\n", static_cast<int>(host[0]), static_cast<int>(host[999]), sum, last);
  return host[0] == 0 && host[999] == 32 && sum == 200 && last == 18 ? 0 : 1;
}
