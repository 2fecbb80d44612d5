// Graphs that allocate what they work on: captured from a stream, and built of nodes.
#include <cstdlib>

__global__ void fill(int* values, int from) {
  values[threadIdx.x] = from + threadIdx.x;
}
__global__ void add(int* to, const int* values) {
  to[threadIdx.x] += values[threadIdx.x];
}

int main() {
  int *sums, host[32];
  cudaMalloc(&sums, sizeof host);
  cudaMemset(sums, 0, sizeof host);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t captured, built;
  cudaGraphExec_t first, second;

  int* between;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&between, sizeof host, stream);
  fill<<<1, 32, 0, stream>>>(between, 10);
  add<<<1, 32, 0, stream>>>(sums, between);
  cudaFreeAsync(between, stream);
  if (cudaStreamEndCapture(stream, &captured) != cudaSuccess) abort();
  cudaGraphInstantiate(&first, captured, 0);
  cudaGraphLaunch(first, stream);
  cudaGraphLaunch(first, stream);

  cudaGraphCreate(&built, 0);
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = sizeof host;
  cudaGraphNode_t made, filled, added, freed;
  if (cudaGraphAddMemAllocNode(&made, built, nullptr, 0, &allocation) != cudaSuccess) abort();
  int* memory = static_cast<int*>(allocation.dptr);
  int from = 100;
  void* of_fill[] = {&memory, &from};
  void* of_add[] = {&sums, &memory};
  cudaKernelNodeParams fills = {(void*)fill, 1, 32, 0, of_fill, nullptr};
  cudaKernelNodeParams adds = {(void*)add, 1, 32, 0, of_add, nullptr};
  cudaGraphAddKernelNode(&filled, built, &made, 1, &fills);
  cudaGraphAddKernelNode(&added, built, &filled, 1, &adds);
  cudaGraphAddMemFreeNode(&freed, built, &added, 1, memory);
  cudaGraphInstantiate(&second, built, 0);
  cudaGraphLaunch(second, stream);
  cudaMemcpyAsync(host, sums, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < 32; ++i) {
    if (host[i] != 120 + 3 * i) abort();
  }
  cudaGraphExecDestroy(first);
  cudaGraphExecDestroy(second);
  cudaGraphDestroy(captured);
  cudaGraphDestroy(built);
  cudaStreamDestroy(stream);
  cudaFree(sums);
}
