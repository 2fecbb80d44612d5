// Every thread of the first warp sets the shared pointer to the same value; the others go on with it at once.
__global__ void by_pointer(const int* values, int* squares) {
  __shared__ const int* from;
  if (threadIdx.x == 64) from = values;
  __syncthreads();
  const int i = threadIdx.x;
  if (i < 32) from = values + 1;  // OTHER(race) ALSO(same_value_store)
  squares[i] = from[i];           // EXPECT(race)
}

int main() {
  int values[97];
  for (int i = 0; i < 97; ++i) values[i] = i;
  int *input, *squares;
  cudaMalloc(&input, sizeof values);
  cudaMalloc(&squares, sizeof values);
  cudaMemcpy(input, values, sizeof values, cudaMemcpyHostToDevice);
  by_pointer<<<1, 96>>>(input, squares);
  cudaMemcpy(values, squares, 96 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(input);
  cudaFree(squares);
  return cudaGetLastError();
}
