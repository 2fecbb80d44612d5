#pragma once
#include <cstddef>

#include <cuda_runtime.h>

extern "C" {
// values[i] += offsets[i], then offsets[i] += 1, for all i < n; device memory.
using in_place_fn = void(int* values, int* offsets, std::size_t n, cudaStream_t stream);
in_place_fn a01_one_by_one;
in_place_fn a02_all;
}
