// <reference only>
// q08_peak's first two steps: how many numbers of each block have each digit, and where they begin.
#pragma once
#include "packed.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr unsigned kItems = 16;  // numbers per thread
constexpr unsigned kTile = kThreads * kItems;
constexpr unsigned kBits = 8;
constexpr unsigned kDigits = 1U << kBits;  // as many as threads: one each in the steps between
constexpr unsigned kScanThreads = 1024;
constexpr unsigned kAll = 0xffffffffU;
static_assert(kDigits == kThreads);

__device__ unsigned digit_of(Packed number, unsigned shift) {
  return static_cast<unsigned>(number >> shift) % kDigits;
}

// counts[digit * gridDim.x + block]: how many numbers of the block have the digit.
__global__ void count(const Packed* from, std::size_t n, unsigned shift, unsigned* counts) {
  __shared__ unsigned of_digit[kDigits];
  of_digit[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t first = std::size_t{blockIdx.x} * kTile;
  for (std::size_t i = first + threadIdx.x; i < first + kTile && i < n; i += kThreads) {
    atomicAdd(&of_digit[digit_of(from[i], shift)], 1U);
  }
  __syncthreads();
  counts[std::size_t{threadIdx.x} * gridDim.x + blockIdx.x] = of_digit[threadIdx.x];
}

// Returns the sum of `mine` over the threads before this one. All threads of the block must call it together.
template <unsigned kCount>
__device__ unsigned sum_before(unsigned mine) {
  __shared__ unsigned sums[kCount];
  sums[threadIdx.x] = mine;
  for (unsigned distance = 1; distance < kCount; distance *= 2) {
    __syncthreads();
    const unsigned before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  return sums[threadIdx.x] - mine;
}

// One block: replaces each count by the sum of all before it (exclusive scan).
__global__ void scan(unsigned* counts, std::size_t length) {
  const std::size_t piece = (length + kScanThreads - 1) / kScanThreads;
  const std::size_t begin = threadIdx.x * piece < length ? threadIdx.x * piece : length;
  const std::size_t end = begin + piece < length ? begin + piece : length;
  unsigned mine = 0;
  for (std::size_t k = begin; k < end; ++k) mine += counts[k];
  unsigned sum = sum_before<kScanThreads>(mine);
  for (std::size_t k = begin; k < end; ++k) {
    const unsigned own = counts[k];
    counts[k] = sum;
    sum += own;
  }
}
