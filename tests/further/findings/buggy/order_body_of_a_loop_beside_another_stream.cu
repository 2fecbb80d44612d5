// The body of a graph's loop adds to what a kernel in another stream reads; nothing orders the two.
#include <cstdio>

__global__ void add(int* sums, int* left, cudaGraphConditionalHandle again) {
  sums[threadIdx.x] += 1;
  if (threadIdx.x == 0) cudaGraphSetConditional(again, --*left > 0 ? 1 : 0);
}
__global__ void copy(const int* sums, int* copies) {
  copies[threadIdx.x] = sums[threadIdx.x];
}

int main() {
  constexpr int kCount = 64;
  const int rounds = 3;
  int *sums, *copies, *left, host[kCount];
  cudaMalloc(&sums, sizeof host);
  cudaMalloc(&copies, sizeof host);
  cudaMalloc(&left, sizeof *left);
  cudaMemset(sums, 0, sizeof host);
  cudaMemcpy(left, &rounds, sizeof rounds, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
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
  cudaStreamBeginCaptureToGraph(first, asked.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  add<<<1, kCount, 0, first>>>(sums, left, again);
  cudaStreamEndCapture(first, nullptr);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, first);            // OTHER(race)
  copy<<<1, kCount, 0, second>>>(sums, copies);  // EXPECT(race)
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaMemcpy(host, copies, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(sums);
  cudaFree(copies);
  cudaFree(left);
}
