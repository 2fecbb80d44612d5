// CPU baselines for b = a + x y^T, single-threaded and on all cores; benchmarks compare GPU versions with
// them.
#include <cstdint>
#include <type_traits>

#include "grids.h"

extern "C" {
grid_fn cpu_one_thread;
grid_fn cpu_threads;
}

namespace {

// Signed ints must wrap around; computed as unsigned, which gives the same bits without undefined behaviour.
using Computed = std::conditional_t<std::is_integral_v<value_t>, std::uint32_t, value_t>;

void write(const Matrices& m, std::size_t row, std::size_t column) {
  m.b.data[row * m.b.pitch + column] =
      static_cast<value_t>(static_cast<Computed>(m.a.data[row * m.a.pitch + column]) +
                           static_cast<Computed>(m.x[row]) * static_cast<Computed>(m.y[column]));
}

}  // namespace

extern "C" void cpu_one_thread(Matrices m, cudaStream_t) {
  for (std::size_t row = 0; row < m.rows; ++row) {
    for (std::size_t column = 0; column < m.columns; ++column) write(m, row, column);
  }
}

// CPU baseline on all cores of b = a + x y^T: threads share the rows, or the columns if there is only one
// row.
extern "C" void cpu_threads(Matrices m, cudaStream_t) {
  if (m.rows == 1) {
#pragma omp parallel for
    for (std::size_t column = 0; column < m.columns; ++column) write(m, 0, column);
    return;
  }
#pragma omp parallel for
  for (std::size_t row = 0; row < m.rows; ++row) {
    for (std::size_t column = 0; column < m.columns; ++column) write(m, row, column);
  }
}
