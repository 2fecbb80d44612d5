// The parent rounds the number of threads up, and the child does not test.
__global__ void child(int* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // EXPECT(out_of_bounds)
}
__global__ void parent(int* values, int count) {
  child<<<(count + 31) / 32, 32>>>(values);
}

int main() {
  int* values;
  cudaMalloc(&values, 100 * sizeof(int));
  parent<<<1, 1>>>(values, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
