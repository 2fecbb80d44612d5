// grids: b = a + x y^T for matrices of many shapes; the padding of b must be unchanged.
// | Data classes are shapes: "square"; "rectangle", up to 1000 columns; "line", one row; "column", one
// column. Their results are exact (ints wrap around; floats are integers below 2^24) and compared with ==.
// "random", float only, is a rectangle of values in [-1, 1]: the product may be rounded or not, so |error| <=
// u (|x y| + |b|) with u = 2^-24, plus a little for the rounding of that bound.
// | The square's rows start at multiples of 128 bytes, as with cudaMallocPitch; all others have padding that
// depends on the seed, possibly none.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <thread>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/grids/host.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark::grids {
namespace {

constexpr std::uint64_t kPiece = 1 << 18;  // values generated or compared per piece
constexpr std::uint64_t kAligned = 32;     // 4-byte values per 128 bytes
constexpr std::uint64_t kMostColumns = 1000;
constexpr std::uint64_t kMostPadding = 9;
constexpr double kUnit = 0x1p-24 * 1.001;

// The buffers, in the order of the adapter.
constexpr std::size_t kA = 0;
constexpr std::size_t kX = 1;
constexpr std::size_t kY = 2;
constexpr std::size_t kB = 3;

struct Shape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t a_pitch = 0;
  std::uint64_t b_pitch = 0;
};

std::uint64_t values_in(const Shape& shape, std::uint64_t pitch) {
  return shape.rows == 0 || shape.columns == 0 ? 0 : (shape.rows - 1) * pitch + shape.columns;
}

Shape shape_of(const Case& which) {
  const std::uint64_t seed = mix(which.seed) + 1;  // a stream different from that of the values
  Shape shape;
  if (which.data == "square") {
    shape.rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(which.n)));
    shape.columns = shape.rows;
    shape.a_pitch = (shape.columns + kAligned - 1) / kAligned * kAligned;
    shape.b_pitch = shape.a_pitch + kAligned;
    return shape;
  }
  if (which.data == "line") {
    shape.columns = which.n;
    shape.rows = 1;
  } else {
    shape.columns =
        which.data == "column" ? 1 : 1 + random_below(seed, 0, std::min(which.n + 1, kMostColumns));
    shape.rows = which.n / shape.columns;
  }
  shape.a_pitch = shape.columns + random_below(seed, 1, kMostPadding);
  shape.b_pitch = shape.columns + random_below(seed, 2, kMostPadding);
  return shape;
}

// The initial contents of b: NaN as a float, a large number as an int, different at each place.
std::uint32_t before_the_call(const Case& which, std::uint64_t i) {
  return 0x7fc00000U | static_cast<std::uint32_t>(random_bits(which.seed ^ kB, i) & 0x3fffffU);
}

template <class T>
class GridsProblem final : public Problem {
 public:
  explicit GridsProblem(const Case& which)
      : case_(which), shape_(shape_of(which)), x_(shape_.rows), y_(shape_.columns) {
    for (std::uint64_t r = 0; r < x_.size(); ++r) x_[r] = factor(which.seed, kX, r);
    for (std::uint64_t c = 0; c < y_.size(); ++c) y_[c] = factor(which.seed, kY, c);
  }

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    const std::size_t offset = case_.shift * sizeof(T);
    return {
        {.name = "a",
         .role = Role::input,
         .bytes = values_in(shape_, shape_.a_pitch) * sizeof(T),
         .offset = offset},
        {.name = "x", .role = Role::input, .bytes = x_.size() * sizeof(T), .offset = offset},
        {.name = "y", .role = Role::input, .bytes = y_.size() * sizeof(T), .offset = offset, .patched = true},
        {.name = "b",
         .role = Role::in_out,
         .bytes = values_in(shape_, shape_.b_pitch) * sizeof(T),
         .offset = offset}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    return {shape_.rows, shape_.columns, shape_.a_pitch, shape_.b_pitch};
  }

  void fill(std::size_t buffer, std::span<std::byte> target) override {
    if (buffer == kX && !x_.empty()) std::memcpy(target.data(), x_.data(), target.size());
    if (buffer == kY && !y_.empty()) std::memcpy(target.data(), y_.data(), target.size());
    if (buffer != kA && buffer != kB) return;
    if (buffer == kB && is_exact()) right_.resize(target.size() / sizeof(T));
    in_pieces(target.size() / sizeof(T), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        if (buffer == kA) store_value(target, i, a_at(i));
        if (buffer == kB) store_value(target, i, before_the_call(case_, i));
        if (buffer == kB && is_exact()) right_[i] = right_at(i);
      }
    });
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    return check_part(buffer, 0, actual);
  }
  [[nodiscard]] bool checks_parts(std::size_t buffer) const override { return buffer == kB; }
  [[nodiscard]] std::optional<Mismatch> check_part(std::size_t /*buffer*/, std::size_t offset,
                                                   std::span<const std::byte> part) const override {
    const std::uint64_t from = offset / sizeof(T);
    // Comparison with the stored answer: recomputing 16 MB took 15 ms, this takes 2 ms.
    if (!right_.empty() && std::memcmp(part.data(), &right_[from], part.size()) == 0) return std::nullopt;
    std::atomic<std::uint64_t> first = part.size() / sizeof(T);  // first wrong place
    in_pieces(first, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end && i < first; ++i) {
        if (is_right(part, i, from + i)) continue;
        for (std::uint64_t seen = first; i < seen && !first.compare_exchange_weak(seen, i);) continue;
        return;
      }
    });
    if (first == part.size() / sizeof(T)) return std::nullopt;
    return mismatch_at(part, first, from + first);
  }

  // Replaces the factors of some columns: each changes a value in every row.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    for (std::size_t k = 0; k < count && !y_.empty(); ++k) {
      const std::uint64_t c = random_below(seed, k, y_.size());
      y_[c] = factor(mix(seed), kY, c);
      patches.push_back(patch_value(contents, c, y_[c]));
      for (std::uint64_t i = c; i < right_.size(); i += shape_.b_pitch) right_[i] = right_at(i);
    }
    return patches;
  }

  // Padding is neither read nor written, and b is not read.
  [[nodiscard]] Work work() const override {
    return {static_cast<double>((2 * shape_.rows * shape_.columns + x_.size() + y_.size()) * sizeof(T))};
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<GridsProblem>(*this);
  }

 private:
  template <class Work>
  static void in_pieces(std::uint64_t count, const Work& work) {
    in_parallel((count + kPiece - 1) / kPiece, std::thread::hardware_concurrency(),
                [&](std::size_t piece) { work(piece * kPiece, std::min((piece + 1) * kPiece, count)); });
  }

  [[nodiscard]] T value(std::uint64_t bits, int exact_digits) const {
    if constexpr (std::is_same_v<T, float>) {
      const auto wide = static_cast<std::int32_t>(bits >> 32);
      return case_.data == "random" ? static_cast<float>(wide) * 0x1p-31F
                                    : static_cast<float>(wide >> (31 - exact_digits));
    } else {
      return static_cast<T>(static_cast<std::uint32_t>(bits));
    }
  }
  // For exact floats, a has 20 bits and a factor 11, so that all results stay below 2^24.
  [[nodiscard]] T a_at(std::uint64_t i) const { return value(random_bits(case_.seed ^ kA, i), 20); }
  [[nodiscard]] T factor(std::uint64_t seed, std::size_t which, std::uint64_t i) const {
    return value(random_bits(seed ^ which, i), 11);
  }

  [[nodiscard]] bool is_exact() const { return case_.data != "random"; }
  // The bits of b after a correct call; only where exactly one answer is right.
  [[nodiscard]] std::uint32_t right_at(std::uint64_t i) const {
    const auto [row, column] = place_of(i);
    if (column >= shape_.columns) return before_the_call(case_, i);
    return std::bit_cast<std::uint32_t>(sum(a_at(row * shape_.a_pitch + column), row, column));
  }

  struct Cell {
    std::uint64_t row;
    std::uint64_t column;
  };
  [[nodiscard]] Cell place_of(std::uint64_t i) const { return {i / shape_.b_pitch, i % shape_.b_pitch}; }

  // part[i] is b's value number `at`.
  [[nodiscard]] bool is_right(std::span<const std::byte> part, std::uint64_t i, std::uint64_t at) const {
    const auto [row, column] = place_of(at);
    if (column >= shape_.columns) return load_value<std::uint32_t>(part, i) == before_the_call(case_, at);
    const T got = load_value<T>(part, i);
    const T a = a_at(row * shape_.a_pitch + column);
    if constexpr (std::is_same_v<T, float>) {
      const double product = static_cast<double>(x_[row]) * static_cast<double>(y_[column]);
      const double sum = static_cast<double>(a) + product;
      const double bound = is_exact() ? 0 : kUnit * (std::abs(product) + std::abs(sum));
      return std::abs(static_cast<double>(got) - sum) <= bound;  // written so that NaN is rejected
    } else {
      return got == sum(a, row, column);
    }
  }

  // In the value type's arithmetic: int wraps modulo 2^32.
  [[nodiscard]] T sum(T a, std::uint64_t row, std::uint64_t column) const {
    if constexpr (std::is_same_v<T, float>) {
      return a + x_[row] * y_[column];
    } else {
      return static_cast<T>(static_cast<std::uint32_t>(a) +
                            static_cast<std::uint32_t>(x_[row]) * static_cast<std::uint32_t>(y_[column]));
    }
  }

  [[nodiscard]] Mismatch mismatch_at(std::span<const std::byte> part, std::uint64_t i,
                                     std::uint64_t at) const {
    const auto [row, column] = place_of(at);
    const std::string where = fmt::format(" (b has {} rows of {} columns, and a pitch of {})", shape_.rows,
                                          shape_.columns, shape_.b_pitch);
    const auto bits = load_value<std::uint32_t>(part, i);
    if (column >= shape_.columns) {
      return {fmt::format("the padding behind row {} was written to{}", row, where),
              fmt::format("{:#x}", before_the_call(case_, at)), fmt::format("{:#x}", bits)};
    }
    const bool untouched = bits == before_the_call(case_, at);
    return {fmt::format("b({}, {}) {}{}", row, column, untouched ? "was not written" : "is wrong", where),
            fmt::format("{}", sum(a_at(row * shape_.a_pitch + column), row, column)),
            fmt::format("{}", load_value<T>(part, i))};
  }

  Case case_;
  Shape shape_;
  std::vector<T> x_;
  std::vector<T> y_;
  std::vector<std::uint32_t> right_;  // right_at() of all places, updated when y changes; or empty
};

class GridsAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "int") return {"square", "rectangle", "line", "column"};
    if (type == "float") return {"square", "rectangle", "random", "line", "column"};
    return {};
  }
  // Rows are aligned in squares and mostly unaligned in rectangles.
  [[nodiscard]] std::vector<std::string> clean_classes(std::string_view type) const override {
    if (value_bytes(type) == 0) return {};
    return {"square", "rectangle"};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    if (which.type == "float") return std::make_unique<GridsProblem<float>>(which);
    return std::make_unique<GridsProblem<std::int32_t>>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "int" || type == "float" ? 4 : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
  [[nodiscard]] std::span<const HostVersion> host_versions() const override { return grids_on_the_cpu(); }
  [[nodiscard]] LadderPowers ladder_powers() const override { return {10, 26}; }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<GridsAssignment>();
}

}  // namespace warpmark::grids
