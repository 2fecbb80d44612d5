// Functions of the host that stand in a stream see what was computed before them, and are waited for.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

struct Job {
  int* values;
  int n;
  long sum;
  int calls;
};

void CUDART_CB add_up(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  for (int i = 0; i < job.n; ++i) job.sum += job.values[i];
}

void CUDART_CB count(cudaStream_t, cudaError_t error, void* argument) {
  static_cast<Job*>(argument)->calls += error == cudaSuccess ? 1 : 100;
}

int main() {
  Job job{nullptr, 1000, 0, 0};
  cudaMallocManaged(&job.values, job.n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int round = 0; round < 2; ++round) {
    fill<<<4, 256, 0, stream>>>(job.values, job.n);
    cudaLaunchHostFunc(stream, add_up, &job);
    cudaStreamAddCallback(stream, count, &job, 0);
  }
  cudaStreamSynchronize(stream);
  std::printf("%ld %d\n", job.sum, job.calls);
  cudaStreamDestroy(stream);
  cudaFree(job.values);
  return job.sum == 999000 && job.calls == 2 ? 0 : 3;
}
