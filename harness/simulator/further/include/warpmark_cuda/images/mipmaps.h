// CUDA mipmapped arrays: one CUDA array per level, each half the size of the previous one, rounded down.
#pragma once

#include "warpmark_cuda/images/arrays.h"

#define WARPMARK_MOST_LEVELS 20
struct cudaMipmappedArray {
  unsigned int levels;
  cudaArray_t level[WARPMARK_MOST_LEVELS];
};

inline size_t warpmark_halved(size_t size, unsigned int times) {
  return size == 0 ? 0 : size >> times == 0 ? 1 : size >> times;
}
// Returns the number of mipmap levels of an image, halving down to size 1 in each dimension. Layers do not
// count as a dimension.
inline unsigned int warpmark_levels_of(cudaExtent extent) {
  size_t longest = extent.width > extent.height ? extent.width : extent.height;
  if (extent.depth > longest) longest = extent.depth;
  unsigned int levels = 1;
  while (longest >> levels != 0) ++levels;
  return levels < WARPMARK_MOST_LEVELS ? levels : WARPMARK_MOST_LEVELS;
}

inline cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  if (array == nullptr) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  for (unsigned int i = 0; i < array->levels; ++i) {
    const cudaError_t freed = cudaFreeArray(array->level[i]);
    if (freed != cudaSuccess) error = freed;
  }
  delete array;
  return error;
}
inline cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                            cudaExtent extent, unsigned int levels, unsigned int flags = 0) {
  if (array == nullptr || desc == nullptr || extent.width == 0) return warpmark_invalid_value();
  const bool layered = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  const unsigned int most =
      warpmark_levels_of(layered ? make_cudaExtent(extent.width, extent.height, 0) : extent);
  const unsigned int count = levels < 1 ? 1 : levels > most ? most : levels;
  cudaMipmappedArray_t made = new cudaMipmappedArray{0, {}};
  for (unsigned int i = 0; i < count; ++i) {
    const cudaExtent size = {warpmark_halved(extent.width, i), warpmark_halved(extent.height, i),
                             layered ? extent.depth : warpmark_halved(extent.depth, i)};
    const cudaError_t error = cudaMalloc3DArray(&made->level[i], desc, size, flags);
    if (error != cudaSuccess) {
      cudaFreeMipmappedArray(made);
      return error;
    }
    ++made->levels;
  }
  *array = made;
  return cudaSuccess;
}
// cudaGetMipmappedArrayLevel: the returned CUDA array belongs to the mipmapped array; the program must not
// free it.
inline cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t of,
                                              unsigned int level) {
  if (array == nullptr || of == nullptr || level >= of->levels) return warpmark_invalid_value();
  *array = of->level[level];
  return cudaSuccess;
}
