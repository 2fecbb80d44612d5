// matmul: shapes, matrices, and the product in double precision.
// | A case's size is the number of elements of C. A square number makes three square matrices. Any other
// number makes a C of at most that many elements; shape and inner dimension depend on the seed: tall, flat,
// long sums and short ones. Size 2 makes a C of two empty sums. Numbers above 2^18 make the largest square
// that fits: such cases are timed, and the time must grow with the size.
// | "exact": small integers, and in A a few odd integers of 13 bits; every sum of |a b| stays below 2^24, so
// every order of additions gives the same bits and the answer is compared with ==. Half precision, bfloat16
// and TF32 cannot represent the large ones.
// | "random": uniform in [-1, 1]. A dot product of k terms in any order, fused or not, is off by at most k u
// sum |a b| (1 + O(k u)) with u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
// section 3.1), and sum |a b| is at most the product of the norms of the row and of the column.
#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/matmul/host.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark::matmul {
namespace {

// The index of buffer b, also used to derive its random stream.
constexpr std::size_t kB = 1;
constexpr double kUnit = 0x1p-24 * 1.001;
constexpr std::uint64_t kMostOfAnyShape = 1 << 18;
constexpr std::uint64_t kMostRows = 300;          // of a C that is not square
constexpr std::uint64_t kMostInner = 200;         // of such a product
constexpr std::uint64_t kMostProducts = 1 << 22;  // number of multiplications in such a product
constexpr std::uint64_t kRowsAtATime = 16;

struct Shape {
  std::uint64_t rows = 0;
  std::uint64_t inner = 0;
  std::uint64_t columns = 0;
};

Shape shape_of(const Case& which) {
  const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(which.n)));
  if (side * side == which.n || which.n > kMostOfAnyShape) return {side, side, side};
  if (which.n == 2) return {1, 0, 2};
  const std::uint64_t seed = mix(which.seed) + 1;  // a stream different from that of the values
  const std::uint64_t rows = 1 + random_below(seed, 0, std::min(which.n, kMostRows));
  return {rows, 1 + random_below(seed, 1, std::min(kMostInner, kMostProducts / which.n)), which.n / rows};
}

class MatmulProblem final : public Problem {
 public:
  explicit MatmulProblem(const Case& which)
      : case_(which),
        shape_(shape_of(which)),
        b_(shape_.inner * shape_.columns),
        c_(shape_.rows * shape_.columns),
        row_squares_(shape_.rows),
        column_squares_(shape_.columns) {
    for (std::uint64_t i = 0; i < b_.size(); ++i) {
      b_[i] = case_.data == "random" ? uniform(case_.seed ^ kB, i)
                                     : static_cast<float>(small(random_bits(case_.seed ^ kB, i), 3));
      column_squares_[i % shape_.columns] += square(b_[i]);
    }
  }

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    const std::size_t offset = case_.shift * sizeof(float);
    return {{.name = "a",
             .role = Role::input,
             .bytes = shape_.rows * shape_.inner * sizeof(float),
             .offset = offset,
             .patched = true},
            {.name = "b", .role = Role::input, .bytes = b_.size() * sizeof(float), .offset = offset},
            {.name = "c", .role = Role::output, .bytes = c_.size() * sizeof(float), .offset = offset}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    return {shape_.rows, shape_.inner, shape_.columns};
  }

  void fill(std::size_t buffer, std::span<std::byte> target) override {
    if (buffer == kB) {
      if (!b_.empty()) std::memcpy(target.data(), b_.data(), target.size());
      return;
    }
    const std::uint64_t pieces = (shape_.rows + kRowsAtATime - 1) / kRowsAtATime;
    in_parallel(pieces, std::thread::hardware_concurrency(), [&](std::size_t piece) {
      const std::uint64_t end = std::min((piece + 1) * kRowsAtATime, shape_.rows);
      for (std::uint64_t k = 0; k < shape_.inner;
           ++k) {  // a row of B serves all of them while it is in the cache
        for (std::uint64_t row = piece * kRowsAtATime; row < end; ++row) {
          const float a = a_at(case_.seed, row * shape_.inner + k);
          store_value(target, row * shape_.inner + k, a);
          row_squares_[row] += square(a);
          add_to_row(row, k, static_cast<double>(a));
        }
      }
    });
  }

  // Written so that NaN is rejected.
  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    for (std::uint64_t i = 0; i < c_.size(); ++i) {
      const auto got = load_value<float>(actual, i);
      const std::uint64_t row = i / shape_.columns;
      const std::uint64_t column = i % shape_.columns;
      const double tolerance = tolerance_at(row, column);
      if (std::abs(static_cast<double>(got) - c_[i]) <= tolerance) continue;
      return Mismatch{
          fmt::format("c({}, {}) is wrong (A is {} x {}, B is {} x {})", row, column, shape_.rows,
                      shape_.inner, shape_.inner, shape_.columns),
          tolerance == 0 ? fmt::format("{}", c_[i]) : fmt::format("{:.9g} +- {:.3g}", c_[i], tolerance),
          fmt::format("{}", got)};
    }
    return std::nullopt;
  }

  // Redraws elements of A: each changes a whole row of C.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    const std::uint64_t elements = shape_.rows * shape_.inner;
    for (std::size_t k = 0; k < count && elements > 0; ++k) {
      const std::uint64_t i = random_below(seed, k, elements);
      const auto before = load_value<float>(contents, i);
      const float after = a_at(mix(seed), i);
      const std::uint64_t row = i / shape_.inner;
      row_squares_[row] += square(after) - square(before);
      add_to_row(row, i % shape_.inner, static_cast<double>(after) - static_cast<double>(before));
      patches.push_back(patch_value(contents, i, after));
    }
    return patches;
  }

  [[nodiscard]] Work work() const override {
    Work work = Problem::work();
    work.operations = 2.0 * static_cast<double>(shape_.inner) * static_cast<double>(c_.size());
    return work;
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<MatmulProblem>(*this);
  }

 private:
  static double square(float value) { return static_cast<double>(value) * static_cast<double>(value); }
  static int small(std::uint64_t bits, int most) {
    return static_cast<int>((bits >> 32) % static_cast<std::uint64_t>(2 * most + 1)) - most;
  }
  static float uniform(std::uint64_t seed, std::uint64_t i) {
    return static_cast<float>(static_cast<std::int32_t>(random_bits(seed, i))) * 0x1p-31F;
  }

  // In class "exact", with |b| <= 3, a row's small elements contribute less than 2^23 to the sum of |a b| up
  // to an inner dimension of 2^16, and a row has at most about 64 large elements.
  [[nodiscard]] float a_at(std::uint64_t seed, std::uint64_t i) const {
    if (case_.data == "random") return uniform(seed, i);
    const std::uint64_t bits = random_bits(seed, i);
    const std::uint64_t large_one_in = std::max<std::uint64_t>(64, shape_.inner / 64);
    if (bits % large_one_in != 0) return static_cast<float>(small(bits, 31));
    const int large = static_cast<int>(4097 + (bits >> 32) % 4096) | 1;
    return static_cast<float>((bits >> 63) != 0 ? -large : large);
  }

  // Adds to C the effect of adding `a` to element (row, k) of A.
  void add_to_row(std::uint64_t row, std::uint64_t k, double a) {
    double* c = c_.data() + row * shape_.columns;
    const float* b = b_.data() + k * shape_.columns;
    for (std::uint64_t column = 0; column < shape_.columns; ++column)
      c[column] += a * static_cast<double>(b[column]);
  }

  [[nodiscard]] double tolerance_at(std::uint64_t row, std::uint64_t column) const {
    if (case_.data == "exact") return 0;
    const double norms = std::sqrt(std::max(row_squares_[row], 0.0) * column_squares_[column]);
    return static_cast<double>(shape_.inner) * kUnit * norms;
  }

  Case case_;
  Shape shape_;
  std::vector<float> b_;
  std::vector<double> c_;  // expected; updated when A changes
  std::vector<double> row_squares_;
  std::vector<double> column_squares_;
};

class MatmulAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return type == "float" ? std::vector<std::string>{"exact", "random"} : std::vector<std::string>{};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return std::make_unique<MatmulProblem>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "float" ? sizeof(float) : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
  [[nodiscard]] std::span<const HostVersion> host_versions() const override { return matmul_on_the_cpu(); }
  [[nodiscard]] LadderPowers ladder_powers() const override { return {10, 24}; }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<MatmulAssignment>();
}

}  // namespace warpmark::matmul
