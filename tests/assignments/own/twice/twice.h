// Every version writes out[i] = 2 * in[i] for all i below n.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

extern "C" {
using twice_fn = void(const int* in, int* out, std::size_t n, cudaStream_t stream);
twice_fn t01_each;
}
