// segmented: segment lengths, values, and the sum of each segment.
// | Data classes: "even", lengths from 0 to 126; "skewed", half of the values in one segment and the rest in
// many short or empty ones; "single", one segment with a few empty ones before and after it. Without values,
// "even" has no segments and the others have empty ones. In these classes floats are small integers and a few
// larger odd ones, with sum |x| below 2^24: every partial sum in every order is exact, and the answer is
// compared with ==. "random", float only: skewed, uniform in [-1, 1]; |error| <= 8 u sqrt(k sum x^2) for a
// segment of k values with u = 2^-24, the bound of `reduction`.
#include <algorithm>
#include <cmath>
#include <thread>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"
#include "harness/assignments/segmented/host.h"
#include "harness/base/parallel.h"

namespace warpmark::segmented {
namespace {

constexpr std::uint64_t kPiece = 1 << 22;  // values generated per piece
constexpr double kUnit = 0x1p-24;

// Appends segments of lengths drawn by `length` until they hold n values.
template <class Length>
void append_until(std::vector<std::uint32_t>& offsets, std::uint64_t n, const Length& length) {
  while (offsets.back() < n) {
    const std::uint64_t end = std::min<std::uint64_t>(offsets.back() + length(offsets.size()), n);
    offsets.push_back(static_cast<std::uint32_t>(end));
  }
}

std::uint64_t skewed_length(std::uint64_t bits) {
  if (bits % 8 < 4) return 0;
  return bits % 64 < 63 ? 1 + (bits >> 8) % 8 : 100 + (bits >> 8) % 1000;
}

std::vector<std::uint32_t> offsets_of(const Case& which) {
  const std::uint64_t seed = mix(which.seed) + 1;  // a stream different from that of the values
  std::vector<std::uint32_t> offsets{0};
  const auto append_empty = [&](std::uint64_t counter) {
    offsets.insert(offsets.end(), random_below(seed, ~counter, 4), offsets.back());
  };
  if (which.n == 0) {
    offsets.resize(which.data == "even" ? 1 : 4);
    return offsets;
  }
  append_empty(0);
  if (which.data == "even") {
    append_until(offsets, which.n, [&](std::size_t s) { return random_below(seed, s, 127); });
  } else if (which.data == "single") {
    append_until(offsets, which.n, [&](std::size_t) { return which.n; });
  } else {
    const auto draw = [&](std::size_t s) { return skewed_length(random_bits(seed, s)); };
    append_until(offsets, random_below(seed, ~std::uint64_t{2}, which.n / 2 + 1), draw);
    offsets.push_back(offsets.back() + static_cast<std::uint32_t>(which.n / 2));
    append_until(offsets, which.n, draw);
  }
  append_empty(1);
  return offsets;
}

// The expected sum of one segment, updated when values change.
class IntegerSegment {
 public:
  using Value = std::int32_t;
  static Value make(const Case& which, std::uint64_t i) {
    return static_cast<Value>(static_cast<std::uint32_t>(random_bits(which.seed, i)));
  }
  void add(Value value) { sum_ += static_cast<std::uint32_t>(value); }
  void remove(Value value) { sum_ -= static_cast<std::uint32_t>(value); }
  [[nodiscard]] Value value() const { return static_cast<Value>(sum_); }
  [[nodiscard]] double tolerance(const Case& /*which*/, std::uint64_t /*count*/) const { return 0; }

 private:
  std::uint32_t sum_ = 0;
};

class FloatSegment {
 public:
  using Value = float;
  static Value make(const Case& which, std::uint64_t i) {
    const std::uint64_t bits = random_bits(which.seed, i);
    if (which.data == "random") return static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-31F;
    const int sign = (bits & 1) != 0 ? 1 : -1;
    const std::uint64_t draw = bits >> 32;
    // The large ones sum to at most 2^22, the others to at most 2^23.
    if (draw % std::max<std::uint64_t>(256, which.n / 512) == 0) {
      return static_cast<float>(sign * static_cast<int>((4097 + (bits >> 8) % 4096) | 1));
    }
    if ((draw >> 8) % std::max<std::uint64_t>(2, which.n >> 20) != 0) return 0;
    return static_cast<float>(sign * static_cast<int>(1 + (bits >> 8) % 3));
  }
  void add(Value value) {
    sum_ += static_cast<double>(value);
    squares_ += static_cast<double>(value) * static_cast<double>(value);
  }
  void remove(Value value) {
    sum_ -= static_cast<double>(value);
    squares_ -= static_cast<double>(value) * static_cast<double>(value);
  }
  [[nodiscard]] double value() const { return sum_; }
  [[nodiscard]] double tolerance(const Case& which, std::uint64_t count) const {
    if (which.data != "random") return 0;
    return 8 * kUnit * std::sqrt(static_cast<double>(count) * std::max(squares_, 0.0));
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
};

template <class Sum>
class SegmentedProblem final : public Problem {
  using T = typename Sum::Value;

 public:
  explicit SegmentedProblem(const Case& which)
      : case_(which), offsets_(offsets_of(which)), sums_(offsets_.size() - 1) {}

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "values",
             .role = Role::input,
             .bytes = case_.n * sizeof(T),
             .offset = case_.shift * sizeof(T),
             .patched = true},
            {.name = "offsets",
             .role = Role::input,
             .bytes = offsets_.size() * sizeof offsets_[0],
             .offset = case_.shift * sizeof offsets_[0]},
            {.name = "sums",
             .role = Role::output,
             .bytes = sums_.size() * sizeof(T),
             .offset = case_.shift * sizeof(T)},
            {.name = "work", .role = Role::scratch, .bytes = workspace_count() * sizeof(T)}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    return {case_.n, sums_.size(), workspace_count()};
  }

  void fill(std::size_t buffer, std::span<std::byte> target) override {
    if (buffer == 1) {
      std::memcpy(target.data(), offsets_.data(), target.size());
      return;
    }
    in_parallel((case_.n + kPiece - 1) / kPiece, std::thread::hardware_concurrency(), [&](std::size_t piece) {
      const std::uint64_t end = std::min((piece + 1) * kPiece, case_.n);
      for (std::uint64_t i = piece * kPiece; i < end; ++i) store_value(target, i, Sum::make(case_, i));
    });
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      for (std::uint64_t i = offsets_[s]; i < offsets_[s + 1]; ++i) sums_[s].add(load_value<T>(target, i));
    }
  }

  // Written so that NaN is rejected.
  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    for (std::size_t s = 0; s < sums_.size(); ++s) {
      const T got = load_value<T>(actual, s);
      const std::uint64_t count = offsets_[s + 1] - offsets_[s];
      const double tolerance = sums_[s].tolerance(case_, count);
      const double error = static_cast<double>(got) - static_cast<double>(sums_[s].value());
      if (std::abs(error) <= tolerance) continue;
      return Mismatch{fmt::format("sums[{}] is wrong: segment {} of {} holds {} values, from values[{}] on",
                                  s, s, sums_.size(), count, offsets_[s]),
                      tolerance == 0
                          ? fmt::format("{}", sums_[s].value())
                          : fmt::format("{:.9g} +- {:.3g}", static_cast<double>(sums_[s].value()), tolerance),
                      fmt::format("{}", got)};
    }
    return std::nullopt;
  }

  // New values belong to the same data class as the old ones.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    if (case_.n == 0) return patches;
    Case other = case_;
    other.seed = mix(seed);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t i = random_below(seed, k, case_.n);
      // The first offset beyond i ends the segment that contains i; empty segments end at or before i.
      const auto end = std::upper_bound(offsets_.begin(), offsets_.end(), i);
      Sum& sum = sums_[static_cast<std::size_t>(end - offsets_.begin()) - 1];
      const T value = Sum::make(other, i);
      sum.remove(load_value<T>(contents, i));
      sum.add(value);
      patches.push_back(patch_value(contents, i, value));
    }
    return patches;
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<SegmentedProblem>(*this);
  }

 private:
  // The size that the contract promises.
  [[nodiscard]] std::uint64_t workspace_count() const { return case_.n / 64 + 4096; }

  Case case_;
  std::vector<std::uint32_t> offsets_;
  std::vector<Sum> sums_;
};

class SegmentedAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "int") return {"even", "skewed", "single"};
    if (type == "float") return {"even", "skewed", "random"};
    return {};
  }
  // `clean` runs few cases. These two classes of data have what goes wrong in segmented sums: segments that
  // span hundreds of blocks, and empty segments.
  [[nodiscard]] std::vector<std::string> clean_classes(std::string_view type) const override {
    if (value_bytes(type) == 0) return {};
    return {"even", "skewed"};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    if (which.type == "float") return std::make_unique<SegmentedProblem<FloatSegment>>(which);
    return std::make_unique<SegmentedProblem<IntegerSegment>>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "int" || type == "float" ? 4 : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_sum"; }
  [[nodiscard]] std::span<const HostVersion> host_versions() const override { return segmented_on_the_cpu(); }
  [[nodiscard]] LadderPowers ladder_powers() const override { return {10, 28}; }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<SegmentedAssignment>();
}

}  // namespace warpmark::segmented
