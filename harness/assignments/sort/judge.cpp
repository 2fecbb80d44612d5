// sort: pairs and their order. A stable sort has exactly one right answer, compared bit by bit.
// | Data classes: "random"; "few", one to four distinct keys; "sorted", "reversed" and "keys", int only;
// "special", float only: NaNs of both signs, infinities and both zeros. "keys" has random keys without
// values.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"

namespace warpmark::sort {
namespace {

// Buffer indices, in the adapter's order.
constexpr std::size_t kKeys = 0;
constexpr std::size_t kValues = 1;
constexpr std::size_t kSortedKeys = 2;

// Maps keys to unsigned numbers in the contract's order; equal keys map to equal numbers.
std::uint32_t ordered(std::int32_t key) {
  return static_cast<std::uint32_t>(key) ^ 0x80000000U;
}
std::uint32_t ordered(float key) {
  if (key != key) return 0xffffffffU;
  const auto bits = std::bit_cast<std::uint32_t>(key == 0 ? 0.0F : key);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

float special_key(std::uint64_t bits) {
  using Limits = std::numeric_limits<float>;
  const std::array kinds{
      Limits::quiet_NaN(),  -Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 0.0F, -0.0F,
      Limits::denorm_min(), Limits::max()};
  if (bits % 2 == 0) return kinds[(bits >> 32) % kinds.size()];
  return static_cast<float>(static_cast<std::int32_t>(bits >> 32)) * 0x1p-31F;
}

template <class T>
T key_at(const Case& which, std::uint64_t seed, std::uint64_t i) {
  const std::uint64_t bits = random_bits(seed, i);
  const auto high = static_cast<std::uint32_t>(bits >> 32);
  if (which.data == "few") {
    const std::uint64_t different = 1 + mix(which.seed) % 4;
    return static_cast<T>(static_cast<int>(high % different) * 7 - 8);
  }
  if constexpr (std::is_same_v<T, float>) {
    if (which.data == "special") return special_key(bits);
    return static_cast<float>(static_cast<std::int32_t>(high)) * 0x1p-20F;
  } else {
    if (which.data == "sorted") return static_cast<T>(i * 2 + high % 2);
    if (which.data == "reversed") return static_cast<T>((which.n - i) * 2 + high % 2);
    return static_cast<T>(high);
  }
}

template <class T>
class SortProblem final : public Problem {
 public:
  explicit SortProblem(const Case& which) : case_(which), keys_(which.n), order_(which.n) {
    for (std::uint64_t i = 0; i < which.n; ++i) {
      keys_[i] = key_at<T>(which, which.seed, i);
      order_[i] = place(i);
    }
    std::sort(order_.begin(), order_.end());
  }

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    const std::size_t bytes = case_.n * sizeof(T);
    const std::size_t offset = case_.shift * sizeof(T);
    const std::size_t value_bytes = keys_alone() ? 0 : bytes;
    return {{.name = "keys", .role = Role::input, .bytes = bytes, .offset = offset, .patched = true},
            {.name = "values", .role = Role::input, .bytes = value_bytes, .offset = offset},
            {.name = "sorted_keys", .role = Role::output, .bytes = bytes, .offset = offset},
            {.name = "sorted_values", .role = Role::output, .bytes = value_bytes, .offset = offset},
            {.name = "work", .role = Role::scratch, .bytes = workspace_count() * sizeof(std::uint64_t)}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    return {case_.n, workspace_count(), keys_alone() ? 1U : 0U};
  }

  void fill(std::size_t buffer, std::span<std::byte> target) override {
    for (std::uint64_t i = 0; i < case_.n; ++i) {
      if (buffer == kKeys) store_value(target, i, keys_[i]);
      if (buffer == kValues && !keys_alone()) store_value(target, i, value_at(i));
    }
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    if (buffer != kSortedKeys && keys_alone()) return std::nullopt;
    for (std::uint64_t i = 0; i < case_.n; ++i) {
      const std::uint64_t from = order_[i] & 0xffffffffU;
      if (buffer == kSortedKeys) {
        const auto got = load_value<std::uint32_t>(actual, i);
        if (got == std::bit_cast<std::uint32_t>(keys_[from])) continue;
        return Mismatch{fmt::format("sorted_keys[{}] is wrong", i), fmt::format("{}", keys_[from]),
                        fmt::format("{}", std::bit_cast<T>(got))};
      }
      const auto got = load_value<std::uint32_t>(actual, i);
      if (got == value_at(from)) continue;
      return Mismatch{
          fmt::format("sorted_values[{}] is wrong: its key {} came from keys[{}]{}", i, keys_[from], from,
                      has_equals(i) ? ", and pairs of equal keys keep their order" : ""),
          fmt::format("{}", value_at(from)), fmt::format("{}", got)};
    }
    return std::nullopt;
  }

  // Replaces the keys at some places, which moves their pairs.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    for (std::size_t k = 0; k < count && case_.n > 0; ++k) {
      const std::uint64_t i = random_below(seed, k, case_.n);
      order_.erase(std::lower_bound(order_.begin(), order_.end(), place(i)));
      keys_[i] = key_at<T>(case_, mix(seed), i);
      order_.insert(std::lower_bound(order_.begin(), order_.end(), place(i)), place(i));
      patches.push_back(patch_value(contents, i, keys_[i]));
    }
    return patches;
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<SortProblem>(*this);
  }

 private:
  // The size that the contract promises.
  [[nodiscard]] std::uint64_t workspace_count() const { return 3 * case_.n + 16384; }

  [[nodiscard]] bool keys_alone() const { return case_.data == "keys"; }
  [[nodiscard]] std::uint32_t value_at(std::uint64_t i) const {
    return static_cast<std::uint32_t>(random_bits(~case_.seed, i));
  }
  // Sort key of pair i: its key, then its position.
  [[nodiscard]] std::uint64_t place(std::uint64_t i) const {
    return std::uint64_t{ordered(keys_[i])} << 32 | i;
  }
  [[nodiscard]] bool has_equals(std::uint64_t i) const {
    const auto same = [&](std::uint64_t j) { return order_[i] >> 32 == order_[j] >> 32; };
    return (i > 0 && same(i - 1)) || (i + 1 < case_.n && same(i + 1));
  }

  Case case_;
  std::vector<T> keys_;
  std::vector<std::uint64_t> order_;  // place() of all pairs, sorted; the low half of each is a position
};

class SortAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "int") return {"random", "few", "sorted", "reversed", "keys"};
    if (type == "float") return {"random", "few", "special"};
    return {};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    if (which.type == "float") return std::make_unique<SortProblem<float>>(which);
    return std::make_unique<SortProblem<std::int32_t>>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "int" || type == "float" ? 4 : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
  [[nodiscard]] LadderPowers ladder_powers() const override { return {10, 26}; }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<SortAssignment>();
}

}  // namespace warpmark::sort
