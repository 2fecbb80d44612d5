// What changes: a block reads a tile of pixels, with a border of one pixel around it, into shared memory.
// What that cures: each pixel is read from global memory little more than once.
#include "assignment_name.h"

namespace {

constexpr int kTile = 16;
constexpr int kSide = kTile + 2;  // side of a tile including its border, in pixels

__global__ void blur(const unsigned char* in, int ny, int nx, unsigned char* out) {
  // <solution> TODO: let the block's threads read the kSide x kSide pixels into shared memory, and wait for each other; beyond the
  // <solution> picture's edge its nearest pixel counts. Then each thread adds up nine pixels of the tile.
  // <stub> (void)in, (void)ny, (void)nx, (void)out, (void)kSide;  // delete this line: it only quiets the compiler
  __shared__ unsigned char tile[kSide][kSide];
  const int left = static_cast<int>(blockIdx.x) * kTile;
  const int top = static_cast<int>(blockIdx.y) * kTile;
  const int column = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(threadIdx.y);
  for (int k = row * kTile + column; k < kSide * kSide; k += kTile * kTile) {
    const int x = min(max(left + k % kSide - 1, 0), nx - 1);
    const int y = min(max(top + k / kSide - 1, 0), ny - 1);
    tile[k / kSide][k % kSide] = in[y * nx + x];
  }
  __syncthreads();
  if (left + column >= nx || top + row >= ny) return;
  unsigned sum = 0;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[row + dy][column + dx];
  }
  out[(top + row) * nx + left + column] = static_cast<unsigned char>(sum / 9);
  // </solution>
}

}  // namespace

extern "C" void v02_tiles(const unsigned char* in, std::size_t ny, std::size_t nx, unsigned char* out,
                          cudaStream_t stream) {
  const dim3 blocks(static_cast<unsigned>((nx + kTile - 1) / kTile),
                    static_cast<unsigned>((ny + kTile - 1) / kTile));
  if (ny > 0 && nx > 0)
    blur<<<blocks, dim3(kTile, kTile), 0, stream>>>(in, static_cast<int>(ny), static_cast<int>(nx), out);
}
