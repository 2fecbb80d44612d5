// What a call costs on the simulated device, which is another process. Nothing here fails on a number.
#include <cstdlib>
#include <vector>

#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include "harness/judge/workers/simulated_device.h"
#include "harness/sandbox/level.h"
#include "harness/simulator/program/client.h"

namespace warpmark {
namespace {

// Called before any other CUDA function.
void use_device() {
  judge::Installation installation{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
  installation.sandbox = sandbox::best_level();
  auto started = judge::SimulatedDevice::start(installation);
  if (!started) std::abort();
  static judge::SimulatedDevice device = std::move(*started);
  warpmark_device_connect(device.take_program_end().release(), -1);
}

void answered_call(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cudaStreamQuery(nullptr));
}
// A fixed number of calls, so that the processor time of both processes can be told from outside (perf stat).
BENCHMARK(answered_call)->Iterations(200'000)->UseRealTime();

void synchronize(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cudaDeviceSynchronize());
}
BENCHMARK(synchronize)->UseRealTime();

void malloc_and_free(benchmark::State& state) {
  for (auto _ : state) {
    void* data = nullptr;
    benchmark::DoNotOptimize(cudaMalloc(&data, 256));
    benchmark::DoNotOptimize(cudaFree(data));
  }
}
BENCHMARK(malloc_and_free)->UseRealTime();

// The argument: bytes.
void copy_to_device(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<char> host(bytes);
  void* data = nullptr;
  cudaMalloc(&data, bytes);
  for (auto _ : state) benchmark::DoNotOptimize(cudaMemcpy(data, host.data(), bytes, cudaMemcpyHostToDevice));
  cudaFree(data);
}
BENCHMARK(copy_to_device)->Arg(4)->Iterations(200'000)->UseRealTime();
BENCHMARK(copy_to_device)->Arg(4096)->Arg(1 << 20)->UseRealTime();

void copy_to_host(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<char> host(bytes);
  void* data = nullptr;
  cudaMalloc(&data, bytes);
  for (auto _ : state) benchmark::DoNotOptimize(cudaMemcpy(host.data(), data, bytes, cudaMemcpyDeviceToHost));
  cudaFree(data);
}
BENCHMARK(copy_to_host)->Arg(4)->Arg(4096)->Arg(1 << 20)->UseRealTime();

}  // namespace
}  // namespace warpmark

int main(int argc, char** argv) {
  warpmark::use_device();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
