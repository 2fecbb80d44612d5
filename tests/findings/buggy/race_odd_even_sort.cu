// Odd-even sort: in every round a thread looks at what its neighbour changed in the round before.
#include <cstdio>

__global__ void sort(int* values, int n) {
  const int left = 2 * threadIdx.x;
  for (int round = 0; round < n; ++round) {
    const int at = left + round % 2;
    if (at + 1 >= n) continue;
    if (values[at] > values[at + 1]) {  // EXPECT(race) ALSO(warp_synchronous)
      const int larger = values[at];    // ALSO(race) ALSO(warp_synchronous)
      values[at] = values[at + 1];  // OTHER(race) ALSO(race) OTHER(warp_synchronous) ALSO(warp_synchronous)
      values[at + 1] = larger;      // OTHER(race) ALSO(race) OTHER(warp_synchronous) ALSO(warp_synchronous)
    }
  }
}

int main() {
  int* values;
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = 256 - i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  sort<<<1, 128>>>(values, 256);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[255]);
  cudaFree(values);
  return cudaGetLastError();
}
