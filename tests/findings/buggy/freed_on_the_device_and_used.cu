// The list's next pointer is read from the node that was deleted.
struct Node {
  int value;
  Node* next;
};

__global__ void sum(int* result) {
  Node* list = nullptr;
  for (int i = 0; i < 3; ++i) list = new Node{i, list};
  int total = 0;
  for (Node* node = list; node != nullptr; node = node->next) {  // EXPECT(use_after_free)
    total += node->value;
    delete node;
  }
  *result = total;
}

int main() {
  int* result;
  cudaMalloc(&result, sizeof(int));
  sum<<<1, 1>>>(result);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(result);
  return error;
}
