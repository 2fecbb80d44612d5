// Kernel launches from kernels (dynamic parallelism). clang refuses to call a __global__ function from a
// kernel, so a source that does is rewritten for the device passes (harness/build/device_launches.h): kernels
// become ordinary functions that are marked as kernels, and k<<<...>>>(...) becomes a call that sets the
// launch's dimensions followed by a call of the function, which the simulator executes as a launch. The host
// pass sees the original source.
#pragma once

#include "warpmark_cuda/host/host_runtime.h"

#if defined(__CUDA__)
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#if defined(__CUDA_ARCH__)
extern "C" __device__ void __warpmark_kernel_body();
extern "C" __device__ void __warpmark_configure_launch(unsigned int, unsigned int, unsigned int, unsigned int,
                                                       unsigned int, unsigned int, unsigned long long,
                                                       const void*);
WARPMARK_DEVICE void __warpmark_configure(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                          cudaStream_t stream = 0) {
  __warpmark_configure_launch(grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, stream);
}
#define WARPMARK_GLOBAL __host__ __device__ __attribute__((noinline, used, disable_tail_calls))
#define WARPMARK_KERNEL_BODY __warpmark_kernel_body();
#define WARPMARK_HOST_LAUNCH(...)
#define WARPMARK_DEVICE_LAUNCH(shape, ...) (__warpmark_configure shape, __VA_ARGS__)
#else
#define WARPMARK_GLOBAL __global__
#define WARPMARK_KERNEL_BODY
#define WARPMARK_HOST_LAUNCH(...) <<<__VA_ARGS__>>>
#define WARPMARK_DEVICE_LAUNCH(shape, ...) ((void)0)
#endif

// CUDA runtime API for device code. All work enqueued by a kernel runs in order; the stream argument has no
// effect.
extern "C" {
WARPMARK_DEVICE cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}
WARPMARK_DEVICE const char* cudaGetErrorString(cudaError_t) {
  return "no error";
}
WARPMARK_DEVICE const char* cudaGetErrorName(cudaError_t) {
  return "cudaSuccess";
}
WARPMARK_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  *stream = cudaStreamFireAndForget;
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0) {
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int) {
  *event = (cudaEvent_t)0x1;
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) {
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  *pointer = malloc(bytes);
  return *pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaFree(void* pointer) {
  free(pointer);
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind,
                                            cudaStream_t = 0) {
  memcpy(to, from, bytes);
  return cudaSuccess;
}
WARPMARK_DEVICE cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = 0) {
  memset(to, value, bytes);
  return cudaSuccess;
}
// cudaDeviceSynchronize() is a compile error in device code. It is declared with an error attribute instead
// of being left undeclared, because clang compiles generic lambdas of host code for the device as well.
__attribute__((
    error("removed in CUDA 12, write a second kernel that is launched into "
          "cudaStreamTailLaunch"))) __device__ cudaError_t
cudaDeviceSynchronize();
}
#endif
