// The CUDA qualifiers. In clang's CUDA mode they are attributes; other compilers see host code only.
#pragma once

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// Defined for programs (managed.h); a submission may not use managed memory.
#define __managed__ __attribute__((device, unavailable("not simulated by Warpmark (__managed__)")))
// Tested by submissions and by thrust; nvcc defines it in both passes.
#define __CUDACC__ 1
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif

#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
// A keyword since clang 15; before that a macro, which conflicts with <bits/shared_ptr_base.h>.
#if defined(__CUDA__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

// Marks our functions as transparent: debugger and simulator attribute their lines to the caller.
#define WARPMARK_DEVICE static __inline__ __device__ __attribute__((always_inline, nodebug, unused))
// The same for members and templates.
#define WARPMARK_LOOK_THROUGH __device__ __attribute__((always_inline, nodebug))
#define WARPMARK_HOST_DEVICE static __inline__ __host__ __device__ __attribute__((always_inline, unused))

// Precedes a host function of a library that launches a kernel: as a template, it is compiled, with its
// kernel, only where a program calls it.
#define WARPMARK_IF_CALLED template <int = 0>
