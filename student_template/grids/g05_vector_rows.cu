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
  // TODO: find the first of this thread's columns; loop over the rows as in g03.
  // TODO: use one load and one store for a whole pack; at the end of a row go on value by value.
  (void)m;  // delete this line: it only quiets the compiler
}

// Returns true if every row starts at a multiple of 16 bytes.
template <class Value>
bool is_aligned(const Pitched<Value>& matrix) {
  // TODO: check the first row's address and the distance between two rows.
  (void)matrix;  // delete this line: it only quiets the compiler
  return false;
}

extern "C" void g05_vector_rows(Matrices matrices, cudaStream_t stream) {
  // TODO: four columns per thread if both matrices are aligned, else one. How many blocks in x?
  (void)matrices, (void)stream, (void)kWide, (void)kHigh, (void)kMostBlocks, (void)kValuesPerPack;
}
