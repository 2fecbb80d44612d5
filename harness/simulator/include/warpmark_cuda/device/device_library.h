// C library functions that kernels may call. They remain calls in the PTX, which the simulator implements by
// name.
#pragma once

#include "warpmark_cuda/qualifiers.h"

extern "C" {
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, const char* arguments);
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             unsigned long char_bytes) __attribute__((noreturn));
// malloc() and free() in device code get linker names of our own, because LLVM removes calls of malloc()
// whose result it considers unused.
__device__ void* malloc(unsigned long bytes) __asm__("__warpmark_malloc");
__device__ void free(void* pointer) __asm__("__warpmark_free");
}

// memcpy() in device code: copies in the widest units that the alignment of both addresses allows.
extern "C" __device__ __inline__ __attribute__((always_inline, nodebug, unused)) void* memcpy(
    void* to, const void* from, unsigned long bytes) {
  const unsigned long shape = (unsigned long)to | (unsigned long)from | bytes;
  const unsigned long width = shape % 8 == 0 ? 8 : shape % 4 == 0 ? 4 : 1;
  for (unsigned long at = 0; at < bytes; at += width) {
    if (width == 8)
      *(unsigned long*)((char*)to + at) = *(const unsigned long*)((const char*)from + at);
    else if (width == 4)
      *(unsigned int*)((char*)to + at) = *(const unsigned int*)((const char*)from + at);
    else
      ((char*)to)[at] = ((const char*)from)[at];
  }
  return to;
}
extern "C" __device__ __inline__ __attribute__((always_inline, nodebug, unused)) void* memset(
    void* to, int value, unsigned long bytes) {
  const unsigned long shape = (unsigned long)to | bytes;
  const unsigned int word = (unsigned int)(value & 0xff) * 0x01010101u;
  const unsigned long width = shape % 4 == 0 ? 4 : 1;
  for (unsigned long at = 0; at < bytes; at += width) {
    if (width == 4)
      *(unsigned int*)((char*)to + at) = word;
    else
      ((char*)to)[at] = (char)value;
  }
  return to;
}

// Reports a failed assert(); the macro in <cassert> expands to a call of this function.
__device__ static __inline__ __attribute__((noreturn, always_inline, nodebug, unused)) void __assert_fail(
    const char* message, const char* file, unsigned int line, const char* function) {
  __assertfail(message, file, line, function, 1);
}
