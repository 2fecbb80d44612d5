// What changes: one thread per pixel, which reads its nine pixels from global memory.
// What still hurts: every pixel is read nine times.
#include "assignment_name.h"

namespace {

constexpr int kTile = 16;

__global__ void blur(const unsigned char* in, int width, int height, unsigned char* out) {
  const int x = static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kTile + static_cast<int>(threadIdx.y);
  if (x >= width || y >= height) return;
  unsigned sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  }
  out[y * width + x] = static_cast<unsigned char>(sum / 9);
}

}  // namespace

extern "C" void v01_direct(const unsigned char* in, std::size_t width, std::size_t height, unsigned char* out,
                           cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((width + kTile - 1) / kTile),
                    static_cast<unsigned>((height + kTile - 1) / kTile));
  if (width > 0 && height > 0)
    blur<<<blocks, dim3(kTile, kTile), 0, stream>>>(in, static_cast<int>(width), static_cast<int>(height),
                                                    out);
}
