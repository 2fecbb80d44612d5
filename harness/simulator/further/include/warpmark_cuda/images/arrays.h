// CUDA arrays and 3D memory. An array is contiguous device memory, in row-major order, layer by layer; its
// descriptor is in host memory.
#pragma once

#include <string.h>

#include "warpmark_cuda/host/host_runtime.h"
#include "warpmark_cuda/host/one_device.h"
#include "warpmark_cuda/images/image_types.h"

// Implementation of the opaque type cudaArray. Sizes of missing dimensions are 0.
struct cudaArray {
  char* data;
  struct cudaChannelFormatDesc desc;
  // size of a CUDA array in elements; depth is the number of layers of a layered array
  struct cudaExtent extent;
  unsigned int flags;
};

inline size_t warpmark_element_bytes(const cudaChannelFormatDesc& desc) {
  return (size_t)(desc.x + desc.y + desc.z + desc.w) / 8;
}
inline size_t warpmark_row_bytes(cudaArray_const_t array) {
  return array->extent.width * warpmark_element_bytes(array->desc);
}
inline size_t warpmark_rows(cudaArray_const_t array) {
  return array->extent.height == 0 ? 1 : array->extent.height;
}

inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return cudaPos{x, y, z};
}
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  return cudaPitchedPtr{pointer, pitch, width, height};
}

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return cudaChannelFormatDesc{x, y, z, w, f};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaChannelFormatDesc{16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaChannelFormatDesc{16, 16, 16, 16, cudaChannelFormatKindFloat};
}
template <typename T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindNone};
}
#define WARPMARK_CHANNEL(type, bits, kind)                     \
  template <>                                                  \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return cudaChannelFormatDesc{bits, 0, 0, 0, kind};         \
  }
#define WARPMARK_CHANNELS(name, type, bits, kind)                 \
  WARPMARK_CHANNEL(type, bits, kind)                              \
  WARPMARK_CHANNEL(name##1, bits, kind)                           \
  template <>                                                     \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##2>() { \
    return cudaChannelFormatDesc{bits, bits, 0, 0, kind};         \
  }                                                               \
  template <>                                                     \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<name##4>() { \
    return cudaChannelFormatDesc{bits, bits, bits, bits, kind};   \
  }
WARPMARK_CHANNEL(char, 8, cudaChannelFormatKindSigned)
WARPMARK_CHANNELS(char, signed char, 8, cudaChannelFormatKindSigned)
WARPMARK_CHANNELS(uchar, unsigned char, 8, cudaChannelFormatKindUnsigned)
WARPMARK_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
WARPMARK_CHANNELS(ushort, unsigned short, 16, cudaChannelFormatKindUnsigned)
WARPMARK_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
WARPMARK_CHANNELS(uint, unsigned int, 32, cudaChannelFormatKindUnsigned)
WARPMARK_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)
#undef WARPMARK_CHANNEL
#undef WARPMARK_CHANNELS

inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned int flags = 0) {
  if (array == nullptr || desc == nullptr || extent.width == 0) return warpmark_invalid_value();
  const size_t rows = (extent.height == 0 ? 1 : extent.height) * (extent.depth == 0 ? 1 : extent.depth);
  char* data = nullptr;
  const cudaError_t error = ::cudaMalloc((void**)&data, extent.width * rows * warpmark_element_bytes(*desc));
  if (error == cudaSuccess) *array = new cudaArray{data, *desc, extent, flags};
  return error;
}
inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                                   size_t height = 0, unsigned int flags = 0) {
  return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = ::cudaFree(array->data);
  delete array;
  return error;
}
inline cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                                    cudaArray_t array) {
  if (array == nullptr) return warpmark_invalid_value();
  if (desc != nullptr) *desc = array->desc;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (desc == nullptr || array == nullptr) return warpmark_invalid_value();
  *desc = array->desc;
  return cudaSuccess;
}

// True if the rectangle (x_bytes, y, width in bytes, rows) lies within the CUDA array.
inline bool warpmark_is_inside(cudaArray_const_t array, size_t x_bytes, size_t y, size_t width, size_t rows) {
  return array != nullptr && x_bytes + width <= warpmark_row_bytes(array) && y + rows <= warpmark_rows(array);
}
inline cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                            size_t from_pitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream = 0) {
  if (!warpmark_is_inside(to, x, y, width, height)) return warpmark_invalid_value();
  const size_t pitch = warpmark_row_bytes(to);
  return ::cudaMemcpy2DAsync(to->data + y * pitch + x, pitch, from, from_pitch, width, height, kind, stream);
}
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                       size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  if (!warpmark_is_inside(to, x, y, width, height)) return warpmark_invalid_value();
  const size_t pitch = warpmark_row_bytes(to);
  return ::cudaMemcpy2D(to->data + y * pitch + x, pitch, from, from_pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                              size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                              cudaStream_t stream = 0) {
  if (!warpmark_is_inside(from, x, y, width, height)) return warpmark_invalid_value();
  const size_t pitch = warpmark_row_bytes(from);
  return ::cudaMemcpy2DAsync(to, to_pitch, from->data + y * pitch + x, pitch, width, height, kind, stream);
}
inline cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                         size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  if (!warpmark_is_inside(from, x, y, width, height)) return warpmark_invalid_value();
  const size_t pitch = warpmark_row_bytes(from);
  return ::cudaMemcpy2D(to, to_pitch, from->data + y * pitch + x, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                            size_t x, size_t y, size_t width, size_t height,
                                            cudaMemcpyKind kind = cudaMemcpyDeviceToDevice) {
  if (!warpmark_is_inside(from, x, y, width, height)) return warpmark_invalid_value();
  const size_t pitch = warpmark_row_bytes(from);
  return cudaMemcpy2DToArray(to, to_x, to_y, from->data + y * pitch + x, pitch, width, height, kind);
}
// Deprecated copies to and from CUDA arrays (cudaMemcpyToArray, ...): a linear run of `bytes` bytes, which
// may continue from one row of the array to the next.
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
  if (to == nullptr || y * warpmark_row_bytes(to) + x + bytes > warpmark_row_bytes(to) * warpmark_rows(to))
    return warpmark_invalid_value();
  return ::cudaMemcpy(to->data + y * warpmark_row_bytes(to) + x, from, bytes, kind);
}
inline cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                       cudaMemcpyKind kind) {
  if (from == nullptr ||
      y * warpmark_row_bytes(from) + x + bytes > warpmark_row_bytes(from) * warpmark_rows(from))
    return warpmark_invalid_value();
  return ::cudaMemcpy(to, from->data + y * warpmark_row_bytes(from) + x, bytes, kind);
}

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr) return warpmark_invalid_value();
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return ::cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                                     cudaStream_t stream = 0) {
  for (size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t error = ::cudaMemset2DAsync((char*)pointer.ptr + z * pointer.pitch * pointer.ysize,
                                                  pointer.pitch, value, extent.width, extent.height, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pointer, value, extent);
}

// One end of a 3D copy: its address and the distances between rows and between layers.
struct WarpmarkBox {
  char* data;
  size_t pitch, layer;  // bytes
};
inline WarpmarkBox warpmark_box(cudaArray_const_t array, const cudaPos& at, const cudaPitchedPtr& pointer) {
  if (array != nullptr) {
    const size_t pitch = warpmark_row_bytes(array);
    const size_t layer = pitch * warpmark_rows(array);
    return {array->data + at.x * warpmark_element_bytes(array->desc) + at.y * pitch + at.z * layer, pitch,
            layer};
  }
  const size_t layer = pointer.pitch * pointer.ysize;
  return {(char*)pointer.ptr + at.x + at.y * pointer.pitch + at.z * layer, pointer.pitch, layer};
}
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = 0) {
  if (copy == nullptr) return warpmark_invalid_value();
  const WarpmarkBox from = warpmark_box(copy->srcArray, copy->srcPos, copy->srcPtr);
  const WarpmarkBox to = warpmark_box(copy->dstArray, copy->dstPos, copy->dstPtr);
  // width of a 3D copy: in elements if a CUDA array takes part, else in bytes
  size_t width = copy->extent.width;
  if (copy->srcArray != nullptr)
    width *= warpmark_element_bytes(copy->srcArray->desc);
  else if (copy->dstArray != nullptr)
    width *= warpmark_element_bytes(copy->dstArray->desc);
  for (int side = 0; side < 2; ++side) {
    const cudaArray_const_t array = side == 0 ? copy->srcArray : copy->dstArray;
    const cudaPos& at = side == 0 ? copy->srcPos : copy->dstPos;
    if (array == nullptr) continue;
    const size_t layers = array->extent.depth == 0 ? 1 : array->extent.depth;
    if (!warpmark_is_inside(array, at.x * warpmark_element_bytes(array->desc), at.y, width,
                            copy->extent.height) ||
        at.z + copy->extent.depth > layers) {
      return warpmark_invalid_value();
    }
  }
  for (size_t z = 0; z < copy->extent.depth; ++z) {
    const cudaError_t error =
        ::cudaMemcpy2DAsync(to.data + z * to.layer, to.pitch, from.data + z * from.layer, from.pitch, width,
                            copy->extent.height, copy->kind, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  const cudaError_t error = cudaMemcpy3DAsync(copy);
  return error == cudaSuccess ? ::cudaStreamSynchronize(0) : error;
}

struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  int dstDevice;
  struct cudaExtent extent;
};
inline cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* copy, cudaStream_t stream = 0) {
  if (copy == nullptr) return warpmark_invalid_value();
  const cudaMemcpy3DParms same{copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
                               copy->dstPos,   copy->dstPtr, copy->extent, cudaMemcpyDeviceToDevice};
  return cudaMemcpy3DAsync(&same, stream);
}
inline cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* copy) {
  const cudaError_t error = cudaMemcpy3DPeerAsync(copy);
  return error == cudaSuccess ? ::cudaStreamSynchronize(0) : error;
}
inline cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                          cudaMemcpyKind kind, cudaStream_t stream = 0) {
  if (to == nullptr || y * warpmark_row_bytes(to) + x + bytes > warpmark_row_bytes(to) * warpmark_rows(to))
    return warpmark_invalid_value();
  return ::cudaMemcpyAsync(to->data + y * warpmark_row_bytes(to) + x, from, bytes, kind, stream);
}
inline cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                            size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0) {
  if (from == nullptr ||
      y * warpmark_row_bytes(from) + x + bytes > warpmark_row_bytes(from) * warpmark_rows(from))
    return warpmark_invalid_value();
  return ::cudaMemcpyAsync(to, from->data + y * warpmark_row_bytes(from) + x, bytes, kind, stream);
}
inline cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                          size_t x, size_t y, size_t bytes,
                                          cudaMemcpyKind kind = cudaMemcpyDeviceToDevice) {
  if (from == nullptr ||
      y * warpmark_row_bytes(from) + x + bytes > warpmark_row_bytes(from) * warpmark_rows(from))
    return warpmark_invalid_value();
  return cudaMemcpyToArray(to, to_x, to_y, from->data + y * warpmark_row_bytes(from) + x, bytes, kind);
}
