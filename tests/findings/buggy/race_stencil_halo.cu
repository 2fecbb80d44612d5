// The neighbours' values in shared memory are read without a barrier after they were stored.
#include <cstdio>

__global__ void smooth(const float* in, float* out, int n) {
  __shared__ float row[130];
  const int i = blockIdx.x * 128 + threadIdx.x;
  const int at = threadIdx.x + 1;
  row[at] = in[i];  // OTHER(race) OTHER(uninitialised_read)
  if (threadIdx.x == 0) row[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 127) row[129] = i + 1 < n ? in[i + 1] : 0.0f;
  // EXPECT-NEXT(race) ALSO-NEXT(warp_synchronous) ALSO-NEXT(uninitialised_read)
  out[i] = (row[at - 1] + row[at] + row[at + 1]) / 3;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 512 * sizeof(float));
  cudaMalloc(&out, 512 * sizeof(float));
  cudaMemset(in, 0, 512 * sizeof(float));
  smooth<<<4, 128>>>(in, out, 512);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error;
}
