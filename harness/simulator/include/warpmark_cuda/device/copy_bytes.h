// memcpy in device code that a group of threads shares, in the widest units that the alignment of both
// addresses allows, as a copy that has ended when the call returns, or as one that the thread has to wait
// for.
#pragma once

#include "warpmark_cuda/types/vector_types.h"

// Tell the simulator, which copies at once, what a thread would know on a GPU: it has begun a copy to these
// bytes; its copies since the last commit are a group; it has waited until at most `prior` of its latest
// groups are left.
extern "C" {
__device__ void __warpmark_copy_started(const void* to, unsigned int bytes);
__device__ void __warpmark_copies_committed();
__device__ void __warpmark_copies_awaited(unsigned int prior);
}

template <typename Piece>
WARPMARK_DEVICE void warpmark_copy_piece(Piece* to, const Piece* from) {
  *to = *from;
}
// One access of 16 bytes each, as on a GPU, also where the compiler would divide it.
WARPMARK_DEVICE void warpmark_copy_piece(uint4* to, const uint4* from) {
  unsigned int x, y, z, w;
  asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "l"(from)
               : "memory");
  asm volatile("st.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

template <typename Piece, bool Awaited>
WARPMARK_DEVICE void warpmark_copy_pieces(char* to, const char* from, size_t count, size_t rank,
                                          size_t threads) {
  for (size_t i = rank; i < count; i += threads) {
    warpmark_copy_piece((Piece*)to + i, (const Piece*)from + i);
    if (!Awaited) __warpmark_copy_started((Piece*)to + i, (unsigned int)sizeof(Piece));
  }
}

// Cooperative memcpy of `bytes` bytes by `threads` threads: copies the share of the calling thread, whose
// number among these threads is `rank`.
template <bool Awaited = true>
WARPMARK_DEVICE void warpmark_copy_bytes(char* to, const char* from, size_t bytes, size_t rank,
                                         size_t threads) {
  const size_t shape = (size_t)to | (size_t)from | bytes;
  if (shape % 16 == 0)
    warpmark_copy_pieces<uint4, Awaited>(to, from, bytes / 16, rank, threads);
  else if (shape % 4 == 0)
    warpmark_copy_pieces<unsigned int, Awaited>(to, from, bytes / 4, rank, threads);
  else
    warpmark_copy_pieces<char, Awaited>(to, from, bytes, rank, threads);
}
