// A state of MTGP32 is one block's; two blocks take their numbers from the same one.
#include <cstdio>

#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

__global__ void draw(curandStateMtgp32_t* states, float* numbers) {
  numbers[blockIdx.x * blockDim.x + threadIdx.x] =
      curand_uniform(&states[blockIdx.x / 2]);  // EXPECT(race) ALSO(race)
}

int main() {
  constexpr int kBlocks = 4, kThreads = 128;
  mtgp32_kernel_params_t* parameters;
  curandStateMtgp32_t* states;
  float *numbers, host[kBlocks * kThreads];
  cudaMalloc(&parameters, sizeof *parameters);
  cudaMalloc(&states, kBlocks * sizeof *states);
  cudaMalloc(&numbers, sizeof host);
  if (curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters) != CURAND_STATUS_SUCCESS ||
      curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, kBlocks, 7) !=
          CURAND_STATUS_SUCCESS)
    return 2;
  draw<<<kBlocks, kThreads>>>(states, numbers);
  cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[0]);
  cudaFree(parameters);
  cudaFree(states);
  cudaFree(numbers);
}
