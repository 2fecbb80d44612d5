// CUDA's function and variable qualifiers (__global__, __shared__, ...). In clang's CUDA mode they are
// attributes; other compilers compile only the host code.
#pragma once

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// Makes __managed__ variables a compile error, because a student's kernel file may not use managed memory.
// For whole programs, managed.h defines the qualifier anew.
#define __managed__ __attribute__((device, unavailable("not simulated by Warpmark (__managed__)")))
// As in nvcc, __CUDACC__ is defined in the host pass and the device pass; student code and Thrust test it.
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
// Clang before 15 lacks the keyword __noinline__. For later versions there is no such macro, because it
// would conflict with the attribute's use in <bits/shared_ptr_base.h>.
#if defined(__CUDA__) && __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

// Qualifiers of our device functions. always_inline and nodebug make debugger and simulator attribute a
// function's code to the line of the caller.
#define WARPMARK_DEVICE static __inline__ __device__ __attribute__((always_inline, nodebug, unused))
// Qualifiers of device member functions and templates, which need no `static`; their code is attributed to
// the caller's line.
#define WARPMARK_LOOK_THROUGH __device__ __attribute__((always_inline, nodebug))
#define WARPMARK_HOST_DEVICE static __inline__ __host__ __device__ __attribute__((always_inline, unused))

// Precedes a library's host function that launches a kernel. As a template, the function and its kernel are
// compiled only if the program calls it.
#define WARPMARK_IF_CALLED template <int = 0>
