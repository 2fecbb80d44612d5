// The struct is copied to the device, and what it points to stays behind.
#include <cstdio>

struct Image {
  unsigned char* pixels;
  int width, height;
};

__global__ void invert(Image image) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < image.width * image.height) image.pixels[i] = 255 - image.pixels[i];  // EXPECT(host_pointer)
}

int main() {
  unsigned char* pixels = new unsigned char[64]();
  const Image image{pixels, 8, 8};
  invert<<<1, 64>>>(image);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  delete[] pixels;
  return error;
}
