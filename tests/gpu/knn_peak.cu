// Times versions of knn on the GPU at hand, and prints what the machine allows: the least time for one
// multiplication a query, row and dimension, by the data sheet and by a kernel that does nothing else, and
// the time to read the data set once. Held against k06_transposed, whose arithmetic is the contract's.
//
//     nvcc -O3 -arch=native -Iharness/assignments/knn tests/gpu/knn_peak.cu reference/knn/k0[4569]*.cu -o
//     knn_peak
//     ./knn_peak [rows [queries [dims [k]]]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "knn.h"

namespace {

void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
T* device_memory(std::size_t count) {
  T* memory = nullptr;
  must(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

__device__ unsigned hashed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}
__global__ void fill(float* values, std::size_t n, unsigned seed) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = static_cast<float>(static_cast<int>(hashed(static_cast<unsigned>(i) ^ seed))) * 0x1p-31F;
}
__global__ void fill(int* labels, std::size_t n, int count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n)
    labels[i] = static_cast<int>(hashed(static_cast<unsigned>(i) + 77U) % static_cast<unsigned>(count));
}

constexpr int kChains = 16;
constexpr int kTurns = 4096;
__global__ void multiply_add(float* out, float factor) {
  float sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = static_cast<float>(threadIdx.x + i);
  for (int turn = 0; turn < kTurns; ++turn) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) sums[i] = fmaf(sums[i], factor, 1.0F);
  }
  float all = 0;
  for (float sum : sums) all += sum;
  if (all == 1) *out = all;
}

// The median and the least of some runs, in milliseconds.
template <class Run>
std::pair<double, double> time_of(int runs, const Run& run) {
  cudaEvent_t begin{};
  cudaEvent_t end{};
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  run();
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    must(cudaEventRecord(begin));
    run();
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(milliseconds);
  }
  must(cudaGetLastError());
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

struct Version {
  const char* name;
  knn_fn* function;
  int runs;
};

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::size_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  const std::size_t rows = argument(1, std::size_t{1} << 20);
  const std::size_t queries = argument(2, 4096);
  const std::size_t dims = argument(3, 16);
  const std::size_t k = argument(4, 8);
  constexpr int kLabels = 10;
  auto* values = device_memory<float>(rows * dims);
  auto* labels = device_memory<int>(rows);
  auto* asked = device_memory<float>(queries * dims);
  auto* answers = device_memory<int>(queries);
  const auto blocks = [](std::size_t n) { return static_cast<unsigned>((n + 255) / 256); };
  fill<<<blocks(rows * dims), 256>>>(values, rows * dims, 1);
  fill<<<blocks(queries * dims), 256>>>(asked, queries * dims, 0x80000000U);
  fill<<<blocks(rows), 256>>>(labels, rows, kLabels);
  const std::size_t more_bytes = 4096 * queries + 65536;
  const Classification task{values, labels, rows, dims, asked, queries, k, kLabels, answers};
  const Workspace work{device_memory<float>(queries * k),
                       device_memory<unsigned>(queries * k),
                       device_memory<int>(queries * kLabels),
                       device_memory<float>(rows * dims),
                       device_memory<float>(rows),
                       device_memory<unsigned>(rows),
                       device_memory<char>(more_bytes),
                       more_bytes};

  cudaDeviceProp device{};
  must(cudaGetDeviceProperties(&device, 0));
  int kilohertz = 0;
  must(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  const double lanes = 128.0 * device.multiProcessorCount;
  const double products =
      static_cast<double>(rows) * static_cast<double>(queries) * static_cast<double>(dims);
  const double sheet = products / (lanes * kilohertz);
  const int blocks_of_products = device.multiProcessorCount * 4;
  const auto measured = time_of(20, [&] { multiply_add<<<blocks_of_products, 512>>>(work.distances, 0.5F); });
  const double rate = 512.0 * blocks_of_products * kChains * kTurns / measured.first;
  auto* copy = work.turned;
  const auto moved = time_of(20, [&] {
    must(cudaMemcpyAsync(copy, values, rows * dims * sizeof(float), cudaMemcpyDeviceToDevice));
  });
  std::printf("%s, %zu rows of %zu values, %zu queries, k = %zu\n", device.name, rows, dims, queries, k);
  std::printf("bound, FP32, by the data sheet (%.0f lanes, %.0f MHz): %.3f ms\n", lanes, kilohertz / 1000.0,
              sheet);
  std::printf("bound, FP32, by a kernel of multiplications (%.1f %% of the sheet): %.3f ms\n",
              100 * rate / (lanes * kilohertz), products / rate);
  std::printf("bound, memory, half of a copy of the data set: %.3f ms\n", moved.first / 2);

  const Version versions[] = {{"k06_transposed", k06_transposed, 3},
                              {"k04_query_per_thread", k04_query_per_thread, 1},
                              {"k05_tiled_shared", k05_tiled_shared, 1},
                              {"k09_peak", k09_peak, 50}};
  std::vector<int> right;
  for (const Version& version : versions) {
    must(cudaMemset(answers, 0xff, queries * sizeof(int)));
    const auto [median, least] = time_of(version.runs, [&] { version.function(task, work, nullptr); });
    std::vector<int> got(queries);
    must(cudaMemcpy(got.data(), answers, queries * sizeof(int), cudaMemcpyDeviceToHost));
    if (right.empty()) right = got;
    std::size_t wrong = 0;
    for (std::size_t q = 0; q < queries; ++q) wrong += got[q] != right[q] ? 1 : 0;
    std::printf("%-22s %9.3f ms (least %.3f), %.2f times the FP32 bound; %zu other labels than k06\n",
                version.name, median, least, median / sheet, wrong);
  }
  return 0;
}
