// Four neighbours at once, a texel read with more channels than it has, and with fewer.
#include <cstdlib>

__global__ void read(cudaTextureObject_t one, cudaTextureObject_t four, cudaTextureObject_t share,
                     float4* out) {
  out[0] = tex2Dgather<float4>(one, 1.0f, 1.0f);
  out[1] = tex2D<float4>(one, 2.5f, 0.5f);
  out[2] = make_float4(tex2D<float>(four, 1.5f, 0.5f), tex2D<float2>(four, 1.5f, 0.5f).y, 0, 0);
  out[3] = tex2Dgather<float4>(four, 1.0f, 1.0f, 3);
  out[4] = tex2D<float4>(share, 0.5f, 0.5f);
}

cudaTextureObject_t texture(cudaArray_t array, cudaTextureReadMode mode = cudaReadModeElementType) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc reading = {};
  reading.readMode = mode;
  cudaTextureObject_t made;
  cudaCreateTextureObject(&made, &resource, &reading, nullptr);
  return made;
}

int main() {
  float numbers[4 * 2 * 4];
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  cudaChannelFormatDesc of_one = cudaCreateChannelDesc<float>(), of_four = cudaCreateChannelDesc<float4>();
  cudaArray_t ones, fours;
  cudaMallocArray(&ones, &of_one, 4, 2, cudaArrayTextureGather);
  cudaMallocArray(&fours, &of_four, 4, 2, cudaArrayTextureGather);
  cudaMemcpy2DToArray(ones, 0, 0, numbers, 16, 16, 2, cudaMemcpyHostToDevice);
  cudaMemcpy2DToArray(fours, 0, 0, numbers, 64, 64, 2, cudaMemcpyHostToDevice);
  const cudaTextureObject_t one = texture(ones), four = texture(fours);
  const unsigned char fifth = 51;
  const cudaChannelFormatDesc of_bytes = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t byte;
  cudaMallocArray(&byte, &of_bytes, 1, 1);
  cudaMemcpy2DToArray(byte, 0, 0, &fifth, 1, 1, 1, cudaMemcpyHostToDevice);
  const cudaTextureObject_t share = texture(byte, cudaReadModeNormalizedFloat);
  float4 *out, host[5];
  cudaMalloc(&out, sizeof host);
  read<<<1, 1>>>(one, four, share, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  // From the lower left, counter-clockwise.
  if (host[0].x != 4 || host[0].y != 5 || host[0].z != 1 || host[0].w != 0) abort();
  if (host[1].x != 2 || host[1].y != 0 || host[1].z != 0 || host[1].w != 0) abort();
  if (host[2].x != 4 || host[2].y != 5) abort();
  if (host[3].x != 19 || host[3].y != 23 || host[3].z != 7 || host[3].w != 3) abort();
  if (host[4].x != 0.2f || host[4].y != 0 || host[4].z != 0 || host[4].w != 0) abort();
  cudaFree(out);
  cudaDestroyTextureObject(one);
  cudaDestroyTextureObject(four);
  cudaDestroyTextureObject(share);
  cudaFreeArray(byte);
  cudaFreeArray(ones);
  cudaFreeArray(fours);
}
