// Scratch memory of each thread, never freed.
__global__ void reverse(int* values) {
  int* scratch = static_cast<int*>(malloc(4 * sizeof(int)));  // EXPECT(leak)
  for (int i = 0; i < 4; ++i) scratch[i] = values[4 * threadIdx.x + i];
  for (int i = 0; i < 4; ++i) values[4 * threadIdx.x + i] = scratch[3 - i];
}

int main() {
  int* values;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMemset(values, 0, 128 * sizeof(int));
  reverse<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
