// C library functions that kernels may call. They stay calls, which the simulator knows by name.
#pragma once

#include "warpmark_cuda/qualifiers.h"

extern "C" {
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, const char* arguments);
__device__ void __assertfail(const char* message, const char* file, unsigned int line, const char* function,
                             unsigned long char_bytes) __attribute__((noreturn));
__device__ void* malloc(unsigned long bytes) __attribute__((malloc));
__device__ void free(void* pointer);
}

// What <cassert>'s assert() expands to.
__device__ static __inline__ __attribute__((noreturn, always_inline, nodebug, unused)) void __assert_fail(
    const char* message, const char* file, unsigned int line, const char* function) {
  __assertfail(message, file, line, function, 1);
}
