// Sharing of buffers and images between CUDA and OpenGL, for programs that draw. Such programs compile; the
// simulated GPU shares no memory with OpenGL, so a function that needs it returns cudaErrorNotSupported.
#pragma once

#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#else
typedef unsigned int GLuint;
typedef unsigned int GLenum;
#endif

#include "cuda_runtime.h"

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };

struct cudaGraphicsResource;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;

#ifdef __cplusplus
#define WARPMARK_DEFAULT_STREAM = nullptr
extern "C" {
#else
#define WARPMARK_DEFAULT_STREAM
#endif

cudaError_t cudaGLGetDevices(unsigned int* count, int* devices, unsigned int capacity,
                             enum cudaGLDeviceList list);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource** resource, GLuint buffer,
                                         unsigned int flags);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource** resource, GLuint image, GLenum target,
                                        unsigned int flags);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags);
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream WARPMARK_DEFAULT_STREAM);
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream WARPMARK_DEFAULT_STREAM);
cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, size_t* bytes,
                                                 cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array, cudaGraphicsResource_t resource,
                                                  unsigned int index, unsigned int level);

// Older functions. Since CUDA 5, any device can be used with OpenGL: cudaGLSetGLDevice() is cudaSetDevice().
cudaError_t cudaGLSetGLDevice(int device);
cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags);
cudaError_t cudaGLMapBufferObject(void** pointer, GLuint buffer);
cudaError_t cudaGLMapBufferObjectAsync(void** pointer, GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);
cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);

#ifdef __cplusplus
}
#endif
#undef WARPMARK_DEFAULT_STREAM
