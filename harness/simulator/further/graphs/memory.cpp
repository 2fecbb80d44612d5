// Graph memory nodes. The memory is allocated when the node is created, because its address must be known
// then, and, if the program or a free node has freed it, released with the last graph that contains the node.
#include <map>
#include <memory>
#include <mutex>

#include "harness/simulator/further/graphs/nodes.h"
#include "harness/simulator/program/forward.h"

// The header graph_queries.h must follow forward.h: it declares typed overloads of runtime functions, and
// forward.h takes the addresses of those functions, which overloads would make ambiguous.
#include <warpmark_cuda/graphs/graph_queries.h>

using namespace warpmark::simulator;

namespace {

struct GraphMemory {
  void* pointer = nullptr;
  // true once a free node or, after a launch, the program has freed a graph's memory; only then does the
  // destructor call cudaFree
  bool freed = false;

  GraphMemory() = default;
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;
  ~GraphMemory() {
    if (freed) forward<&cudaFree>(pointer);
  }
};

// Memory of the allocation nodes of all graphs, by device address.
struct AllGraphMemory {
  std::mutex mutex;
  std::map<void*, std::weak_ptr<GraphMemory>> by_address;
};

AllGraphMemory& all_graph_memory() {
  static AllGraphMemory all;
  return all;
}

// Returns the work function of an allocation or free node of a graph: a no-op whose closure shares ownership
// of the node's memory, so that the memory lives as long as the node.
GraphWork keeping(std::shared_ptr<GraphMemory> memory) {
  return [kept = std::move(memory)](cudaStream_t) { return cudaSuccess; };
}

}  // namespace

namespace warpmark::simulator {

cudaError_t allocate_for_graph(void** pointer, std::size_t bytes, GraphWork& work) {
  auto memory = std::make_shared<GraphMemory>();
  if (const cudaError_t error = cudaMalloc(&memory->pointer, bytes); error != cudaSuccess) return error;
  *pointer = memory->pointer;
  AllGraphMemory& all = all_graph_memory();
  const std::lock_guard lock(all.mutex);
  all.by_address[*pointer] = memory;
  work = keeping(std::move(memory));
  return cudaSuccess;
}

GraphWork freeing(void* pointer) {
  AllGraphMemory& all = all_graph_memory();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(pointer);
  auto memory = found == all.by_address.end() ? nullptr : found->second.lock();
  if (!memory) return [pointer](cudaStream_t stream) { return cudaFreeAsync(pointer, stream); };
  memory->freed = true;
  return keeping(std::move(memory));
}

bool owns_freed(void* pointer) {
  AllGraphMemory& all = all_graph_memory();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(pointer);
  const auto memory = found == all.by_address.end() ? nullptr : found->second.lock();
  if (memory) memory->freed = true;
  return memory != nullptr;
}

}  // namespace warpmark::simulator

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* allocation) {
  if (allocation == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = cudaGraphAddEmptyNode(node, graph, after, count); error != cudaSuccess)
    return error;
  (*node)->type = cudaGraphNodeTypeMemAlloc;
  return allocate_for_graph(&allocation->dptr, allocation->bytesize, (*node)->work);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer) {
  if (pointer == nullptr) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = cudaGraphAddEmptyNode(node, graph, after, count); error != cudaSuccess)
    return error;
  (*node)->type = cudaGraphNodeTypeMemFree;
  (*node)->work = freeing(pointer);
  return cudaSuccess;
}
