// What changes: one thread per pixel, which reads its nine pixels from global memory.
// What still hurts: every pixel is read nine times.
#include "assignment_name.h"

namespace {

constexpr int kTile = 16;

__global__ void blur(const unsigned char* in, int ny, int nx, unsigned char* out) {
  const int x = static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * kTile + static_cast<int>(threadIdx.y);
  if (x >= nx || y >= ny) return;
  unsigned sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[min(max(y + dy, 0), ny - 1) * nx + min(max(x + dx, 0), nx - 1)];
  }
  out[y * nx + x] = static_cast<unsigned char>(sum / 9);
}

}  // namespace

extern "C" void v01_direct(const unsigned char* in, std::size_t ny, std::size_t nx, unsigned char* out,
                           cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((nx + kTile - 1) / kTile),
                    static_cast<unsigned>((ny + kTile - 1) / kTile));
  if (ny > 0 && nx > 0)
    blur<<<blocks, dim3(kTile, kTile), 0, stream>>>(in, static_cast<int>(ny), static_cast<int>(nx), out);
}
