// A function of the host that stands in a stream starts a thread, which uses what the stream has copied.
#include <cstdio>
#include <thread>
#include <vector>

__global__ void add_one(int* values) {
  values[threadIdx.x] += 1;
}

struct Job {
  int *device, *host, number;
  cudaStream_t stream;
  std::thread reader;
  bool right;
};

void CUDART_CB copied(cudaStream_t, cudaError_t, void* argument) {
  Job* job = static_cast<Job*>(argument);
  job->reader = std::thread([job] {
    job->right = true;
    for (int i = 0; i < 32; ++i) job->right = job->right && job->host[i] == job->number + i + 1;
  });
}

void work(Job* job) {
  cudaStreamCreate(&job->stream);
  cudaMalloc(&job->device, 32 * sizeof(int));
  cudaMallocHost(&job->host, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) job->host[i] = job->number + i;
  cudaMemcpyAsync(job->device, job->host, 32 * sizeof(int), cudaMemcpyHostToDevice, job->stream);
  add_one<<<1, 32, 0, job->stream>>>(job->device);
  cudaMemcpyAsync(job->host, job->device, 32 * sizeof(int), cudaMemcpyDeviceToHost, job->stream);
  cudaStreamAddCallback(job->stream, copied, job, 0);
}

int main() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  std::vector<Job> jobs(3);
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) {
    jobs[i].number = 100 * i;
    workers.emplace_back(work, &jobs[i]);
  }
  for (std::thread& worker : workers) worker.join();
  cudaDeviceSynchronize();
  bool right = true;
  for (Job& job : jobs) {
    job.reader.join();
    right = right && job.right;
    cudaFree(job.device);
    cudaFreeHost(job.host);
    cudaStreamDestroy(job.stream);
  }
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
