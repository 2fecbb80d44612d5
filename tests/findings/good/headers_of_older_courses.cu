// Headers that programs include by habit: all of them are the runtime's.
#include <cstdlib>

#include <crt/host_defines.h>
#include <cuda_device_runtime_api.h>
#include <cuda_surface_types.h>
#include <device_atomic_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_30_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <texture_fetch_functions.h>

__global__ void dot(int* sum) {
  atomicAdd(sum, __dp4a(0x01020304, 0x01010101, 0));
}

int main() {
  int *sum, host = 0;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);
  dot<<<1, 32>>>(sum);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(sum);
  if (host != 320) abort();
}
