// cuRAND's MTGP32: each block of up to 256 threads takes its numbers together. Bits, moments, seeds, groups.
#include <cmath>
#include <set>

#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include "check.h"

constexpr int kBlocks = 3, kThreads = 256, kRounds = 40;
constexpr int kCount = kBlocks * kThreads * kRounds;

template <typename T, typename Draw>
__device__ void fill(curandStateMtgp32_t* states, T* numbers, const Draw& draw) {
  for (int i = 0; i < kRounds; ++i)
    numbers[(i * kBlocks + blockIdx.x) * kThreads + threadIdx.x] = draw(&states[blockIdx.x]);
}
__global__ void bits(curandStateMtgp32_t* states, unsigned int* numbers) {
  fill(states, numbers, [](curandStateMtgp32_t* state) { return curand(state); });
}
__global__ void uniform(curandStateMtgp32_t* states, float* numbers) {
  fill(states, numbers, [](curandStateMtgp32_t* state) { return curand_uniform(state); });
}
__global__ void uniform_double(curandStateMtgp32_t* states, double* numbers) {
  fill(states, numbers, [](curandStateMtgp32_t* state) { return curand_uniform_double(state); });
}
__global__ void normal(curandStateMtgp32_t* states, float* numbers) {
  fill(states, numbers, [](curandStateMtgp32_t* state) { return curand_normal(state); });
}
__global__ void normal_double(curandStateMtgp32_t* states, double* numbers) {
  fill(states, numbers, [](curandStateMtgp32_t* state) { return curand_normal_double(state); });
}
__global__ void log_normal(curandStateMtgp32_t* states, float* numbers) {
  fill(states, numbers, [](curandStateMtgp32_t* state) { return curand_log_normal(state, 1, 0.5f); });
}
__global__ void poisson(curandStateMtgp32_t* states, unsigned int* numbers, double mean) {
  fill(states, numbers, [=](curandStateMtgp32_t* state) { return curand_poisson(state, mean); });
}
// The block's shape does not matter, and a part of it may take fewer.
__global__ void bits_of_a_flat_block(curandStateMtgp32_t* state, unsigned int* numbers) {
  const int i = threadIdx.y * blockDim.x + threadIdx.x;
  numbers[i] = curand(state);
  numbers[i + 128] = curand_mtgp32_specific(state, static_cast<unsigned char>(i), 128);
}

template <typename T>
void expect_moments(const Device<T>& numbers, double mean, double variance, const char* what) {
  double sum = 0, squares = 0;
  for (const T each : numbers.values()) sum += double(each);
  for (const T each : numbers.values())
    squares += (double(each) - sum / kCount) * (double(each) - sum / kCount);
  expect(std::fabs(sum / kCount - mean) < 5 * std::sqrt(variance / kCount), what);
  expect(std::fabs(squares / kCount / variance - 1) < 0.1, what);
}

int main() {
  mtgp32_kernel_params_t* parameters;
  curandStateMtgp32_t* states;
  cudaMalloc(&parameters, sizeof *parameters);
  cudaMalloc(&states, kBlocks * sizeof *states);
  const auto seed = [&](unsigned long long number) {
    expect(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, kBlocks, number) ==
               CURAND_STATUS_SUCCESS,
           "states");
  };
  expect(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters) == CURAND_STATUS_SUCCESS,
         "constants");
  expect(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters, 201, 1) !=
             CURAND_STATUS_SUCCESS,
         "too many states");
  seed(1234);
  const Device<unsigned int> words(kCount);
  const Device<float> floats(kCount);
  const Device<double> doubles(kCount);
  bits<<<kBlocks, kThreads>>>(states, words);
  const auto first = words.values();
  for (int bit = 0; bit < 32; ++bit) {
    int set = 0, changes = 0;
    for (int i = 0; i < kCount; ++i) {
      set += first[i] >> bit & 1;
      changes += i > 0 && ((first[i] ^ first[i - 1]) >> bit & 1) != 0;
    }
    expect(std::abs(set - kCount / 2) < 3 * std::sqrt(kCount), "bits");
    expect(std::abs(changes - kCount / 2) < 3 * std::sqrt(kCount), "bits in a row");
  }
  expect(std::set<unsigned int>(first.begin(), first.end()).size() > kCount - 5, "numbers differ");
  bits<<<kBlocks, kThreads>>>(states, words);
  expect(words.values() != first, "the numbers go on");
  seed(1234);
  bits<<<kBlocks, kThreads>>>(states, words);
  expect_equal(words.values(), first, "the same seed");
  seed(1234);
  bits_of_a_flat_block<<<1, dim3(16, 8)>>>(states, words);
  expect_equal(words.values(kThreads), std::vector<unsigned int>(first.begin(), first.begin() + kThreads),
               "halves of a block");
  seed(1235);
  bits<<<kBlocks, kThreads>>>(states, words);
  expect(words.values() != first, "another seed");

  uniform<<<kBlocks, kThreads>>>(states, floats);
  expect_moments(floats, 0.5, 1.0 / 12, "uniform");
  uniform_double<<<kBlocks, kThreads>>>(states, doubles);
  expect_moments(doubles, 0.5, 1.0 / 12, "uniform, double");
  normal<<<kBlocks, kThreads>>>(states, floats);
  expect_moments(floats, 0, 1, "normal");
  normal_double<<<kBlocks, kThreads>>>(states, doubles);
  expect_moments(doubles, 0, 1, "normal, double");
  log_normal<<<kBlocks, kThreads>>>(states, floats);
  expect_moments(floats, std::exp(1.125), (std::exp(0.25) - 1) * std::exp(2.25), "log normal");
  for (const double mean : {0.5, 8.0, 200.0}) {
    poisson<<<kBlocks, kThreads>>>(states, words, mean);
    expect_moments(words, mean, mean, "Poisson");
  }
  cudaFree(parameters);
  cudaFree(states);
  return result();
}
