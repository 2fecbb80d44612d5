// What a graph says of its nodes and edges; a node that is turned off, an edge that is taken away.
#include <cstdlib>

__global__ void add(int* value, int what) {
  *value += what;
}

int main() {
  int *value, host = 0, one = 1, ten = 10;
  cudaMalloc(&value, sizeof *value);
  cudaMemset(value, 0, sizeof *value);
  cudaGraph_t graph, clone;
  cudaGraphExec_t executable;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, second, fill, nodes[4];
  cudaMemsetParams zero = {};
  zero.dst = value;
  zero.elementSize = sizeof *value;
  zero.width = zero.height = 1;
  cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero);
  void* with_one[] = {&value, &one};
  void* with_ten[] = {&value, &ten};
  cudaGraphNodeParams kernel = {};
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel = {(void*)add, 1, 1, 0, with_one, nullptr};
  if (cudaGraphAddNode(&first, graph, &fill, nullptr, 1, &kernel) != cudaSuccess) abort();
  kernel.kernel.kernelParams = with_ten;
  cudaGraphAddNode(&second, graph, &first, nullptr, 1, &kernel);

  size_t count = 0;
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
  if (count != 2) abort();
  count = 4;
  cudaGraphNodeGetDependencies(second, nodes, nullptr, &count);
  if (count != 1 || nodes[0] != first) abort();
  count = 4;
  cudaGraphNodeGetDependentNodes(fill, nodes, nullptr, &count);
  if (count != 1 || nodes[0] != first) abort();
  cudaMemsetParams asked = {};
  if (cudaGraphMemsetNodeGetParams(fill, &asked) != cudaSuccess || asked.dst != value) abort();
  cudaGraphClone(&clone, graph);
  if (cudaGraphNodeFindInClone(&nodes[0], second, clone) != cudaSuccess || nodes[0] == second) abort();
  cudaGraphRemoveDependencies(clone, nullptr, nullptr, nullptr, 0);

  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphNodeSetEnabled(executable, first, 0);
  unsigned int enabled = 1;
  cudaGraphNodeGetEnabled(executable, first, &enabled);
  if (enabled != 0) abort();
  cudaGraphLaunch(executable, nullptr);
  cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost);
  if (host != 10) abort();
  cudaGraphNodeSetEnabled(executable, first, 1);
  cudaGraphLaunch(executable, nullptr);
  cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost);
  if (host != 11) abort();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(clone);
  cudaGraphDestroy(graph);
  cudaFree(value);
}
