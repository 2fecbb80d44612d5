// The contract of `histogram`.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

extern "C" {
// Counts how often each key occurs: bins[k] for each key k, all below bin_count. bins is undefined before the
// call.
using histogram_fn = void(const unsigned char* keys, std::size_t n, unsigned* bins, std::size_t bin_count,
                          cudaStream_t stream);
histogram_fn h01_global_atomics;
histogram_fn h02_shared;
}
