// Each warp has a row of its own and no barrier at all: the next round overwrites what other lanes still
// read.
#include <cstdio>

__global__ void rounds(const float* in, float* out, int count) {
  __shared__ float row[4][32];
  const unsigned lane = threadIdx.x % 32;
  float* mine = row[threadIdx.x / 32];
  float sum = 0;
  for (int k = 0; k < count; ++k) {
    mine[lane] = in[k * 128 + threadIdx.x];  // EXPECT(warp_synchronous)
    __syncwarp();
    sum += mine[31 - lane];  // OTHER(warp_synchronous)
  }
  out[threadIdx.x] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 512 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMemset(in, 0, 512 * sizeof(float));
  rounds<<<1, 128>>>(in, out, 4);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error;
}
