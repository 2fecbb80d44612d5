// atomicAdd for every type that value_t can be.
#pragma once
#include <cuda_runtime.h>

// CUDA has atomicAdd for int, float and double, but for long long only the unsigned one. In two's complement,
// signed and unsigned addition give the same bits, so the addition may be done as unsigned.
template <class T>
__device__ inline void atomic_add(T* address, T value) {
  atomicAdd(address, value);
}

inline __device__ void atomic_add(long long* address, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
}
