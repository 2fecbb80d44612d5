// A lambda with a parameter of any type is host code like another: it launches, waits and measures.
#include <cstdio>

__global__ void count(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

template <class Work>
void repeated(const Work& work) {
  for (int i = 0; i < 3; ++i) work(i);
}

int main() {
  int* values = nullptr;
  int last = 0;
  cudaMalloc(&values, 32 * sizeof(int));
  repeated([&](auto i) {
    count<<<1, 32>>>(values);
    cudaDeviceSynchronize();
    cudaMemcpy(&last, values + i, sizeof last, cudaMemcpyDeviceToHost);
  });
  std::printf("%d\n", last);
  cudaFree(values);
}
