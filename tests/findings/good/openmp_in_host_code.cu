// Threads of OpenMP, each with a part of the input.
#include <cstdlib>

#include <omp.h>

__global__ void square(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= values[i];
}

int main() {
  constexpr int kParts = 4, kPart = 100;
  int* values;
  cudaMallocManaged(&values, kParts * kPart * sizeof(int));
  for (int i = 0; i < kParts * kPart; ++i) values[i] = i;
  int sum = 0;
#pragma omp parallel for num_threads(kParts) reduction(+ : sum)
  for (int part = 0; part < kParts; ++part) {
    square<<<1, 128>>>(values + part * kPart, kPart);
    sum += omp_get_thread_num();
  }
  cudaDeviceSynchronize();
  if (sum != 6) abort();
  for (int i = 0; i < kParts * kPart; ++i)
    if (values[i] != i * i) abort();
  cudaFree(values);
}
