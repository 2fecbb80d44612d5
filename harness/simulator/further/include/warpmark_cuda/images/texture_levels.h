// Mipmapped texture fetches with a level of detail. Part of textures.h.
#pragma once

namespace warpmark_texture {

// The two mipmap levels between which a texture fetch interpolates: the larger one's image, and the weight of
// the next smaller level.
struct Detail {
  const WarpmarkImage* image;
  float weight;
};
WARPMARK_TEX Detail detail_of(unsigned long long object, float level) {
  const WarpmarkImage& image = image_of(object);
  if (image.levels <= 1) return {&image, 0.0f};
  level += image.reading.mipmapLevelBias;
  if (!(level > image.reading.minMipmapLevelClamp)) level = image.reading.minMipmapLevelClamp;
  if (level > image.reading.maxMipmapLevelClamp) level = image.reading.maxMipmapLevelClamp;
  const float last = (float)(image.levels - 1);
  level = level < 0.0f ? 0.0f : level > last ? last : level;
  if (image.reading.mipmapFilterMode != cudaFilterModeLinear)
    return {&image + (int)ceilf(level - 0.5f), 0.0f};
  const float whole = floorf(level);
  return {&image + (int)whole, floorf((level - whole) * 256.0f + 0.5f) / 256.0f};
}
// Texture fetch with gradients (tex2DGrad, ...): computes the level of detail from the gradients of the
// coordinates; components of missing dimensions are 0.
WARPMARK_TEX float level_of(unsigned long long object, float3 dx, float3 dy) {
  const WarpmarkImage& image = image_of(object);
  float3 scale = {1.0f, 1.0f, 1.0f};
  if (image.reading.normalizedCoords) scale = {(float)image.width, (float)image.height, (float)image.depth};
  const float x = dx.x * scale.x, y = dx.y * scale.y, z = dx.z * scale.z;
  const float u = dy.x * scale.x, v = dy.y * scale.y, w = dy.z * scale.z;
  return 0.5f * log2f(fmaxf(x * x + y * y + z * z, u * u + v * v + w * w));
}

}  // namespace warpmark_texture

#define WARPMARK_TEX_UNPACK(...) __VA_ARGS__
// Defines a mipmapped texture fetch: from the nearest mipmap level, or interpolated between the two nearest.
#define WARPMARK_TEX_LEVELS(name, parameters, arguments, detail, expression)                     \
  template <typename T>                                                                          \
  WARPMARK_DEVICE T name(cudaTextureObject_t object, WARPMARK_TEX_UNPACK parameters) {           \
    const warpmark_texture::Detail at = warpmark_texture::detail_of(object, detail);             \
    const WarpmarkImage& image = *at.image;                                                      \
    const T here = warpmark_texture::expression;                                                 \
    if (at.weight == 0.0f) return here;                                                          \
    {                                                                                            \
      const WarpmarkImage& image = at.image[1];                                                  \
      return warpmark_texture::mixed(here, warpmark_texture::expression, at.weight);             \
    }                                                                                            \
  }                                                                                              \
  template <typename T>                                                                          \
  WARPMARK_DEVICE void name(T* to, cudaTextureObject_t object, WARPMARK_TEX_UNPACK parameters) { \
    *to = name<T>(object, WARPMARK_TEX_UNPACK arguments);                                        \
  }
#define WARPMARK_TEX_DETAIL(name, parameters, arguments, gradient, from_gradient, expression) \
  WARPMARK_TEX_LEVELS(name##Lod, (WARPMARK_TEX_UNPACK parameters, float level),               \
                      (WARPMARK_TEX_UNPACK arguments, level), level, expression)              \
  WARPMARK_TEX_LEVELS(name##Grad, (WARPMARK_TEX_UNPACK parameters, gradient dx, gradient dy), \
                      (WARPMARK_TEX_UNPACK arguments, dx, dy),                                \
                      warpmark_texture::level_of(object, from_gradient(dx), from_gradient(dy)), expression)
#define WARPMARK_GRADIENT_1(d) make_float3(d, 0.0f, 0.0f)
#define WARPMARK_GRADIENT_2(d) make_float3(d.x, d.y, 0.0f)
#define WARPMARK_GRADIENT_3(d) make_float3(d.x, d.y, d.z)
WARPMARK_TEX_DETAIL(tex1D, (float x), (x), float, WARPMARK_GRADIENT_1, read_1d<T>(image, x, 0))
WARPMARK_TEX_DETAIL(tex2D, (float x, float y), (x, y), float2, WARPMARK_GRADIENT_2,
                    read_2d<T>(image, x, y, 0))
WARPMARK_TEX_DETAIL(tex3D, (float x, float y, float z), (x, y, z), float4, WARPMARK_GRADIENT_3,
                    read_3d<T>(image, x, y, z))
WARPMARK_TEX_DETAIL(tex1DLayered, (float x, int layer), (x, layer), float, WARPMARK_GRADIENT_1,
                    read_1d<T>(image, x, warpmark_texture::layer_of(image, layer)))
WARPMARK_TEX_DETAIL(tex2DLayered, (float x, float y, int layer), (x, y, layer), float2, WARPMARK_GRADIENT_2,
                    read_2d<T>(image, x, y, warpmark_texture::layer_of(image, layer)))
WARPMARK_TEX_LEVELS(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), level,
                    read_cube<T>(image, x, y, z, 0))
WARPMARK_TEX_LEVELS(texCubemapLayeredLod, (float x, float y, float z, int layer, float level),
                    (x, y, z, layer, level), level, read_cube<T>(image, x, y, z, layer))
#undef WARPMARK_GRADIENT_1
#undef WARPMARK_GRADIENT_2
#undef WARPMARK_GRADIENT_3
#undef WARPMARK_TEX_DETAIL
#undef WARPMARK_TEX_LEVELS
#undef WARPMARK_TEX_UNPACK
