// Texture and surface objects: the device address of what a kernel has to know of them.
#pragma once

#include "warpmark_cuda/arrays.h"

struct WarpmarkImage {
  const char* data;
  unsigned int width, height, depth;  // elements; of missing dimensions 0
  size_t pitch;                       // bytes a row
  int bits[4];
  enum cudaChannelFormatKind kind;
  struct cudaTextureDesc reading;  // of a texture
  struct cudaResourceDesc resource;
};

inline cudaError_t warpmark_create_image(unsigned long long* object, const cudaResourceDesc* resource,
                                         const cudaTextureDesc* reading) {
  if (object == nullptr || resource == nullptr) return warpmark_invalid_value();
  WarpmarkImage image;
  memset(&image, 0, sizeof image);  // no byte of it may count as uninitialised
  cudaChannelFormatDesc desc{};
  if (resource->resType == cudaResourceTypeArray && resource->res.array.array != nullptr) {
    const cudaArray_const_t array = resource->res.array.array;
    image.data = array->data;
    image.width = (unsigned int)array->extent.width;
    image.height = (unsigned int)array->extent.height;
    image.depth = (unsigned int)array->extent.depth;
    image.pitch = warpmark_row_bytes(array);
    desc = array->desc;
  } else if (resource->resType == cudaResourceTypeLinear && resource->res.linear.devPtr != nullptr) {
    desc = resource->res.linear.desc;
    if (warpmark_element_bytes(desc) == 0) return warpmark_invalid_value();
    image.data = (const char*)resource->res.linear.devPtr;
    image.width = (unsigned int)(resource->res.linear.sizeInBytes / warpmark_element_bytes(desc));
  } else if (resource->resType == cudaResourceTypePitch2D && resource->res.pitch2D.devPtr != nullptr) {
    desc = resource->res.pitch2D.desc;
    image.data = (const char*)resource->res.pitch2D.devPtr;
    image.width = (unsigned int)resource->res.pitch2D.width;
    image.height = (unsigned int)resource->res.pitch2D.height;
    image.pitch = resource->res.pitch2D.pitchInBytes;
  } else {
    return warpmark_invalid_value();
  }
  const int bits[4] = {desc.x, desc.y, desc.z, desc.w};
  memcpy(image.bits, bits, sizeof bits);
  image.kind = desc.f;
  if (reading != nullptr) image.reading = *reading;
  image.resource = *resource;
  void* memory = nullptr;
  cudaError_t error = ::cudaMalloc(&memory, sizeof image);
  if (error == cudaSuccess) error = ::cudaMemcpy(memory, &image, sizeof image, cudaMemcpyHostToDevice);
  *object = (unsigned long long)memory;
  return error;
}

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                           const cudaTextureDesc* reading,
                                           const cudaResourceViewDesc* view = nullptr) {
  return view != nullptr || reading == nullptr ? warpmark_invalid_value()
                                               : warpmark_create_image(object, resource, reading);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return ::cudaFree((void*)object);
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return resource == nullptr || resource->resType != cudaResourceTypeArray
             ? warpmark_invalid_value()
             : warpmark_create_image(object, resource, nullptr);
}
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return ::cudaFree((void*)object);
}
inline cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return ::cudaMemcpy(resource, &((const WarpmarkImage*)object)->resource, sizeof *resource,
                      cudaMemcpyDeviceToHost);
}
inline cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* reading, cudaTextureObject_t object) {
  return ::cudaMemcpy(reading, &((const WarpmarkImage*)object)->reading, sizeof *reading,
                      cudaMemcpyDeviceToHost);
}
inline cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return cudaGetTextureObjectResourceDesc(resource, object);
}
