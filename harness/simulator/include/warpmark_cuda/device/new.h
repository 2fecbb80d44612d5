// new and delete in kernels: the device heap's malloc() and free(), attributed to the line of the
// new-expression. clang's <new> has device functions of its own, whose lines would be reported instead; it
// omits them while __device__ is not defined and, when included later, because its include guard is defined.
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
// Placement new.
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
