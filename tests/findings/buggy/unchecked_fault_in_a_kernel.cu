// The kernel fails, and the program ends without asking.
__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;  // EXPECT(out_of_bounds)
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  fill<<<1, 64>>>(values);  // EXPECT(unchecked_error)
  cudaFree(values);
}
