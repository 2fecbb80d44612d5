// Managed memory, read by the host after each of the ways to wait for a kernel.
#include <cstdio>

__global__ void add_one(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

int main() {
  const int n = 1000;
  int *values, *other;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&other, n * sizeof(int));
  for (int i = 0; i < n; ++i) values[i] = i;
  cudaStream_t stream, second;
  cudaStreamCreate(&stream);
  cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, -1);
  cudaEvent_t done;
  cudaEventCreate(&done);

  add_one<<<4, 256>>>(values, n);
  cudaDeviceSynchronize();
  int sum = values[n - 1];
  add_one<<<4, 256, 0, stream>>>(values, n);
  cudaStreamSynchronize(stream);
  sum += values[n - 1];
  add_one<<<4, 256, 0, second>>>(values, n);
  cudaEventRecord(done, second);
  cudaEventSynchronize(done);
  sum += values[n - 1];
  add_one<<<4, 256, 0, second>>>(values, n);
  while (cudaStreamQuery(second) == cudaErrorNotReady) {
  }
  sum += values[n - 1];
  add_one<<<4, 256, 0, stream>>>(values, n);
  cudaEventRecord(done, stream);
  while (cudaEventQuery(done) != cudaSuccess) {
  }
  sum += values[n - 1];
  // A blocking stream and the default stream wait for each other.
  add_one<<<4, 256, 0, stream>>>(values, n);
  cudaStreamSynchronize(0);
  sum += values[n - 1];
  add_one<<<4, 256>>>(values, n);
  add_one<<<4, 256, 0, stream>>>(values, n);
  cudaStreamSynchronize(stream);
  sum += values[n - 1];
  // Functions that wait by the way.
  add_one<<<4, 256, 0, stream>>>(values, n);
  cudaMemset(other, 0, n * sizeof(int));
  sum += values[n - 1];
  add_one<<<4, 256, 0, second>>>(values, n);
  cudaFree(other);
  sum += values[n - 1];

  std::printf("%d\n", sum);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(second);
  cudaFree(values);
}
