// Texture fetches, surface reads and writes: the arithmetic of the CUDA programming guide. Coordinates are
// mapped by the address mode; linear filtering uses weights with 8 fraction bits. Texels are read from global
// memory by ordinary loads, so all checks apply.
#pragma once

#include "warpmark_cuda/device/math.h"
#include "warpmark_cuda/images/image_objects.h"
#include "warpmark_cuda/narrow/narrow_bits.h"

#if defined(__CUDA__)

extern "C" __device__ void __warpmark_outside_of_surface(long long x, long long y, long long z,
                                                         const void* image);

namespace warpmark_texture {

#define WARPMARK_TEX static __inline__ __device__ __attribute__((always_inline, nodebug, unused))

// Type trait of a texel type, such as uchar4: its channel type (unsigned char) and number of channels (4).
template <typename T>
struct Channels;
#define WARPMARK_TEXEL(type, channel, count) \
  template <>                                \
  struct Channels<type> {                    \
    typedef channel Channel;                 \
    static const int number = count;         \
  };
WARPMARK_TEXEL(char, char, 1)
#define WARPMARK_TEXELS(name, type) \
  WARPMARK_TEXEL(type, type, 1)     \
  WARPMARK_TEXEL(name##1, type, 1)  \
  WARPMARK_TEXEL(name##2, type, 2)  \
  WARPMARK_TEXEL(name##4, type, 4)
WARPMARK_TEXELS(char, signed char)
WARPMARK_TEXELS(uchar, unsigned char)
WARPMARK_TEXELS(short, short)
WARPMARK_TEXELS(ushort, unsigned short)
WARPMARK_TEXELS(int, int)
WARPMARK_TEXELS(uint, unsigned int)
WARPMARK_TEXELS(float, float)
#undef WARPMARK_TEXEL
#undef WARPMARK_TEXELS

WARPMARK_TEX const WarpmarkImage& image_of(unsigned long long object) {
  return *(const WarpmarkImage*)object;
}

// Returns one channel of a texel as a float: the stored value or, for normalised formats, its fraction of the
// format's maximum.
WARPMARK_TEX float channel(const WarpmarkImage& image, const char* texel, int index) {
  const int bits = image.bits[index];
  if (bits == 0) return 0.0f;
  const char* at = texel + index * (bits / 8);
  if (image.kind == cudaChannelFormatKindFloat)
    return bits == 16 ? warpmark_widen<10, 15>(*(const unsigned short*)at) : *(const float*)at;
  if (image.kind == cudaChannelFormatKindSigned) {
    const float value = bits == 8 ? (float)*(const signed char*)at : (float)*(const short*)at;
    const float share = value / (bits == 8 ? 127.0f : 32767.0f);
    return share < -1.0f ? -1.0f : share;
  }
  return bits == 8 ? (float)*(const unsigned char*)at / 255.0f : (float)*(const unsigned short*)at / 65535.0f;
}

WARPMARK_TEX long long element_bytes(const WarpmarkImage& image) {
  return (image.bits[0] + image.bits[1] + image.bits[2] + image.bits[3]) / 8;
}

// Reads one texel of a texture, or returns the border colour for coordinates outside of the image.
template <typename T>
WARPMARK_TEX T element(const WarpmarkImage& image, bool inside, long long offset) {
  typedef typename Channels<T>::Channel Channel;
  T result;
  Channel* channels = (Channel*)&result;
  if (!inside) {
    for (int i = 0; i < Channels<T>::number; ++i) channels[i] = (Channel)image.reading.borderColor[i];
    return result;
  }
  const char* texel = image.data + offset;
  const bool converted = image.reading.readMode == cudaReadModeNormalizedFloat ||
                         (image.kind == cudaChannelFormatKindFloat && image.bits[0] == 16);
  if (!converted && element_bytes(image) == sizeof(T)) return *(const T*)texel;
  // Texture fetch: channels that the texture's format lacks read as 0, including the fourth (alpha).
  for (int i = 0; i < Channels<T>::number; ++i) {
    if (converted)
      channels[i] = (Channel)channel(image, texel, i);
    else
      channels[i] = image.bits[i] != 0 ? ((const Channel*)texel)[i] : (Channel)0;
  }
  return result;
}

// Maps a texel index outside of the image by the texture's address mode (wrap, clamp, mirror); returns false
// if the border colour applies.
WARPMARK_TEX bool addressed(int& index, int size, cudaTextureAddressMode mode, bool normalized) {
  if (mode == cudaAddressModeBorder) return index >= 0 && index < size;
  if (normalized && mode == cudaAddressModeWrap) {
    index %= size;
    if (index < 0) index += size;
    return true;
  }
  if (normalized && mode == cudaAddressModeMirror) {
    index %= 2 * size;
    if (index < 0) index += 2 * size;
    if (index >= size) index = 2 * size - 1 - index;
    return true;
  }
  index = index < 0 ? 0 : index >= size ? size - 1 : index;
  return true;
}

// A texture coordinate for linear filtering, as the index of a texel and the weight of the next texel.
struct Place {
  int index;
  float weight;
};
WARPMARK_TEX Place place_of(const WarpmarkImage& image, float x, int size) {
  if (image.reading.normalizedCoords) x *= (float)size;
  const bool linear = image.reading.filterMode == cudaFilterModeLinear;
  if (linear) x -= 0.5f;
  const float whole = floorf(x);
  Place place;
  place.index = whole >= 2e9f ? 2000000000 : whole <= -2e9f ? -2000000000 : (int)whole;
  place.weight = linear ? floorf((x - whole) * 256.0f + 0.5f) / 256.0f : 0.0f;
  return place;
}

template <typename T>
WARPMARK_TEX T fetch(const WarpmarkImage& image, int x, int y, int z, unsigned int layer) {
  const bool normalized = image.reading.normalizedCoords != 0;
  bool inside = addressed(x, (int)image.width, image.reading.addressMode[0], normalized);
  if (image.height != 0 && y != -1000000000)
    inside = addressed(y, (int)image.height, image.reading.addressMode[1], normalized) && inside;
  else
    y = 0;
  if (z != -1000000000)
    inside = addressed(z, (int)image.depth, image.reading.addressMode[2], normalized) && inside;
  else
    z = (int)layer;
  const long long rows = image.height == 0 ? 1 : image.height;
  return element<T>(image, inside,
                    ((long long)z * rows + y) * (long long)image.pitch + x * element_bytes(image));
}

template <typename T>
WARPMARK_TEX T mixed(T a, T b, float weight) {
  typedef typename Channels<T>::Channel Channel;
  T result;
  const Channel* first = (const Channel*)&a;
  const Channel* second = (const Channel*)&b;
  Channel* channels = (Channel*)&result;
  for (int i = 0; i < Channels<T>::number; ++i)
    channels[i] = (Channel)((1.0f - weight) * (float)first[i] + weight * (float)second[i]);
  return result;
}

// marks a texture coordinate that the fetch lacks, such as y of a 1D texture
static const int none = -1000000000;

template <typename T>
WARPMARK_TEX T read_1d(const WarpmarkImage& image, float x, unsigned int layer) {
  const Place px = place_of(image, x, (int)image.width);
  const T here = fetch<T>(image, px.index, none, none, layer);
  if (image.reading.filterMode != cudaFilterModeLinear) return here;
  return mixed(here, fetch<T>(image, px.index + 1, none, none, layer), px.weight);
}
template <typename T>
WARPMARK_TEX T read_2d(const WarpmarkImage& image, float x, float y, unsigned int layer) {
  const Place px = place_of(image, x, (int)image.width);
  const Place py = place_of(image, y, (int)image.height);
  const T here = fetch<T>(image, px.index, py.index, none, layer);
  if (image.reading.filterMode != cudaFilterModeLinear) return here;
  const T above = mixed(here, fetch<T>(image, px.index + 1, py.index, none, layer), px.weight);
  const T below = mixed(fetch<T>(image, px.index, py.index + 1, none, layer),
                        fetch<T>(image, px.index + 1, py.index + 1, none, layer), px.weight);
  return mixed(above, below, py.weight);
}
template <typename T>
WARPMARK_TEX T plane(const WarpmarkImage& image, Place px, Place py, int z) {
  const T above = mixed(fetch<T>(image, px.index, py.index, z, 0),
                        fetch<T>(image, px.index + 1, py.index, z, 0), px.weight);
  const T below = mixed(fetch<T>(image, px.index, py.index + 1, z, 0),
                        fetch<T>(image, px.index + 1, py.index + 1, z, 0), px.weight);
  return mixed(above, below, py.weight);
}
template <typename T>
WARPMARK_TEX T read_3d(const WarpmarkImage& image, float x, float y, float z) {
  const Place px = place_of(image, x, (int)image.width);
  const Place py = place_of(image, y, (int)image.height);
  const Place pz = place_of(image, z, (int)image.depth);
  if (image.reading.filterMode != cudaFilterModeLinear)
    return fetch<T>(image, px.index, py.index, pz.index, 0);
  return mixed(plane<T>(image, px, py, pz.index), plane<T>(image, px, py, pz.index + 1), pz.weight);
}
WARPMARK_TEX unsigned int layer_of(const WarpmarkImage& image, int layer) {
  const int last = image.depth == 0 ? 0 : (int)image.depth - 1;
  return (unsigned int)(layer < 0 ? 0 : layer > last ? last : layer);
}

// Finds the cube face that a direction meets and the coordinates on it (the guide's table of cubemap
// textures).
template <typename T>
WARPMARK_TEX T read_cube(const WarpmarkImage& image, float x, float y, float z, int cube) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  int face;
  float m, s, t;
  if (ax >= ay && ax >= az) {
    face = x < 0.0f ? 1 : 0;
    m = ax;
    s = x < 0.0f ? z : -z;
    t = -y;
  } else if (ay >= az) {
    face = y < 0.0f ? 3 : 2;
    m = ay;
    s = x;
    t = y < 0.0f ? -z : z;
  } else {
    face = z < 0.0f ? 5 : 4;
    m = az;
    s = z < 0.0f ? -x : x;
    t = -y;
  }
  return read_2d<T>(image, (s / m + 1.0f) / 2.0f, (t / m + 1.0f) / 2.0f, layer_of(image, 6 * cube + face));
}

// Computes the byte offset of a surface element; x is in bytes, as in CUDA's surf functions. Returns false if
// the boundary mode (zero) drops an access outside of the surface.
template <typename T>
WARPMARK_TEX bool surface_place(const WarpmarkImage& image, long long& offset, int x, int y, int z,
                                cudaSurfaceBoundaryMode mode) {
  const int bytes = (int)element_bytes(image);
  const int width = (int)image.width;
  const int height = image.height == 0 ? 1 : (int)image.height;
  const int depth = image.depth == 0 ? 1 : (int)image.depth;
  bool inside = x >= 0 && x + (int)sizeof(T) <= width * bytes && y >= 0 && y < height && z >= 0 && z < depth;
  if (!inside && mode == cudaBoundaryModeTrap) __warpmark_outside_of_surface(x, y, z, &image);
  if (!inside && mode == cudaBoundaryModeClamp) {
    x = x < 0 ? 0 : x + (int)sizeof(T) > width * bytes ? (width - 1) * bytes : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
    inside = true;
  }
  offset = ((long long)z * height + y) * (long long)image.pitch + x;
  return inside;
}
template <typename T>
WARPMARK_TEX T read_surface(unsigned long long object, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
  const WarpmarkImage& image = image_of(object);
  long long offset;
  if (surface_place<T>(image, offset, x, y, z, mode)) return *(const T*)(image.data + offset);
  T zero;
  __builtin_memset(&zero, 0, sizeof zero);
  return zero;
}
template <typename T>
WARPMARK_TEX void write_surface(T value, unsigned long long object, int x, int y, int z,
                                cudaSurfaceBoundaryMode mode) {
  const WarpmarkImage& image = image_of(object);
  long long offset;
  if (surface_place<T>(image, offset, x, y, z, mode)) *(T*)(image.data + offset) = value;
}

}  // namespace warpmark_texture

// Defines a texture fetch function (tex2D, ...) in both forms: returning the value, and the older one that
// stores it through a pointer.
#define WARPMARK_TEX_FORMS(name, parameters, arguments, expression)                              \
  template <typename T>                                                                          \
  WARPMARK_DEVICE T name(cudaTextureObject_t object, WARPMARK_TEX_UNPACK parameters) {           \
    const WarpmarkImage& image = warpmark_texture::image_of(object);                             \
    return warpmark_texture::expression;                                                         \
  }                                                                                              \
  template <typename T>                                                                          \
  WARPMARK_DEVICE void name(T* to, cudaTextureObject_t object, WARPMARK_TEX_UNPACK parameters) { \
    *to = name<T>(object, WARPMARK_TEX_UNPACK arguments);                                        \
  }
#define WARPMARK_TEX_UNPACK(...) __VA_ARGS__
WARPMARK_TEX_FORMS(tex1D, (float x), (x), read_1d<T>(image, x, 0))
WARPMARK_TEX_FORMS(tex2D, (float x, float y), (x, y), read_2d<T>(image, x, y, 0))
WARPMARK_TEX_FORMS(tex3D, (float x, float y, float z), (x, y, z), read_3d<T>(image, x, y, z))
WARPMARK_TEX_FORMS(tex1DLayered, (float x, int layer), (x, layer),
                   read_1d<T>(image, x, warpmark_texture::layer_of(image, layer)))
WARPMARK_TEX_FORMS(tex2DLayered, (float x, float y, int layer), (x, y, layer),
                   read_2d<T>(image, x, y, warpmark_texture::layer_of(image, layer)))
WARPMARK_TEX_FORMS(texCubemap, (float x, float y, float z), (x, y, z), read_cube<T>(image, x, y, z, 0))
WARPMARK_TEX_FORMS(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
                   read_cube<T>(image, x, y, z, layer))
// tex1Dfetch reads linear memory by element index without filtering; outside of the memory it returns 0.
WARPMARK_TEX_FORMS(tex1Dfetch, (int x), (x),
                   element<T>(image, x >= 0 && x < (int)image.width,
                              (long long)x* warpmark_texture::element_bytes(image)))
#undef WARPMARK_TEX_FORMS

#undef WARPMARK_TEX_UNPACK

// Returns one channel of the four texels of bilinear filtering, counter-clockwise from the lower left.
template <typename T>
WARPMARK_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  typedef typename warpmark_texture::Channels<T>::Channel Channel;
  const WarpmarkImage& image = warpmark_texture::image_of(object);
  if (image.reading.normalizedCoords) {
    x *= (float)image.width;
    y *= (float)image.height;
  }
  const int left = (int)floorf(x - 0.5f);
  const int top = (int)floorf(y - 0.5f);
  T result;
  Channel* channels = (Channel*)&result;
  for (int i = 0; i < 4; ++i) {
    const T texel = warpmark_texture::fetch<T>(image, left + (i == 1 || i == 2 ? 1 : 0),
                                               top + (i < 2 ? 1 : 0), warpmark_texture::none, 0);
    channels[i] = ((const Channel*)&texel)[channel];
  }
  return result;
}

#define WARPMARK_SURFACE(name, parameters, places)                                                          \
  template <typename T>                                                                                     \
  WARPMARK_DEVICE T name##read(cudaSurfaceObject_t object, WARPMARK_SURFACE_UNPACK parameters,              \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
    return warpmark_texture::read_surface<T>(object, WARPMARK_SURFACE_UNPACK places, mode);                 \
  }                                                                                                         \
  template <typename T>                                                                                     \
  WARPMARK_DEVICE void name##read(T* to, cudaSurfaceObject_t object, WARPMARK_SURFACE_UNPACK parameters,    \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                    \
    *to = warpmark_texture::read_surface<T>(object, WARPMARK_SURFACE_UNPACK places, mode);                  \
  }                                                                                                         \
  template <typename T>                                                                                     \
  WARPMARK_DEVICE void name##write(T value, cudaSurfaceObject_t object, WARPMARK_SURFACE_UNPACK parameters, \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    warpmark_texture::write_surface<T>(value, object, WARPMARK_SURFACE_UNPACK places, mode);                \
  }
#define WARPMARK_SURFACE_UNPACK(...) __VA_ARGS__
WARPMARK_SURFACE(surf1D, (int x), (x, 0, 0))
WARPMARK_SURFACE(surf2D, (int x, int y), (x, y, 0))
WARPMARK_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
WARPMARK_SURFACE(surf1DLayered, (int x, int layer), (x, 0, layer))
WARPMARK_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
WARPMARK_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
WARPMARK_SURFACE(surfCubemapLayered, (int x, int y, int layer_face), (x, y, layer_face))
#undef WARPMARK_SURFACE
#undef WARPMARK_SURFACE_UNPACK
#include "warpmark_cuda/images/texture_levels.h"
#undef WARPMARK_TEX

#endif
