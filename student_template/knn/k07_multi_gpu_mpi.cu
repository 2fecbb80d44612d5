// What changes: a rank for each GPU: as k03 the ranks share the queries, and each classifies its own on its
// GPU. What that cures: the limit of one GPU: every one that is added takes a share of the queries. What
// still hurts: the data set leaves the first GPU, crosses to every rank, and enters its GPU, in every call.
// What to expect: with many queries nearly as many times the speed of k04 as there are GPUs; with few the
// copies win.
#include <array>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include "knn.h"
#include "nearest_list.h"

constexpr unsigned kThreads = 128;

// As k04.
__global__ void query_per_thread(const Classification task, const Workspace work) {
  // TODO: as k04
  (void)task, (void)work;  // delete this line: it only quiets the compiler
}

namespace {

// Memory on this rank's GPU, given back at the end.
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
  cudaStreamSynchronize(stream);  // the vector may go
}

}  // namespace

extern "C" void k07_multi_gpu_mpi(Classification task, Workspace /*work*/, cudaStream_t stream) {
  // TODO: as k03; MPI moves memory of the CPU: from the first GPU to its CPU, by message, to the own GPU.
  // TODO: the own share by a kernel on the own GPU. Which memory has a rank that has no Workspace?
  // TODO: the answers: to the CPU, by message to rank 0, and there to its GPU.
  (void)task, (void)stream, (void)kThreads;
}
