// warmup: adds p to every element. Exact for both types: a single addition has exactly one right result.
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/random.h"

namespace warpmark::warmup {
namespace {

template <class T>
class WarmupProblem final : public Problem {
 public:
  explicit WarmupProblem(const Case& which) : case_(which), p_(value_at(~std::uint64_t{0})) {}

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "values",
             .role = Role::in_out,
             .bytes = case_.n * sizeof(T),
             .offset = case_.shift * sizeof(T)}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &p_, sizeof p_);
    return {case_.n, bits};
  }

  void fill(std::size_t /*buffer*/, std::span<std::byte> target) override {
    for (std::uint64_t i = 0; i < case_.n; ++i) {
      const T value = value_at(i);
      std::memcpy(target.data() + i * sizeof value, &value, sizeof value);
    }
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    for (std::uint64_t i = 0; i < case_.n; ++i) {
      const T expected = sum(value_at(i), p_);
      T got;
      std::memcpy(&got, actual.data() + i * sizeof got, sizeof got);
      if (got == expected) continue;  // a single rounding, so the result is exact
      const bool unchanged = got == value_at(i);
      return Mismatch{
          fmt::format("values[{}] is wrong{}", i, unchanged ? ": it still holds what it held before" : ""),
          fmt::format("{}", expected), fmt::format("{}", got)};
    }
    return std::nullopt;
  }

  std::vector<Patch> patch(std::uint64_t /*seed*/, std::size_t /*count*/,
                           std::span<std::byte> /*contents*/) override {
    return {};  // no buffer is patched, because no version is timed
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<WarmupProblem>(*this);
  }

 private:
  // Floats are multiples of 2^-8 below 2^12, so that the sum of any two is exact.
  [[nodiscard]] T value_at(std::uint64_t i) const {
    const auto bits = static_cast<std::uint32_t>(random_bits(case_.seed, i));
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(static_cast<std::int32_t>(bits) >> 11) / T{256};
    } else {
      return std::bit_cast<T>(bits);
    }
  }

  static T sum(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a + b;
    } else {
      using Unsigned = std::make_unsigned_t<T>;  // CUDA's ints wrap
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    }
  }

  Case case_;
  T p_;
};

class WarmupAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return value_bytes(type) == 0 ? std::vector<std::string>{} : std::vector<std::string>{"random"};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    if (which.type == "float") return std::make_unique<WarmupProblem<float>>(which);
    return std::make_unique<WarmupProblem<std::int32_t>>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "int" || type == "float" ? 4 : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
  // Elements are independent: listing the wrong ones is a sufficient explanation.
  [[nodiscard]] std::optional<Explanation> explain(const Case& which, Experiment& experiment) const override;
};

constexpr std::array kSizes{1, 2, 32, 33, 255, 256, 257, 1023, 1025, 4097};

// Returns the smallest size that is answered wrongly, with its answer.
std::optional<std::pair<Case, Experiment::Regular>> smallest_wrong(const Case& which,
                                                                   Experiment& experiment) {
  const auto wrong_at = [&](std::uint64_t n) -> std::optional<std::pair<Case, Experiment::Regular>> {
    Case smaller = which;
    smaller.n = n;
    auto tried = experiment.regular(smaller);
    if (!tried || !tried->problem->check(0, tried->answer)) return std::nullopt;
    return std::pair(smaller, std::move(*tried));
  };
  for (const int n : kSizes) {
    if (static_cast<std::uint64_t>(n) >= which.n) break;
    if (auto found = wrong_at(static_cast<std::uint64_t>(n))) return found;
  }
  return wrong_at(which.n);
}

std::optional<Explanation> WarmupAssignment::explain(const Case& which, Experiment& experiment) const {
  const auto smallest = smallest_wrong(which, experiment);
  if (!smallest) return std::nullopt;
  const auto& [found, tried] = *smallest;
  const std::size_t bytes = value_bytes(found.type);
  const auto same = [&](std::uint64_t i) {
    return std::memcmp(tried.answer.data() + i * bytes, tried.input.data() + i * bytes, bytes) == 0;
  };
  const auto mismatch = tried.problem->check(0, tried.answer);
  std::uint64_t first = 0;
  if (std::sscanf(mismatch->what.c_str(), "values[%lu]", &first) != 1) return std::nullopt;
  std::uint64_t last = first;
  while (same(first) && last + 1 < found.n && same(last + 1)) ++last;
  const std::string which_values =
      last == first ? fmt::format("values[{}]", first) : fmt::format("values[{}] to values[{}]", first, last);
  const std::string end =
      last + 1 == found.n && first > 0
          ? fmt::format(", the last {}of {} values,",
                        last == first ? "" : fmt::format("{} ", last - first + 1), found.n)
          : "";
  const std::string what = same(first)
                               ? fmt::format("{}{} still hold{} what {} held before the call", which_values,
                                             end, last == first ? "s" : "", last == first ? "it" : "they")
                               : fmt::format("{}{} is not what it held plus p", which_values, end);
  return Explanation{what, found, mismatch->expected, mismatch->actual,
                     Explanation::Elements{first, last, same(first)}};
}

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<WarmupAssignment>();
}

}  // namespace warpmark::warmup
