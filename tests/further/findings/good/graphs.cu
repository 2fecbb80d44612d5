// A graph captured from two streams, and one built node by node and changed afterwards.
#include <cstdlib>

__global__ void add(int* values, int amount) {
  values[threadIdx.x] += amount;
}
void count(void* counter) {
  ++*static_cast<int*>(counter);
}

int main() {
  int* values;
  int* others;
  int* host;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&others, 32 * sizeof(int));
  cudaMallocHost(&host, 64 * sizeof(int));
  cudaStream_t stream, second;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&second);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  int calls = 0;

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(second, fork, 0);
  cudaMemsetAsync(values, 0, 32 * sizeof(int), stream);
  cudaMemsetAsync(others, 0, 32 * sizeof(int), second);
  add<<<1, 32, 0, stream>>>(values, 3);
  add<<<1, 32, 0, second>>>(others, 4);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(stream, join, 0);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(host + 32, others, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, count, &calls);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  if (status != cudaStreamCaptureStatusActive) abort();
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess || calls != 0) abort();
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  if (nodes != 7) abort();
  if (cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0) != cudaSuccess) abort();
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  if (host[5] != 3 || host[40] != 4 || calls != 3) abort();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);

  cudaGraphCreate(&graph, 0);
  cudaMemsetParams fill = {};
  fill.dst = values;
  fill.elementSize = 1;
  fill.width = 32 * sizeof(int);
  fill.height = 1;
  cudaGraphNode_t filled, added, copied;
  cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill);
  int amount = 7;
  void* arguments[] = {&values, &amount};
  cudaKernelNodeParams launch = {};
  launch.func = (void*)add;
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(32);
  launch.kernelParams = arguments;
  cudaGraphAddKernelNode(&added, graph, &filled, 1, &launch);
  cudaGraphAddMemcpyNode1D(&copied, graph, &added, 1, host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  if (host[31] != 7) abort();
  amount = 9;
  if (cudaGraphExecKernelNodeSetParams(executable, added, &launch) != cudaSuccess) abort();
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  if (host[31] != 9) abort();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(second);
  cudaFree(values);
  cudaFree(others);
  cudaFreeHost(host);
}
