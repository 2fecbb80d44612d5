// Functions that share memory with OpenGL. The device is a process without a graphics context: all of them
// fail, and the first one says on stderr what the program can do instead.
#include <atomic>
#include <cstdio>

#include <warpmark_cuda/types/types.h>

#include "harness/simulator/program/forward.h"

using GLuint = unsigned int;
using GLenum = unsigned int;
using cudaGraphicsResource_t = struct cudaGraphicsResource*;

namespace {

cudaError_t refuse(const char* function) {
  static std::atomic<bool> told = false;
  if (!told.exchange(true))
    std::fprintf(stderr,
                 "warpmark: %s: the simulated GPU shares no memory with OpenGL (cudaErrorNotSupported); copy "
                 "the result to the host with cudaMemcpy and draw it with glDrawPixels or glBufferSubData\n",
                 function);
  return warpmark::simulator::remember(cudaErrorNotSupported);
}

}  // namespace

extern "C" {

#define WARPMARK_REFUSED(name, ...) \
  cudaError_t name(__VA_ARGS__) {   \
    return refuse(#name);           \
  }
WARPMARK_REFUSED(cudaGLGetDevices, unsigned int*, int*, unsigned int, int)
WARPMARK_REFUSED(cudaGraphicsGLRegisterBuffer, cudaGraphicsResource_t*, GLuint, unsigned int)
WARPMARK_REFUSED(cudaGraphicsGLRegisterImage, cudaGraphicsResource_t*, GLuint, GLenum, unsigned int)
WARPMARK_REFUSED(cudaGraphicsUnregisterResource, cudaGraphicsResource_t)
WARPMARK_REFUSED(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t, unsigned int)
WARPMARK_REFUSED(cudaGraphicsMapResources, int, cudaGraphicsResource_t*, cudaStream_t)
WARPMARK_REFUSED(cudaGraphicsUnmapResources, int, cudaGraphicsResource_t*, cudaStream_t)
WARPMARK_REFUSED(cudaGraphicsResourceGetMappedPointer, void**, size_t*, cudaGraphicsResource_t)
WARPMARK_REFUSED(cudaGraphicsSubResourceGetMappedArray, void**, cudaGraphicsResource_t, unsigned int,
                 unsigned int)
WARPMARK_REFUSED(cudaGLRegisterBufferObject, GLuint)
WARPMARK_REFUSED(cudaGLSetBufferObjectMapFlags, GLuint, unsigned int)
WARPMARK_REFUSED(cudaGLMapBufferObject, void**, GLuint)
WARPMARK_REFUSED(cudaGLMapBufferObjectAsync, void**, GLuint, cudaStream_t)
WARPMARK_REFUSED(cudaGLUnmapBufferObject, GLuint)
WARPMARK_REFUSED(cudaGLUnmapBufferObjectAsync, GLuint, cudaStream_t)
WARPMARK_REFUSED(cudaGLUnregisterBufferObject, GLuint)
#undef WARPMARK_REFUSED

// NOLINTNEXTLINE(readability-identifier-naming): a function of CUDA
cudaError_t cudaGLSetGLDevice(int device) {
  return cudaSetDevice(device);
}

}  // extern "C"
