// new and delete in kernels, which call malloc() and free() of the device heap. Errors are reported at the
// line of the new-expression: therefore clang's <new>, whose device functions would be reported instead, is
// included here with __device__ undefined, which omits those functions; its include guard stops later
// inclusions.
#pragma once

#pragma push_macro("__device__")
#undef __device__
#include <new>
#pragma pop_macro("__device__")
#ifndef __CLANG_CUDA_WRAPPERS_NEW
#define __CLANG_CUDA_WRAPPERS_NEW
#endif

#include "warpmark_cuda/device/device_library.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
#define WARPMARK_NEW __device__ __inline__ __attribute__((always_inline, nodebug, unused))
#define WARPMARK_NEW_AND_DELETE(suffix)                                                         \
  WARPMARK_NEW void* operator new suffix(__SIZE_TYPE__ bytes) {                                 \
    return ::malloc(bytes == 0 ? 1 : bytes);                                                    \
  }                                                                                             \
  WARPMARK_NEW void* operator new suffix(__SIZE_TYPE__ bytes, const std::nothrow_t&) noexcept { \
    return ::malloc(bytes == 0 ? 1 : bytes);                                                    \
  }                                                                                             \
  WARPMARK_NEW void operator delete suffix(void* pointer) noexcept {                            \
    if (pointer != nullptr) ::free(pointer);                                                    \
  }                                                                                             \
  WARPMARK_NEW void operator delete suffix(void* pointer, const std::nothrow_t&) noexcept {     \
    if (pointer != nullptr) ::free(pointer);                                                    \
  }                                                                                             \
  WARPMARK_NEW void operator delete suffix(void* pointer, __SIZE_TYPE__) noexcept {             \
    if (pointer != nullptr) ::free(pointer);                                                    \
  }
#define WARPMARK_NO_SUFFIX
WARPMARK_NEW_AND_DELETE(WARPMARK_NO_SUFFIX)
WARPMARK_NEW_AND_DELETE([])
#undef WARPMARK_NO_SUFFIX
#undef WARPMARK_NEW_AND_DELETE
// Placement new, which returns the given address.
WARPMARK_NEW void* operator new(__SIZE_TYPE__, void* place) noexcept {
  return place;
}
WARPMARK_NEW void* operator new[](__SIZE_TYPE__, void* place) noexcept {
  return place;
}
WARPMARK_NEW void operator delete(void*, void*) noexcept {}
WARPMARK_NEW void operator delete[](void*, void*) noexcept {}
#undef WARPMARK_NEW
#pragma clang diagnostic pop
