// What course code does with memory: a kernel each, small enough to know its counts.
#pragma once

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kTile = 32;

#define KERNEL extern "C" __global__ void

KERNEL copy(const int* from, int* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}
KERNEL copy_read_only(const int* from, int* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = __ldg(from + i);
}
KERNEL copy_doubles(const double* from, double* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}
KERNEL copy_in_fours(const int4* from, int4* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i];
}
KERNEL copy_early_return(const int* from, int* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  to[i] = from[i];
}
KERNEL copy_grid_stride(const int* from, int* to, int n) {
  const int step = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) to[i] = from[i];
}
// Each thread a chunk of its own: nothing is coalesced.
KERNEL sum_of_chunks(const int* from, int* to, int chunk) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = 0;
  for (int k = 0; k < chunk; ++k) sum += from[thread * chunk + k];
  to[thread] = sum;
}

struct Point {
  float x, y, z;
};
KERNEL lengths_of_points(const Point* from, float* to) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const Point p = from[i];
  to[i] = p.x * p.x + p.y * p.y + p.z * p.z;
}
KERNEL columns_of_8(const int* from, int* to) {  // blocks of 8 x 8: a warp covers four rows
  const int x = static_cast<int>(blockIdx.x * 8 + threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  to[y * 512 + x] = from[y * 512 + x];
}

KERNEL transpose_plain(const int* from, int* to, int side) {
  const int x = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  to[x * side + y] = from[y * side + x];
}
template <int kWidth>
__device__ inline void transpose_tile(const int* from, int* to, int side) {
  __shared__ int tile[kTile][kWidth];
  const int x = static_cast<int>(blockIdx.x * kTile + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * kTile + threadIdx.y);
  tile[threadIdx.y][threadIdx.x] = from[y * side + x];
  __syncthreads();
  const int column = static_cast<int>(blockIdx.y * kTile + threadIdx.x);
  const int row = static_cast<int>(blockIdx.x * kTile + threadIdx.y);
  to[row * side + column] = tile[threadIdx.x][threadIdx.y];
}
KERNEL transpose_shared(const int* from, int* to, int side) {
  transpose_tile<kTile>(from, to, side);
}
KERNEL transpose_padded(const int* from, int* to, int side) {
  transpose_tile<kTile + 1>(from, to, side);
}

KERNEL stencil(const int* from, int* to, int n) {  // three neighbours, by way of shared memory with a halo
  __shared__ int shared[kBlock + 2];
  const int i = static_cast<int>(blockIdx.x * kBlock + threadIdx.x);
  const int t = static_cast<int>(threadIdx.x);
  shared[t + 1] = from[i];
  if (t == 0) shared[0] = i > 0 ? from[i - 1] : 0;
  if (t == kBlock - 1) shared[kBlock + 1] = i + 1 < n ? from[i + 1] : 0;
  __syncthreads();
  to[i] = shared[t] + shared[t + 1] + shared[t + 2];
}

KERNEL tree_modulo(const int* from, int* to) {
  __shared__ int shared[kBlock];
  const unsigned t = threadIdx.x;
  shared[t] = from[blockIdx.x * kBlock + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) shared[t] += shared[t + s];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = shared[0];
}
KERNEL tree_strided(const int* from, int* to) {
  __shared__ int shared[kBlock];
  const unsigned t = threadIdx.x;
  shared[t] = from[blockIdx.x * kBlock + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned at = 2 * s * t;
    if (at < blockDim.x) shared[at] += shared[at + s];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = shared[0];
}
KERNEL tree_sequential(const int* from, int* to) {
  extern __shared__ int dynamic[];
  const unsigned t = threadIdx.x;
  dynamic[t] = from[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) dynamic[t] += dynamic[t + s];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = dynamic[0];
}
KERNEL tree_of_doubles(const double* from, double* to) {
  __shared__ double shared[kBlock];
  const unsigned t = threadIdx.x;
  shared[t] = from[blockIdx.x * kBlock + t];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) shared[t] += shared[t + s];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = shared[0];
}
KERNEL sum_by_shuffles(const int* from, int* to) {
  int sum = from[blockIdx.x * blockDim.x + threadIdx.x];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffU, sum, static_cast<unsigned>(s));
  if (threadIdx.x % 32 == 0) to[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

KERNEL matrix_product(const float* a, const float* b, float* c, int side) {  // 16 x 16 tiles
  __shared__ float tile_a[16][16];
  __shared__ float tile_b[16][16];
  const int x = static_cast<int>(blockIdx.x * 16 + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * 16 + threadIdx.y);
  float sum = 0;
  for (int tile = 0; tile < side; tile += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[y * side + tile + static_cast<int>(threadIdx.x)];
    tile_b[threadIdx.y][threadIdx.x] = b[(tile + static_cast<int>(threadIdx.y)) * side + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[y * side + x] = sum;
}

KERNEL add_all_to_one(const int* from, int* to) {  // the old value is used: no compiler may add up first
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  to[1 + i] = atomicAdd(to, from[i]);
}
KERNEL add_to_own(const int* from, int* to) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(to + i, from[i]);
}
KERNEL histogram_global(const int* from, int* to) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(to + (from[i] & 15), 1);
}
KERNEL histogram_shared(const int* from, int* to) {
  __shared__ int bins[kBlock];
  bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(bins + (from[blockIdx.x * kBlock + threadIdx.x] & 255), 1);
  __syncthreads();
  atomicAdd(to + threadIdx.x, bins[threadIdx.x]);
}

// Arms that no compiler turns into selects: each stores elsewhere, through a loop of its own length.
__device__ inline void fill_row(int* row, int count, int value) {
  for (int k = 0; k < count; ++k) row[k * 32] = value + k;
}
KERNEL two_ways(int* to, int count) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  int* own = to + blockIdx.x * 4096 + threadIdx.x / 32 * 1024 + static_cast<unsigned>(lane);
  if (lane % 2 == 0) {
    fill_row(own, count, 1);
  } else {
    fill_row(own, 2 * count, 2);
  }
}
KERNEL loops_of_many_lengths(int* to, int count) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  fill_row(to + blockIdx.x * 4096 + threadIdx.x / 32 * 1024 + static_cast<unsigned>(lane), lane % count, 3);
}
KERNEL half_of_a_warp(int* to, int count) {
  if (threadIdx.x % 32 >= 16) return;
  fill_row(to + blockIdx.x * 4096 + threadIdx.x / 32 * 1024 + threadIdx.x % 32, count, 4);
}
#undef KERNEL
