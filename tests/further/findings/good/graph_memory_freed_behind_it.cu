// Memory that a graph allocates and the program frees behind each launch: the next one has it again.
#include <cstdlib>

__global__ void fill(int* values, int from) {
  values[threadIdx.x] = from + threadIdx.x;
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t launched;
  int* values;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(&values, 32 * sizeof(int), stream);
  fill<<<1, 32, 0, stream>>>(values, 5);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&launched, graph, 0);
  for (int round = 0; round < 3; ++round) {
    int host[32];
    if (cudaGraphLaunch(launched, stream) != cudaSuccess) abort();
    cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, stream);
    if (round == 1) {
      cudaStreamSynchronize(stream);
      cudaFree(values);
    } else {
      cudaFreeAsync(values, stream);
      cudaStreamSynchronize(stream);
    }
    if (host[31] != 36) abort();
  }
  cudaGraphExecDestroy(launched);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
