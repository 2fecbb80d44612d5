// Packs a pair into one 64-bit number: the ordered key in the high half, the position in the low half. The
// numbers of different pairs differ, so any sorting algorithm, stable or not, keeps equal keys in their input
// order.
#pragma once
#include "sort.h"

using Packed = unsigned long long;

constexpr Packed kBehindAll = ~Packed{0};  // greater than the number of any pair: positions are below 2^31
constexpr unsigned kPackThreads = 256;

// Maps a key to a 32-bit number; the numbers have the same order as the keys.
__device__ inline unsigned ordered(int key) {
  return static_cast<unsigned>(key) ^ 0x80000000U;  // negative ints have the highest bit set
}
__device__ inline unsigned ordered(float key) {
  if (key != key) return 0xffffffffU;  // NaN: after all others
  // The bits of positive floats are in order, those of negative floats in reverse order. -0 + 0 is +0.
  const unsigned bits = __float_as_uint(key + 0.0F);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

// Fills packed[0..room): the n pairs, then kBehindAll.
__global__ void pack_kernel(Pairs pairs, Packed* packed, std::size_t room) {
  const std::size_t i = std::size_t{blockIdx.x} * kPackThreads + threadIdx.x;
  if (i < room) packed[i] = i < pairs.n ? Packed{ordered(pairs.keys[i])} << 32 | i : kBehindAll;
}

// Writes the pairs in the order of their numbers. A number of no pair leaves its element unwritten: the
// element is then wrong, but nothing past the arrays is read.
__global__ void unpack_kernel(Pairs pairs, const Packed* sorted) {
  const std::size_t i = std::size_t{blockIdx.x} * kPackThreads + threadIdx.x;
  if (i >= pairs.n) return;
  const auto from = static_cast<unsigned>(sorted[i]);  // the low half: the position
  if (from >= pairs.n) return;
  pairs.sorted_keys[i] = pairs.keys[from];
  if (pairs.values != nullptr) pairs.sorted_values[i] = pairs.values[from];
}

inline unsigned blocks_for(std::size_t threads, unsigned per_block) {
  return static_cast<unsigned>((threads + per_block - 1) / per_block);
}
// Both need room > 0 and n > 0: an empty grid is an error.
inline void pack(const Pairs& pairs, Packed* packed, std::size_t room, cudaStream_t stream) {
  pack_kernel<<<blocks_for(room, kPackThreads), kPackThreads, 0, stream>>>(pairs, packed, room);
}
inline void unpack(const Pairs& pairs, const Packed* sorted, cudaStream_t stream) {
  unpack_kernel<<<blocks_for(pairs.n, kPackThreads), kPackThreads, 0, stream>>>(pairs, sorted);
}
