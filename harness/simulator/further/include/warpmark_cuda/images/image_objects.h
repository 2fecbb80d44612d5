// Texture and surface objects: the device address of a descriptor that kernels read. For a mipmapped array,
// an array of descriptors, one per level.
#pragma once

#include "warpmark_cuda/images/arrays.h"
#include "warpmark_cuda/images/mipmaps.h"

struct WarpmarkImage {
  const char* data;
  unsigned int width, height, depth;  // size of a texture's image in elements; 0 for missing dimensions
  unsigned int levels;                // number of mipmap levels from this image, itself a level, to the last
  size_t pitch;                       // bytes from one row of the texture's or surface's image to the next
  int bits[4];
  enum cudaChannelFormatKind kind;
  struct cudaTextureDesc reading;  // for textures
  struct cudaResourceDesc resource;
};

// Fills the image descriptor that a texture or surface object reads. Returns false if the resource (array,
// mipmapped array, linear or pitched memory) is empty or invalid.
inline bool warpmark_describe_image(WarpmarkImage& image, cudaChannelFormatDesc& desc,
                                    const cudaResourceDesc& resource, unsigned int level) {
  cudaArray_const_t array = nullptr;
  if (resource.resType == cudaResourceTypeArray) array = resource.res.array.array;
  if (resource.resType == cudaResourceTypeMipmappedArray && resource.res.mipmap.mipmap != nullptr)
    array = resource.res.mipmap.mipmap->level[level];
  if (array != nullptr) {
    image.data = array->data;
    image.width = (unsigned int)array->extent.width;
    image.height = (unsigned int)array->extent.height;
    image.depth = (unsigned int)array->extent.depth;
    image.pitch = warpmark_row_bytes(array);
    desc = array->desc;
    return true;
  }
  if (resource.resType == cudaResourceTypeLinear && resource.res.linear.devPtr != nullptr) {
    desc = resource.res.linear.desc;
    if (warpmark_element_bytes(desc) == 0) return false;
    image.data = (const char*)resource.res.linear.devPtr;
    image.width = (unsigned int)(resource.res.linear.sizeInBytes / warpmark_element_bytes(desc));
    return true;
  }
  if (resource.resType == cudaResourceTypePitch2D && resource.res.pitch2D.devPtr != nullptr) {
    desc = resource.res.pitch2D.desc;
    image.data = (const char*)resource.res.pitch2D.devPtr;
    image.width = (unsigned int)resource.res.pitch2D.width;
    image.height = (unsigned int)resource.res.pitch2D.height;
    image.pitch = resource.res.pitch2D.pitchInBytes;
    return true;
  }
  return false;
}

// Sets the channel format of a resource view. The enumeration lists the formats by type, each with 1, 2 and 4
// channels; compressed formats are not simulated.
inline bool warpmark_describe_view(cudaChannelFormatDesc& desc, cudaResourceViewFormat format) {
  const int number = (int)format - (int)cudaResViewFormatUnsignedChar1;
  if (number < 0) return format == cudaResViewFormatNone;
  if (number >= 24) return false;
  const int bits[] = {8, 8, 16, 16, 32, 32, 16, 32};
  const cudaChannelFormatKind kind = number >= 18          ? cudaChannelFormatKindFloat
                                     : number / 3 % 2 == 1 ? cudaChannelFormatKindSigned
                                                           : cudaChannelFormatKindUnsigned;
  const int one = bits[number / 3], channels = 1 << number % 3;
  const cudaChannelFormatDesc seen = {one, channels > 1 ? one : 0, channels > 2 ? one : 0,
                                      channels > 2 ? one : 0, kind};
  if (warpmark_element_bytes(seen) != warpmark_element_bytes(desc)) return false;
  desc = seen;
  return true;
}

// True if a texture's resource view has the same size as the CUDA array that it views, as CUDA requires.
inline bool warpmark_has_size_of(const cudaResourceViewDesc& view, const cudaResourceDesc& resource) {
  cudaArray_const_t array = nullptr;
  if (resource.resType == cudaResourceTypeArray) array = resource.res.array.array;
  if (resource.resType == cudaResourceTypeMipmappedArray && resource.res.mipmap.mipmap != nullptr)
    array = resource.res.mipmap.mipmap->level[0];
  return array != nullptr && view.width == array->extent.width && view.height == array->extent.height &&
         view.depth == array->extent.depth;
}

inline cudaError_t warpmark_create_image(unsigned long long* object, const cudaResourceDesc* resource,
                                         const cudaTextureDesc* reading,
                                         const cudaResourceViewDesc* view = nullptr) {
  if (object == nullptr || resource == nullptr) return warpmark_invalid_value();
  if (view != nullptr && !warpmark_has_size_of(*view, *resource)) return warpmark_invalid_value();
  unsigned int first = 0, levels = 1;
  if (resource->resType == cudaResourceTypeMipmappedArray && resource->res.mipmap.mipmap != nullptr) {
    const unsigned int all = levels = resource->res.mipmap.mipmap->levels;
    if (view != nullptr) {
      if (view->firstMipmapLevel > view->lastMipmapLevel || view->lastMipmapLevel >= all)
        return warpmark_invalid_value();
      first = view->firstMipmapLevel;
      levels = view->lastMipmapLevel - first + 1;
    }
  }
  WarpmarkImage images[WARPMARK_MOST_LEVELS];
  // also zeroes the padding bytes of the texture's descriptors: copied to the device, they would count as
  // uninitialised memory
  memset(images, 0, sizeof images);
  for (unsigned int i = 0; i < levels; ++i) {
    WarpmarkImage& image = images[i];
    cudaChannelFormatDesc desc{};
    if (!warpmark_describe_image(image, desc, *resource, first + i)) return warpmark_invalid_value();
    if (view != nullptr) {
      if (!warpmark_describe_view(desc, view->format)) return warpmark_invalid_value();
      const unsigned int layers = image.depth;
      if (view->lastLayer >= view->firstLayer && view->lastLayer != 0 && view->lastLayer < layers) {
        image.data += view->firstLayer * image.pitch * (image.height == 0 ? 1 : image.height);
        image.depth = view->lastLayer - view->firstLayer + 1;
      }
    }
    const int bits[4] = {desc.x, desc.y, desc.z, desc.w};
    memcpy(image.bits, bits, sizeof bits);
    image.kind = desc.f;
    image.levels = levels - i;
    if (reading != nullptr) image.reading = *reading;
    image.resource = *resource;
  }
  const size_t bytes = levels * sizeof(WarpmarkImage);
  void* memory = nullptr;
  cudaError_t error = ::cudaMalloc(&memory, bytes);
  if (error == cudaSuccess) error = ::cudaMemcpy(memory, images, bytes, cudaMemcpyHostToDevice);
  *object = (unsigned long long)memory;
  return error;
}

inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                           const cudaTextureDesc* reading,
                                           const cudaResourceViewDesc* view = nullptr) {
  return reading == nullptr ? warpmark_invalid_value()
                            : warpmark_create_image(object, resource, reading, view);
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
