// The kinds of kernel that programs are made of, for instruction_benchmark.cpp. Each takes two arrays of
// floats and their length, n * n floats where the kernel says so.
#include <cuda_runtime.h>

namespace {
constexpr int kTile = 16;
}

#define GLOBAL (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void vector_add(const float* in, float* out, int n) {
  const unsigned i = GLOBAL;
  if (i < n) out[i] = in[i] + 2 * in[i];
}

// A thread alone.
extern "C" __global__ void one_thread(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i] + 1;
}

extern "C" __global__ void stencil(const float* in, float* out, int n) {
  const unsigned i = GLOBAL;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

// Square matrices of n * n, blocks of 16 * 16.
extern "C" __global__ void multiply(const float* in, float* out, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[row * n + k] * in[k * n + column];
  out[row * n + column] = sum;
}

extern "C" __global__ void multiply_tiled(const float* in, float* out, int n) {
  __shared__ float a[kTile][kTile];
  __shared__ float b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += kTile) {
    a[threadIdx.y][threadIdx.x] = in[row * n + tile + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = in[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  out[row * n + column] = sum;
}

extern "C" __global__ void transpose(const float* in, float* out, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  out[column * n + row] = in[row * n + column];
}

extern "C" __global__ void histogram(const float* in, float* out, int n) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = GLOBAL; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[static_cast<int>(in[i]) % 64], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], static_cast<float>(bins[threadIdx.x]));
}

// A loop that each thread leaves after another number of rounds, and no memory.
extern "C" __global__ void mandelbrot(const float*, float* out, int n) {
  const unsigned i = GLOBAL;
  const float x = static_cast<float>(i % 256) / 128 - 1.5F;
  const float y = static_cast<float>(i / 256 % 256) / 128 - 1;
  float a = 0;
  float b = 0;
  int round = 0;
  for (; round < 100 && a * a + b * b < 4; ++round) {
    const float next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  if (i < n) out[i] = static_cast<float>(round);
}

// Indices that are read: neighbours in no order.
extern "C" __global__ void gather(const float* in, float* out, int n) {
  const unsigned i = GLOBAL;
  if (i < n) out[i] = in[(i * 1031U) % n] + in[(i * 7919U + 5) % n];
}

extern "C" __global__ void reduce(const float* in, float* out, int n) {
  __shared__ float shared[256];
  const unsigned tid = threadIdx.x;
  float sum = 0;
  for (unsigned i = GLOBAL; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  shared[tid] = sum;
  __syncthreads();
  for (unsigned s = 128; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = shared[0];
}

// Forces between bodies, four floats a body, a tile of them in shared memory.
extern "C" __global__ void bodies(const float* in, float* out, int n) {
  __shared__ float4 tile[256];
  const float4* body = reinterpret_cast<const float4*>(in);
  const float4 own = body[GLOBAL];
  float sum = 0;
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; ++i) {
      const float dx = tile[i].x - own.x;
      const float dy = tile[i].y - own.y;
      const float distance = dx * dx + dy * dy + 1;
      sum += tile[i].w * rsqrtf(distance * distance * distance);
    }
    __syncthreads();
  }
  out[GLOBAL] = sum;
}

// A blurred picture of n * n bytes, blocks of 16 * 16.
extern "C" __global__ void blur(const float* in, float* out, int n) {
  const unsigned char* from = reinterpret_cast<const unsigned char*>(in);
  unsigned char* to = reinterpret_cast<unsigned char*>(out);
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row == 0 || column == 0 || row == n - 1 || column == n - 1) return;
  int sum = 0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) sum += from[(row + y) * n + column + x];
  to[row * n + column] = sum / 9;
}

// Four floats a thread at once.
extern "C" __global__ void copy_vectors(const float* in, float* out, int n) {
  const unsigned i = GLOBAL;
  if (4 * i >= n) return;
  float4 value = reinterpret_cast<const float4*>(in)[i];
  value.x += 1;
  reinterpret_cast<float4*>(out)[i] = value;
}
