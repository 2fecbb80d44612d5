// memcpy in device code that a group of threads shares, in the widest units that the alignment of both
// addresses allows.
#pragma once

#include "warpmark_cuda/types/vector_types.h"

template <typename Piece>
WARPMARK_DEVICE void warpmark_copy_pieces(char* to, const char* from, size_t count, size_t rank,
                                          size_t threads) {
  for (size_t i = rank; i < count; i += threads) ((Piece*)to)[i] = ((const Piece*)from)[i];
}

// Cooperative memcpy of `bytes` bytes by `threads` threads: copies the share of the calling thread, whose
// number among these threads is `rank`.
WARPMARK_DEVICE void warpmark_copy_bytes(char* to, const char* from, size_t bytes, size_t rank,
                                         size_t threads) {
  const size_t shape = (size_t)to | (size_t)from | bytes;
  if (shape % 16 == 0)
    warpmark_copy_pieces<uint4>(to, from, bytes / 16, rank, threads);
  else if (shape % 4 == 0)
    warpmark_copy_pieces<unsigned int>(to, from, bytes / 4, rank, threads);
  else
    warpmark_copy_pieces<char>(to, from, bytes, rank, threads);
}
