// What changes: a block reads a tile of pixels, with a border of one pixel around it, into shared memory.
// What that cures: each pixel is read from global memory little more than once.
#include "assignment_name.h"

namespace {

constexpr int kTile = 16;
constexpr int kSide = kTile + 2;  // side of a tile including its border, in pixels

__global__ void blur(const unsigned char* in, int width, int height, unsigned char* out) {
  // <solution> TODO: let the block's threads read the kSide x kSide pixels into shared memory, and wait for each other; beyond the
  // <solution> picture's edge its nearest pixel counts. Then each thread adds up nine pixels of the tile.
  // <stub> (void)in, (void)width, (void)height, (void)out, (void)kSide;  // delete this line: it only quiets the compiler
  __shared__ unsigned char tile[kSide][kSide];
  const int left = static_cast<int>(blockIdx.x) * kTile;
  const int top = static_cast<int>(blockIdx.y) * kTile;
  const int column = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(threadIdx.y);
  for (int k = row * kTile + column; k < kSide * kSide; k += kTile * kTile) {
    const int x = min(max(left + k % kSide - 1, 0), width - 1);
    const int y = min(max(top + k / kSide - 1, 0), height - 1);
    tile[k / kSide][k % kSide] = in[y * width + x];
  }
  __syncthreads();
  if (left + column >= width || top + row >= height) return;
  unsigned sum = 0;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[row + dy][column + dx];
  }
  out[(top + row) * width + left + column] = static_cast<unsigned char>(sum / 9);
  // </solution>
}

}  // namespace

extern "C" void v02_tiles(const unsigned char* in, std::size_t width, std::size_t height, unsigned char* out,
                          cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((width + kTile - 1) / kTile),
                    static_cast<unsigned>((height + kTile - 1) / kTile));
  if (width > 0 && height > 0)
    blur<<<blocks, dim3(kTile, kTile), 0, stream>>>(in, static_cast<int>(width), static_cast<int>(height),
                                                    out);
}
