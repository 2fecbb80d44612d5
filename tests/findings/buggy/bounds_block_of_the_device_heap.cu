// One element more than malloc() was asked for.
__global__ void squares(int* result, int count) {
  int* values = static_cast<int*>(malloc(count * sizeof(int)));
  for (int i = 0; i <= count; ++i) values[i] = i * i;  // EXPECT(out_of_bounds)
  *result = values[count - 1];
  free(values);
}

int main() {
  int* result;
  cudaMalloc(&result, sizeof(int));
  squares<<<1, 1>>>(result, 10);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(result);
  return error;
}
