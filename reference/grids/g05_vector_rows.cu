// What changes: a thread takes four neighbouring columns, with one load and one store of 16 bytes.
// What that cures: the number of instructions: a quarter of the loads, stores and index arithmetic.
// What still hurts: 16-byte accesses need aligned rows: a pitch that is no multiple of 4 rules them out.
// What to expect: at most a little faster than g04: the memory was busy already. With odd pitches, as g03.
#include <cstdint>

#include "grids.h"

constexpr unsigned kWide = 32;
constexpr unsigned kHigh = 8;
constexpr unsigned kValuesPerPack = 16 / sizeof(value_t);
constexpr std::size_t kMostBlocks = 65535;  // limit of gridDim.y

// Its address must be a multiple of 16; because of alignas the compiler uses one 16-byte load.
struct alignas(16) Pack {
  value_t values[kValuesPerPack];
};

// Each thread computes kCount neighbouring columns: kValuesPerPack if all rows of a and b are aligned, else
// 1.
template <unsigned kCount>
__global__ void vector_rows(const Matrices m) {
  // <solution> TODO: find the first of this thread's columns; loop over the rows as in g03.
  // <solution> TODO: use one load and one store for a whole pack; at the end of a row go on value by value.
  // <stub> (void)m;  // delete this line: it only quiets the compiler
  const std::size_t column = (std::size_t{blockIdx.x} * kWide + threadIdx.x) * kCount;
  const std::size_t stride = std::size_t{gridDim.y} * kHigh;
  for (std::size_t row = std::size_t{blockIdx.y} * kHigh + threadIdx.y; row < m.rows; row += stride) {
    const value_t* from = m.a.data + row * m.a.pitch + column;
    value_t* to = m.b.data + row * m.b.pitch + column;
    const value_t x = m.x[row];
    if (kCount == kValuesPerPack && column + kCount <= m.columns) {
      Pack pack = *reinterpret_cast<const Pack*>(from);
#pragma unroll
      for (unsigned k = 0; k < kValuesPerPack; ++k) pack.values[k] += x * m.y[column + k];
      *reinterpret_cast<Pack*>(to) = pack;
    } else {
      for (unsigned k = 0; k < kCount && column + k < m.columns; ++k) to[k] = from[k] + x * m.y[column + k];
    }
  }
  // </solution>
}

// Returns true if every row starts at a multiple of 16 bytes.
template <class Value>
bool is_aligned(const Pitched<Value>& matrix) {
  // <solution> TODO: check the first row's address and the distance between two rows.
  // <stub> (void)matrix;  // delete this line: it only quiets the compiler
  // <stub> return false;
  return reinterpret_cast<std::uintptr_t>(matrix.data) % sizeof(Pack) == 0 &&
         matrix.pitch % kValuesPerPack == 0;
  // </solution>
}

extern "C" void g05_vector_rows(Matrices matrices, cudaStream_t stream) {
  // <solution> TODO: four columns per thread if both matrices are aligned, else one. How many blocks in x?
  // <stub> (void)matrices, (void)stream, (void)kWide, (void)kHigh, (void)kMostBlocks, (void)kValuesPerPack;
  if (matrices.rows == 0 || matrices.columns == 0) return;
  const bool packs = is_aligned(matrices.a) && is_aligned(matrices.b);
  const std::size_t columns_a_block = kWide * (packs ? kValuesPerPack : 1);
  const std::size_t across = (matrices.columns + columns_a_block - 1) / columns_a_block;
  std::size_t down = (matrices.rows + kHigh - 1) / kHigh;
  if (down > kMostBlocks) down = kMostBlocks;
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  const auto kernel = packs ? vector_rows<kValuesPerPack> : vector_rows<1>;
  kernel<<<grid, dim3(kWide, kHigh), 0, stream>>>(matrices);
  // </solution>
}
