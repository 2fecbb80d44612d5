// Helpers of the simulator's Thrust algorithms: conversion of CUDA errors to exceptions, iterators for device
// code, temporary device memory.
#pragma once

#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/system/cuda/detail/execution_policy.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#include <thrust/type_traits/is_contiguous_iterator.h>

#include "warpmark_cuda/algorithms/run.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

using warpmark_lib::Index;
using warpmark_lib::Scratch;
using warpmark_lib::ValueOf;

inline void throw_on_error(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw thrust::system_error(error, thrust::cuda_category(), what);
}

// Ends a Thrust algorithm: throws if `error` is an error, and synchronises the stream unless the execution
// policy is asynchronous.
template <typename Derived>
void finish(execution_policy<Derived>& exec, cudaError_t error, const char* what) {
  throw_on_error(error, what);
  if (waits(exec)) throw_on_error(::cudaStreamSynchronize(stream_of(exec)), what);
}

// Converts a contiguous iterator to a raw pointer, so that kernels access memory directly; returns others
// unchanged.
template <typename Iterator>
auto plain(Iterator iterator) {
  if constexpr (thrust::is_contiguous_iterator<Iterator>::value)
    return thrust::raw_pointer_cast(&*iterator);
  else
    return iterator;
}

template <typename Iterator>
Index index_distance(Iterator first, Iterator last) {
  return static_cast<Index>(last - first);
}

template <typename Derived, typename Algorithm>
void with_memory(execution_policy<Derived>& exec, const char* what, const Algorithm& algorithm) {
  finish(exec, warpmark_lib::with_own_memory(stream_of(exec), algorithm), what);
}

// RAII owner of temporary device memory.
template <typename T>
class Buffer {
 public:
  explicit Buffer(Index count) {
    throw_on_error(::cudaMalloc(reinterpret_cast<void**>(&data_), static_cast<size_t>(count) * sizeof(T)),
                   "memory for a copy");
  }
  ~Buffer() { ::cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
