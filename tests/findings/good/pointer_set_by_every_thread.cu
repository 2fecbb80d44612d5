// Every thread sets a shared pointer, and a shared limit, to the same value and goes on with it.
__global__ void by_pointer(const int* values, int* squares, int limit) {
  __shared__ const int* from;
  __shared__ int count;
  from = values;  // ALSO(same_value_store)
  count = limit;  // ALSO(same_value_store)
  const int i = threadIdx.x;
  if (i < count) squares[i] = from[i] * from[i];
}

int main() {
  int values[96];
  for (int i = 0; i < 96; ++i) values[i] = i;
  int *input, *squares;
  cudaMalloc(&input, sizeof values);
  cudaMalloc(&squares, sizeof values);
  cudaMemcpy(input, values, sizeof values, cudaMemcpyHostToDevice);
  by_pointer<<<1, 96>>>(input, squares, 90);
  cudaMemcpy(values, squares, 90 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(input);
  cudaFree(squares);
  return cudaGetLastError();
}
