// Expected answer of b = a + x y^T, and the error allowed to a single-precision result. The padding between
// the rows of b is left alone.
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "grids.h"

extern "C" {
grid_fn expected;
grid_fn tolerance;
}

namespace {

constexpr bool kReal = std::is_floating_point_v<value_t>;
constexpr double kUnit = 0x1p-24 * 1.001;

// Ints wrap around, which unsigned arithmetic does without undefined behaviour.
using Computed = std::conditional_t<kReal, double, std::uint32_t>;

template <class Write>
void for_elements(const Matrices& m, const Write& write) {
  // A team of threads costs more than a small matrix, above all where several inputs are made at a time.
#pragma omp parallel for if (m.rows * m.columns > 65536)
  for (std::size_t row = 0; row < m.rows; ++row) {
    const Computed x = static_cast<Computed>(m.x[row]);
    for (std::size_t column = 0; column < m.columns; ++column)
      m.b.data[row * m.b.pitch + column] = write(static_cast<Computed>(m.a.data[row * m.a.pitch + column]),
                                                 x * static_cast<Computed>(m.y[column]));
  }
}

}  // namespace

extern "C" void expected(Matrices m, cudaStream_t) {
  for_elements(m, [](Computed a, Computed product) { return static_cast<value_t>(a + product); });
}

// Tolerance of a + x * y: if both operations are exact, every way to compute it must agree. Otherwise the
// product may or may not be rounded (FMA), and the sum is, also in the expected value.
extern "C" void tolerance(Matrices m, cudaStream_t) {
  if constexpr (kReal) {
    for_elements(m, [](double a, double product) {
      const double sum = a + product;
      const bool exact = static_cast<float>(product) == product && static_cast<float>(sum) == sum;
      return exact ? 0.0F : static_cast<float>(kUnit * (std::abs(product) + 2 * std::abs(sum)));
    });
  }
}
