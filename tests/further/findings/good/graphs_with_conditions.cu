// Graphs that decide while they run: a loop until the values have come close, one of two bodies, one of
// several, a body in a body; made node by node and by captures that go on behind what is there.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) std::exit(2)

constexpr int kCount = 64;

// One step of Newton's method for each root; the last block to finish says whether all are close.
__global__ void step(float* roots, const float* of, unsigned int* finished, int* far,
                     cudaGraphConditionalHandle again) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float next = 0.5f * (roots[i] + of[i] / roots[i]);
  if (fabsf(next - roots[i]) > 1e-5f * next) atomicAdd(far, 1);
  roots[i] = next;
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(finished, 1u) != gridDim.x - 1) return;
  __threadfence();
  cudaGraphSetConditional(again, atomicExch(far, 0) > 0 ? 1 : 0);
  *finished = 0;
}
__global__ void choose(const int* number, cudaGraphConditionalHandle odd, cudaGraphConditionalHandle which) {
  cudaGraphSetConditional(odd, static_cast<unsigned int>(*number % 2));
  cudaGraphSetConditional(which, static_cast<unsigned int>(*number));
}
__global__ void add(int* sum, int value) {
  *sum += value;
}
__global__ void count_down(int* left, cudaGraphConditionalHandle again) {
  cudaGraphSetConditional(again, --*left > 0 ? 1 : 0);
}

cudaGraphNodeParams kernel(void* function, dim3 grid, dim3 block, void** arguments) {
  cudaGraphNodeParams node = {cudaGraphNodeTypeKernel};
  node.kernel.func = function;
  node.kernel.gridDim = grid;
  node.kernel.blockDim = block;
  node.kernel.kernelParams = arguments;
  return node;
}
cudaGraph_t* add_bodies(cudaGraph_t graph, cudaGraphNode_t* node, const cudaGraphNode_t* after, size_t count,
                        cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                        unsigned int size) {
  cudaGraphNodeParams asked = {cudaGraphNodeTypeConditional};
  asked.conditional.handle = handle;
  asked.conditional.type = type;
  asked.conditional.size = size;
  CHECK(cudaGraphAddNode(node, graph, after, nullptr, count, &asked));
  return asked.conditional.phGraph_out;
}
void add_adding(cudaGraph_t graph, int* sum, int value) {
  void* arguments[] = {&sum, &value};
  cudaGraphNodeParams node = kernel(reinterpret_cast<void*>(add), dim3(1), dim3(1), arguments);
  cudaGraphNode_t added;
  CHECK(cudaGraphAddNode(&added, graph, nullptr, nullptr, 0, &node));
}
void launch(cudaGraph_t graph, cudaStream_t stream, int times = 1) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < times; ++i) CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(executable));
}

// Captured into the body: a loop that runs at least once.
bool finds_roots(cudaStream_t stream) {
  std::vector<float> squares(kCount), ones(kCount, 1);
  for (int i = 0; i < kCount; ++i) squares[i] = static_cast<float>(i + 1);
  float *of, *roots;
  unsigned int* finished;
  int* far;
  CHECK(cudaMalloc(&of, kCount * sizeof(float)));
  CHECK(cudaMalloc(&roots, kCount * sizeof(float)));
  CHECK(cudaMalloc(&finished, sizeof *finished));
  CHECK(cudaMalloc(&far, sizeof *far));
  CHECK(cudaMemcpy(of, squares.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(roots, ones.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(finished, 0, sizeof *finished));
  CHECK(cudaMemset(far, 0, sizeof *far));
  cudaGraph_t graph;
  cudaGraphNode_t loop;
  cudaGraphConditionalHandle again;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  const cudaGraph_t body = *add_bodies(graph, &loop, nullptr, 0, again, cudaGraphCondTypeWhile, 1);
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  step<<<2, kCount / 2, 0, stream>>>(roots, of, finished, far, again);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(loop, &type));
  launch(graph, stream, 2);
  CHECK(cudaMemcpy(ones.data(), roots, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(of));
  CHECK(cudaFree(roots));
  CHECK(cudaFree(finished));
  CHECK(cudaFree(far));
  bool right = type == cudaGraphNodeTypeConditional;
  for (int i = 0; i < kCount; ++i) right = right && std::fabs(ones[i] - std::sqrt(squares[i])) < 1e-3f;
  return right;
}

// One of two bodies, and of three; no body for a larger number.
int chosen(int number, cudaStream_t stream) {
  int *device, *sum, result = 0;
  CHECK(cudaMalloc(&device, sizeof(int)));
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemcpy(device, &number, sizeof number, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  cudaGraph_t graph;
  cudaGraphNode_t first, if_odd, of_three;
  cudaGraphConditionalHandle odd, which;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&odd, graph));
  CHECK(cudaGraphConditionalHandleCreate(&which, graph));
  void* arguments[] = {&device, &odd, &which};
  cudaGraphNodeParams node = kernel(reinterpret_cast<void*>(choose), dim3(1), dim3(1), arguments);
  CHECK(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &node));
  cudaGraph_t* bodies = add_bodies(graph, &if_odd, &first, 1, odd, cudaGraphCondTypeIf, 2);
  add_adding(bodies[0], sum, 100);
  add_adding(bodies[1], sum, 200);
  bodies = add_bodies(graph, &of_three, &if_odd, 1, which, cudaGraphCondTypeSwitch, 3);
  for (int i = 0; i < 3; ++i) add_adding(bodies[i], sum, i + 1);
  launch(graph, stream);
  CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(device));
  CHECK(cudaFree(sum));
  return result;
}

// A capture that takes a conditional node in, whose body has another one.
int loops_in_a_loop(cudaStream_t stream) {
  int *rounds, *inner_rounds, *sum, result = 0;
  const int three = 3;
  CHECK(cudaMalloc(&rounds, sizeof(int)));
  CHECK(cudaMalloc(&inner_rounds, sizeof(int)));
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemcpy(rounds, &three, sizeof three, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  cudaGraph_t graph;
  cudaGraphConditionalHandle again, inner_again;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* last;
  size_t count = 0;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(sum, 1000);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, nullptr, &count));
  if (status != cudaStreamCaptureStatusActive || count != 1) return -1;
  CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&inner_again, graph));
  cudaGraphNode_t loop, inner_loop, filled;
  const cudaGraph_t body = *add_bodies(graph, &loop, last, count, again, cudaGraphCondTypeWhile, 1);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &loop, nullptr, 1, cudaStreamSetCaptureDependencies));
  add<<<1, 1, 0, stream>>>(sum, 500);
  CHECK(cudaStreamEndCapture(stream, &graph));

  // In each round the inner loop has five rounds, of which the first comes before its test.
  cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset};
  fill.memset.dst = inner_rounds;
  fill.memset.elementSize = 1;
  fill.memset.width = sizeof(int);
  fill.memset.height = 1;
  CHECK(cudaGraphAddNode(&filled, body, nullptr, nullptr, 0, &fill));
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, &filled, nullptr, 1, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(inner_rounds, 5);
  count_down<<<1, 1, 0, stream>>>(inner_rounds, inner_again);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &count));
  const cudaGraph_t inner =
      *add_bodies(body, &inner_loop, last, count, inner_again, cudaGraphCondTypeWhile, 1);
  CHECK(
      cudaStreamUpdateCaptureDependencies(stream, &inner_loop, nullptr, 1, cudaStreamSetCaptureDependencies));
  count_down<<<1, 1, 0, stream>>>(rounds, again);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  CHECK(cudaStreamBeginCaptureToGraph(stream, inner, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(sum, 1);
  count_down<<<1, 1, 0, stream>>>(inner_rounds, inner_again);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  launch(graph, stream);
  CHECK(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(rounds));
  CHECK(cudaFree(inner_rounds));
  CHECK(cudaFree(sum));
  return result;
}

// One node a handle, of the graph that it was made for; no copies, no second executable beside the first.
bool refuses() {
  cudaGraph_t graph, other, copy;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t node;
  cudaGraphExec_t first, second;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&other, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  bool right = cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &loop) == cudaErrorInvalidValue;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
  const cudaGraph_t body = *loop.conditional.phGraph_out;
  right = right && cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop) == cudaErrorInvalidValue;
  right = right && cudaGraphClone(&copy, graph) == cudaErrorNotSupported;
  CHECK(cudaGraphInstantiate(&first, graph, 0));
  right = right && cudaGraphInstantiate(&second, graph, 0) == cudaErrorNotSupported;
  right = right && cudaGraphInstantiate(&second, body, 0) == cudaErrorNotSupported;
  right = right && cudaGraphDestroy(body) == cudaErrorInvalidValue;
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(first));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(other));
  return right;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const bool close = finds_roots(stream);
  std::printf("%s %d %d %d %d\n", close ? "close" : "far", chosen(1, stream), chosen(2, stream),
              chosen(7, stream), loops_in_a_loop(stream));
  const bool right = close && chosen(1, stream) == 102 && chosen(2, stream) == 203 &&
                     chosen(7, stream) == 100 && loops_in_a_loop(stream) == 1512;
  CHECK(cudaStreamDestroy(stream));
  return right && refuses() ? 0 : 1;
}
