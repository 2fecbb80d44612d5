// 64 KiB of dynamic shared memory need an attribute first; the launch fails in silence.
#include <cstdio>

__global__ void use(float* out) {
  extern __shared__ float shared[];
  shared[threadIdx.x] = 1;
  out[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  use<<<1, 64, 64 * 1024>>>(out);  // EXPECT(unchecked_error)
  cudaFree(out);
}
