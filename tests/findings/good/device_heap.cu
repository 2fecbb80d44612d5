// Lists and arrays in the heap of the device, across launches, with memset and memcpy in kernels.
#include <cstdlib>

struct Node {
  int value;
  Node* next;
  __device__ Node(int v, Node* n) : value(v), next(n) {}
};

__global__ void build(Node** lists) {
  Node* list = nullptr;
  for (int i = 0; i < 4; ++i) list = new Node(i + (int)threadIdx.x, list);
  lists[threadIdx.x] = list;
}
__global__ void sum(Node** lists, int* sums) {
  int* copy = static_cast<int*>(malloc(4 * sizeof(int)));
  memset(copy, 0, 4 * sizeof(int));
  int values[4];
  int count = 0;
  for (Node* node = lists[threadIdx.x]; node != nullptr;) {
    values[count++] = node->value;
    Node* next = node->next;
    delete node;
    node = next;
  }
  memcpy(copy, values, sizeof values);
  sums[threadIdx.x] = copy[0] + copy[1] + copy[2] + copy[3];
  free(copy);
}
__global__ void too_much(int* refused) {
  *refused = malloc(1 << 30) == nullptr;
}

int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
  Node** lists;
  int* sums;
  cudaMalloc(&lists, 64 * sizeof(Node*));
  cudaMalloc(&sums, 64 * sizeof(int));
  build<<<1, 32>>>(lists);
  sum<<<1, 32>>>(lists, sums);
  int host[32];
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (host[i] != 6 + 4 * i) abort();
  too_much<<<1, 1>>>(sums);
  cudaMemcpy(host, sums, sizeof(int), cudaMemcpyDeviceToHost);
  if (host[0] != 1) abort();
  cudaFree(lists);
  cudaFree(sums);
}
