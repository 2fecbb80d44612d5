// The captured kernel shifts values in place without a barrier.
__global__ void shift(int* values) {
  const int next = values[threadIdx.x + 1];  // OTHER(race)
  values[threadIdx.x] = next;                // EXPECT(race)
}

int main() {
  int* values;
  cudaMalloc(&values, 65 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(values, 0, 65 * sizeof(int), stream);
  shift<<<1, 64, 0, stream>>>(values);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  const cudaError_t error = cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(values);
  return error;
}
