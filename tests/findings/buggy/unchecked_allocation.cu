// No device has 1 TB; the program goes on as if it had got it.
int main() {
  int* values = nullptr;
  cudaMalloc(&values, 1ull << 40);  // EXPECT(unchecked_error)
  cudaMemset(values, 0, 0);
  cudaFree(values);
}
