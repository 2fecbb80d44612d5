// What changes: a thread takes four neighbouring columns, with one load and one store of 16 bytes.
// What that cures: the number of instructions: a quarter of the loads, stores and index arithmetic.
// What still hurts: 16 bytes want aligned rows; with a pitch that is no multiple of 4 they are not.
// What to expect: at most a little more than g04: the memory was busy already. With odd pitches, g03.
#include <cstdint>

#include "grids.h"

constexpr unsigned kWide = 32;
constexpr unsigned kHigh = 8;
constexpr unsigned kValuesPerPack = 16 / sizeof(value_t);
constexpr std::size_t kMostBlocks = 65535;  // of a grid in y

// Its address must be a multiple of 16; alignas tells the compiler so, which then makes one load of it.
struct alignas(16) Pack {
  value_t values[kValuesPerPack];
};

// A thread computes kCount neighbouring columns: kValuesPerPack, if every row of both matrices is aligned, or
// 1.
template <unsigned kCount>
__global__ void vector_rows(const Matrices m) {
  // TODO: the first of this thread's columns; then the rows as in g03.
  // TODO: a whole pack with one load and one store; at the end of a row, what is left, one by one.
  (void)m;  // delete this line: it only quiets the compiler
}

// Whether every row begins at a multiple of 16 bytes.
template <class Value>
bool is_aligned(const Pitched<Value>& matrix) {
  // TODO: the first row's address, and the distance between two rows.
  (void)matrix;  // delete this line: it only quiets the compiler
  return false;
}

extern "C" void g05_vector_rows(Matrices matrices, cudaStream_t stream) {
  // TODO: four columns a thread where both matrices are aligned, else one. How many blocks in x?
  (void)matrices, (void)stream, (void)kWide, (void)kHigh, (void)kMostBlocks, (void)kValuesPerPack;
}
