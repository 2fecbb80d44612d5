// Implements cub::BlockHistogram for the CUDA simulator.
#pragma once

#include "cub/block/common.h"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <typename T, int x, int items, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT,
          int y = 1, int z = 1, int legacy_arch = 0>
class BlockHistogram {
  using Shape = detail::BlockShape<x, y, z>;

 public:
  struct TempStorage {
    int unused;
  };
  WARPMARK_LOOK_THROUGH BlockHistogram() {}
  WARPMARK_LOOK_THROUGH BlockHistogram(TempStorage&) {}

  template <typename Counter>
  WARPMARK_LOOK_THROUGH void InitHistogram(Counter (&histogram)[bins]) {
    for (int i = Shape::rank(); i < bins; i += Shape::kThreads) histogram[i] = 0;
  }
  template <typename Counter>
  WARPMARK_LOOK_THROUGH void Histogram(T (&samples)[items], Counter (&histogram)[bins]) {
    InitHistogram(histogram);
    Composite(samples, histogram);
  }
  template <typename Counter>
  WARPMARK_LOOK_THROUGH void Composite(T (&samples)[items], Counter (&histogram)[bins]) {
    __syncthreads();
    for (int i = 0; i < items; ++i) atomicAdd(histogram + static_cast<int>(samples[i]), Counter(1));
    __syncthreads();
  }
};

}  // namespace cub
