// <reference only>
// k07_multi_gpu_mpi: memory on a rank's GPU, and copies from there to the CPU and back.
#pragma once
#include <vector>

#include <cuda_runtime.h>

// Memory on this rank's GPU, freed by the destructor.
template <class T>
struct OnGpu {
  explicit OnGpu(std::size_t count) { cudaMalloc(&data, count * sizeof(T)); }
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;
  ~OnGpu() { cudaFree(data); }
  T* data = nullptr;
};

template <class T>
std::vector<T> from_gpu(const T* values, std::size_t count, cudaStream_t stream) {
  std::vector<T> host(count);
  cudaMemcpyAsync(host.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  return host;
}

template <class T>
void to_gpu(T* values, const std::vector<T>& host, cudaStream_t stream) {
  cudaMemcpyAsync(values, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);  // before the vector is destroyed
}
