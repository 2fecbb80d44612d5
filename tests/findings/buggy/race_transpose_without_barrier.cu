// The tile is read the other way round before all of it is there.
#include <cstdio>

constexpr int kTile = 16;

__global__ void transpose(const float* in, float* out, int size) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * size + x];  // OTHER(race) OTHER(uninitialised_read)
  const int to_x = blockIdx.y * kTile + threadIdx.x;
  const int to_y = blockIdx.x * kTile + threadIdx.y;
  // EXPECT-NEXT(race) ALSO-NEXT(uninitialised_read) ALSO-NEXT(warp_synchronous)
  out[to_y * size + to_x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int size = 64;
  float *in, *out;
  cudaMalloc(&in, size * size * sizeof(float));
  cudaMalloc(&out, size * size * sizeof(float));
  cudaMemset(in, 0, size * size * sizeof(float));
  transpose<<<dim3(4, 4), dim3(kTile, kTile)>>>(in, out, size);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error;
}
