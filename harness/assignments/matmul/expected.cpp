// Expected answer of the assignment `matmul`: the matrix product in double precision, and the error allowed
// to a single-precision one.
#include <algorithm>
#include <cmath>
#include <vector>

#include "matmul.h"

extern "C" {
matmul_fn expected;
matmul_fn tolerance;
}

namespace {

constexpr double kUnit = 0x1p-24 * 1.001;

// Computes one row of C = A B in double precision; looping over the rows of B makes all accesses contiguous.
void write_row(const Product& product, std::size_t row) {
  std::vector<double> sums(product.columns);
  for (std::size_t k = 0; k < product.inner; ++k) {
    const double factor = product.a[row * product.inner + k];
    const float* from = product.b + k * product.columns;
#pragma omp simd
    for (std::size_t column = 0; column < product.columns; ++column) sums[column] += factor * from[column];
  }
  for (std::size_t column = 0; column < product.columns; ++column)
    product.c[row * product.columns + column] = static_cast<float>(sums[column]);
}

struct Magnitudes {
  double squares = 0;
  double sum = 0;
  double most = 0;
  bool whole = true;

  void add(double value) {
    squares += value * value;
    sum += std::abs(value);
    most = std::max(most, std::abs(value));
    whole = whole && value == std::trunc(value);
  }
};

}  // namespace

extern "C" void expected(Product product, cudaStream_t) {
  // A team of threads costs more than a small product, above all where several inputs are made at a time.
#pragma omp parallel for if (product.rows * product.inner * product.columns > 65536)
  for (std::size_t row = 0; row < product.rows; ++row) write_row(product, row);
}

// Updates the expected C = A B after one element of A changed: only the row of C with the same index changes.
extern "C" void update(Product product, std::size_t index, float /*old*/, cudaStream_t) {
  write_row(product, index / product.inner);
}

// Whole numbers whose products sum to less than 2^24 in magnitude have one sum in any order, which must be
// met exactly. Otherwise a dot product of k terms, in any order, fused or not, is off by at most k u sum |a
// b| (1 + O(k u)) with u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1),
// sum |a b| is at most the product of the norms of the row and of the column, and the expected value itself
// is rounded once.
extern "C" void tolerance(Product product, cudaStream_t) {
  std::vector<Magnitudes> rows(product.rows);
  std::vector<Magnitudes> columns(product.columns);
  for (std::size_t row = 0; row < product.rows; ++row) {
    for (std::size_t k = 0; k < product.inner; ++k) rows[row].add(product.a[row * product.inner + k]);
  }
  for (std::size_t k = 0; k < product.inner; ++k) {
    for (std::size_t column = 0; column < product.columns; ++column)
      columns[column].add(product.b[k * product.columns + column]);
  }
  const double terms = static_cast<double>(product.inner) + 1;
  for (std::size_t row = 0; row < product.rows; ++row) {
    for (std::size_t column = 0; column < product.columns; ++column) {
      const Magnitudes& a = rows[row];
      const Magnitudes& b = columns[column];
      const bool exact = a.whole && b.whole && a.sum * b.most < 0x1p24;
      product.c[row * product.columns + column] =
          exact ? 0.0F : static_cast<float>(terms * kUnit * std::sqrt(a.squares * b.squares));
    }
  }
}
