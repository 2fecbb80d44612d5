// Asynchronous copies of a single thread: __pipeline_memcpy_async and nvcuda::experimental::pipeline.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__)

#include "warpmark_cuda/device/copy_bytes.h"

// Copies `bytes` bytes, except that the last `zeros` bytes of the destination become zero.
WARPMARK_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  warpmark_copy_bytes<false>((char*)to, (const char*)from, bytes - zeros, 0, 1);
  for (size_t i = bytes - zeros; i < bytes; ++i) ((char*)to)[i] = 0;
}
WARPMARK_DEVICE void __pipeline_commit() {
  __warpmark_copies_committed();
}
WARPMARK_DEVICE void __pipeline_wait_prior(size_t prior) {
  __warpmark_copies_awaited((unsigned int)prior);
}

namespace nvcuda {
namespace experimental {

class pipeline {
 public:
  __device__ __forceinline__ size_t commit() {
    __warpmark_copies_committed();
    return stage_++;
  }
  template <unsigned int Stages>
  __device__ __forceinline__ void wait_prior() const {
    __warpmark_copies_awaited(Stages);
  }
  __device__ __forceinline__ void wait(size_t stage) const {
    __warpmark_copies_awaited((unsigned int)(stage_ - stage - 1));
  }

 private:
  size_t stage_ = 0;
};

template <typename T>
__device__ __forceinline__ void memcpy_async(T& to, const T& from, pipeline&) {
  warpmark_copy_bytes<false>((char*)&to, (const char*)&from, sizeof(T), 0, 1);
}

}  // namespace experimental
}  // namespace nvcuda

#endif
