// Structures with padding behind, between and before aligned members, in arrays and alone: a copy takes it
// along.
#include <cstdio>

struct Behind {
  double value;
  int count;
};

struct Between {
  char letter;
  double value;
  short number;
};

struct Vector {
  float weight;
  float4 position;
};

struct Nested {
  int count;
  Between parts[3];
  unsigned char last;
};

__global__ void fill(Behind* behind, Between* between, Vector* vectors, Nested* alone) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  behind[i].value = i;
  behind[i].count = 1;
  between[i].letter = 'b';
  between[i].value = i;
  between[i].number = 2;
  vectors[i].weight = 1;
  vectors[i].position = make_float4(i, i, i, 1);
  if (i < 3) {
    alone->parts[i].letter = 'n';
    alone->parts[i].value = i;
    alone->parts[i].number = 3;
  }
  if (i == 0) {
    alone->count = 3;
    alone->last = 1;
  }
}

int main() {
  static Behind behind[128];
  static Between between[128];
  static Vector vectors[128];
  Nested alone;
  Behind* behind_there;
  Between* between_there;
  Vector* vectors_there;
  Nested* alone_there;
  cudaMalloc(&behind_there, sizeof behind);
  cudaMalloc(&between_there, sizeof between);
  cudaMalloc(&vectors_there, sizeof vectors);
  cudaMalloc(&alone_there, sizeof alone);
  fill<<<4, 32>>>(behind_there, between_there, vectors_there, alone_there);
  cudaMemcpy(behind, behind_there, sizeof behind, cudaMemcpyDeviceToHost);
  cudaMemcpy(between, between_there, sizeof between, cudaMemcpyDeviceToHost);
  cudaMemcpy(vectors, vectors_there, sizeof vectors, cudaMemcpyDeviceToHost);
  cudaMemcpy(&alone, alone_there, sizeof alone, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g %d\n", behind[5].value, between[5].value, vectors[5].position.x, alone.count);
  cudaMemcpy(behind, behind_there, sizeof(Behind), cudaMemcpyDeviceToHost);
  cudaFree(behind_there);
  cudaFree(between_there);
  cudaFree(vectors_there);
  cudaFree(alone_there);
  return cudaGetLastError();
}
