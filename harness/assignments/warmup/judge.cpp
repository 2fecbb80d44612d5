// warmup: adds p to every element. Exact for both types: one addition has one right answer.
#include <bit>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/random.h"

namespace warpmark {
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
      if (got == expected) continue;  // rounded once, so that it is exact
      const bool unchanged = got == value_at(i);
      return Mismatch{
          fmt::format("values[{}] is wrong{}", i, unchanged ? ": it still holds what it held before" : ""),
          fmt::format("{}", expected), fmt::format("{}", got)};
    }
    return std::nullopt;
  }

  std::vector<Patch> patch(std::uint64_t /*seed*/, std::size_t /*count*/,
                           std::span<std::byte> /*contents*/) override {
    return {};  // no buffer is patched: no version is timed
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<WarmupProblem>(*this);
  }

 private:
  // Floats that are multiples of 2^-8 below 2^12: the sum of any two is exact, on any hardware.
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
};

}  // namespace

std::unique_ptr<Assignment> make_warmup_assignment();
std::unique_ptr<Assignment> make_warmup_assignment() {
  return std::make_unique<WarmupAssignment>();
}

}  // namespace warpmark
