// CPU baselines for the matrix product, single-threaded and on all cores; benchmarks compare GPU versions
// with them.
#include <algorithm>

#include "matmul.h"

extern "C" {
matmul_fn cpu_one_thread;
matmul_fn cpu_threads;
}

namespace {

// Columns of B and C per block: a block's rows of B that are in use stay in the L2 cache.
constexpr std::size_t kColumns = 512;

// Computes part of a row of C = A B, looping over the rows of B: all accesses are contiguous, so the compiler
// vectorises.
void write_row(const Product& product, std::size_t row, std::size_t left, std::size_t right) {
  float* sums = product.c + row * product.columns;
  std::fill(sums + left, sums + right, 0.0F);
  for (std::size_t k = 0; k < product.inner; ++k) {
    const float factor = product.a[row * product.inner + k];
    const float* from = product.b + k * product.columns;
    for (std::size_t column = left; column < right; ++column) sums[column] += factor * from[column];
  }
}

void multiply(const Product& product, std::size_t first, std::size_t end) {
  for (std::size_t left = 0; left < product.columns; left += kColumns) {
    for (std::size_t row = first; row < end; ++row)
      write_row(product, row, left, std::min(left + kColumns, product.columns));
  }
}

}  // namespace

extern "C" void cpu_one_thread(Product product, cudaStream_t) {
  multiply(product, 0, product.rows);
}

extern "C" void cpu_threads(Product product, cudaStream_t) {
  constexpr std::size_t kRows = 16;  // number of rows of C that a thread computes at a time
  const std::size_t pieces = (product.rows + kRows - 1) / kRows;
#pragma omp parallel for
  for (std::size_t piece = 0; piece < pieces; ++piece)
    multiply(product, piece * kRows, std::min((piece + 1) * kRows, product.rows));
}
