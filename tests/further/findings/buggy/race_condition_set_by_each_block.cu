// Each block says by its own values whether the loop goes on; the last one to say so wins.
#include <cstdio>

__global__ void halve(float* values, cudaGraphConditionalHandle again) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] *= 0.5f;
  if (threadIdx.x == 0)
    cudaGraphSetConditional(again, values[i] > 1 ? 1 : 0);  // EXPECT(race) ALSO(same_value_store)
}

int main() {
  constexpr int kBlocks = 4, kThreads = 32;
  float host[kBlocks * kThreads];
  for (int i = 0; i < kBlocks * kThreads; ++i) host[i] = float(i + 1);
  float* values;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphNode_t loop;
  cudaGraphConditionalHandle again;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams asked = {cudaGraphNodeTypeConditional};
  asked.conditional.handle = again;
  asked.conditional.type = cudaGraphCondTypeWhile;
  asked.conditional.size = 1;
  if (cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &asked) != cudaSuccess) return 2;
  cudaStreamBeginCaptureToGraph(stream, asked.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  halve<<<kBlocks, kThreads, 0, stream>>>(values, again);
  cudaStreamEndCapture(stream, nullptr);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", host[0] < 1 ? "halved" : "not halved");
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(values);
}
