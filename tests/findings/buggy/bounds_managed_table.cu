// A table of 8 for a block of 16.
__managed__ int table[8];

__global__ void fill() {
  table[threadIdx.x] = threadIdx.x;  // EXPECT(out_of_bounds)
}

int main() {
  fill<<<1, 16>>>();
  return cudaDeviceSynchronize();
}
