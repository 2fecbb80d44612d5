// extremes: inputs and expected answers. Nothing is rounded, so every answer is compared with ==.
// | "random": values of both signs, all positive or all negative, depending on the seed: a version that
// starts from 0 fails in two of the three cases. "ties": a few distinct values, in float including both
// zeros, which for two of three seeds are the least or the greatest: the first one counts. "special", float
// only: NaNs, infinities and denormals; for some seeds only NaNs, or only one of the infinities.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/extremes/host.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark::extremes {
namespace {

constexpr std::uint64_t kPiece = 1 << 22;  // values per thread and piece
constexpr std::uint64_t kSmall = 4096;     // up to this size the answer is recomputed after a patch
constexpr std::uint64_t kNewPlaces = 4;    // values written per patch: two lows, two highs

// Same layout as the contract's Extremes.
template <class T>
struct Extremes {
  using Limits = std::numeric_limits<T>;
  T least = Limits::has_infinity ? Limits::infinity() : Limits::max();
  T greatest = Limits::has_infinity ? -Limits::infinity() : Limits::min();
  std::uint64_t least_at = 0;
  std::uint64_t greatest_at = 0;

  explicit Extremes(std::uint64_t none = 0) : least_at(none), greatest_at(none) {}

  void add(T value, std::uint64_t at) {
    if (value < least || (value == least && at < least_at)) {
      least = value;
      least_at = at;
    }
    if (value > greatest || (value == greatest && at < greatest_at)) {
      greatest = value;
      greatest_at = at;
    }
  }
  void add(const Extremes& other) {
    if (other.least < least || (other.least == least && other.least_at < least_at)) {
      least = other.least;
      least_at = other.least_at;
    }
    if (other.greatest > greatest || (other.greatest == greatest && other.greatest_at < greatest_at)) {
      greatest = other.greatest;
      greatest_at = other.greatest_at;
    }
  }
};
static_assert(sizeof(Extremes<float>) == 24);

template <class T>
Extremes<T> extremes_of(std::span<const std::byte> contents, std::uint64_t n) {
  std::vector<Extremes<T>> pieces((n + kPiece - 1) / kPiece, Extremes<T>(n));
  in_parallel(pieces.size(), std::thread::hardware_concurrency(), [&](std::size_t piece) {
    Extremes<T> found(n);
    const std::uint64_t end = std::min((piece + 1) * kPiece, n);
    for (std::uint64_t i = piece * kPiece; i < end; ++i) found.add(load_value<T>(contents, i), i);
    pieces[piece] = found;
  });
  Extremes<T> all(n);
  for (const auto& piece : pieces) all.add(piece);
  return all;
}

// In class "random", ints stay in the middle half of their range and floats within [-1, 1], so that a patch
// can exceed them.
std::int32_t random_value(std::uint64_t seed, std::uint64_t bits, std::int32_t /*type*/) {
  const auto value = static_cast<std::int32_t>(bits >> 32) >> 1;
  if (seed % 3 == 0) return value;
  const std::int32_t magnitude = std::max(1, value & 0x3fffffff);
  return seed % 3 == 1 ? magnitude : -magnitude;
}
float random_value(std::uint64_t seed, std::uint64_t bits, float /*type*/) {
  const float value = static_cast<float>(static_cast<std::int32_t>(bits >> 32)) * 0x1p-31F;
  if (seed % 3 == 0) return value;
  const float magnitude = std::max(std::abs(value), 0x1p-20F);
  return seed % 3 == 1 ? magnitude : -magnitude;
}

float special_value(std::uint64_t seed, std::uint64_t i, std::uint64_t n, std::uint64_t bits) {
  using Limits = std::numeric_limits<float>;
  if (seed % 8 == 0) return Limits::quiet_NaN();
  if (seed % 8 == 1) return i % 3 == 0 ? Limits::quiet_NaN() : Limits::infinity();
  if (seed % 8 == 2) return i % 3 == 0 ? Limits::quiet_NaN() : -Limits::infinity();
  // NaN does the most harm at the first and last position of a search.
  if (i == 0 || (i + 1 == n && n > 2) || bits % 3 == 0) {
    return std::bit_cast<float>(0x7fc00000U | static_cast<std::uint32_t>(bits >> 63 << 31));
  }
  if (seed % 8 == 3 && bits % 16 == 1)
    return (bits >> 60) % 2 == 0 ? Limits::infinity() : -Limits::infinity();
  if (seed % 8 == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 41) | 1U);  // denormal
  return random_value(seed, bits, 0.0F);
}

template <class T>
T value_at(const Case& which, std::uint64_t i) {
  const std::uint64_t seed = mix(which.seed);
  const std::uint64_t bits = random_bits(which.seed, i);
  if (which.data == "ties") {
    const int least =
        static_cast<int>(seed % 3) * 2 - 4;  // zero is the greatest, one in between, or the least
    const auto value = static_cast<T>(static_cast<int>((bits >> 32) % 5) + least);
    return value == 0 && bits % 2 == 0 ? -value : value;
  }
  if constexpr (std::is_same_v<T, float>) {
    if (which.data == "special") return special_value(seed, i, which.n, bits);
  }
  return random_value(seed, bits, T{});
}

// Returns a value beyond all that value_at() returns in the classes "random" and "ties".
template <class T>
T outer_value(const Case& which, std::uint64_t bits, bool low) {
  const auto some = static_cast<std::int32_t>(which.data == "ties" ? 1000 : 1000 + (bits >> 44));
  const auto value = std::is_same_v<T, float> ? static_cast<T>(some) : static_cast<T>((1 << 30) + some);
  return low ? -value : value;
}

template <class T>
class ExtremesProblem final : public Problem {
 public:
  explicit ExtremesProblem(const Case& which) : case_(which), expected_(which.n) {}

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "values",
             .role = Role::input,
             .bytes = case_.n * sizeof(T),
             .offset = case_.shift * sizeof(T),
             .patched = true},
            {.name = "extremes", .role = Role::output, .bytes = sizeof(Extremes<T>)},
            {.name = "work", .role = Role::scratch, .bytes = workspace_count() * sizeof(Extremes<T>)}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return {case_.n, workspace_count()}; }

  void fill(std::size_t /*buffer*/, std::span<std::byte> target) override {
    in_parallel((case_.n + kPiece - 1) / kPiece, std::thread::hardware_concurrency(), [&](std::size_t piece) {
      const std::uint64_t end = std::min((piece + 1) * kPiece, case_.n);
      for (std::uint64_t i = piece * kPiece; i < end; ++i) store_value(target, i, value_at<T>(case_, i));
    });
    expected_ = extremes_of<T>(target, case_.n);
  }

  // NaN compares unequal, so it is rejected.
  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    const auto got = load_value<Extremes<T>>(actual, 0);
    if (!(got.least == expected_.least)) return wrong("least", expected_.least, got.least);
    if (!(got.greatest == expected_.greatest)) return wrong("greatest", expected_.greatest, got.greatest);
    if (got.least_at != expected_.least_at) return wrong("least_at", expected_.least_at, got.least_at);
    if (got.greatest_at != expected_.greatest_at) {
      return wrong("greatest_at", expected_.greatest_at, got.greatest_at);
    }
    return std::nullopt;
  }

  // Writes new extremes to new places and restores the previous ones, so that no answer is right for two
  // calls.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    if (case_.n == 0) return patches;
    for (const std::uint64_t i : places_) patches.push_back(patch_value(contents, i, value_at<T>(case_, i)));
    places_.clear();
    Extremes<T> found(case_.n);
    const std::uint64_t places = std::clamp<std::uint64_t>(count / 2, 2, kNewPlaces);
    for (std::uint64_t k = 0; k < places; ++k) {
      // Each new value lies in its own part of the array.
      const std::uint64_t begin = case_.n * k / places;
      const std::uint64_t end = std::max(case_.n * (k + 1) / places, begin + 1);
      const std::uint64_t i = begin + random_below(seed, 2 * k, end - begin);
      const T value = outer_value<T>(case_, random_bits(seed, 2 * k + 1), k % 2 == 0);
      patches.push_back(patch_value(contents, i, value));
      places_.push_back(i);
      found.add(value, i);
    }
    // In class "special" the new values cannot exceed infinities, so the answer is recomputed.
    const bool look = case_.n <= kSmall || case_.data == "special";
    expected_ = look ? extremes_of<T>(contents, case_.n) : found;
    return patches;
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<ExtremesProblem>(*this);
  }

 private:
  // The size that the contract promises.
  [[nodiscard]] std::uint64_t workspace_count() const { return case_.n / 64 + 4096; }

  template <class Field>
  static Mismatch wrong(const char* field, Field expected, Field got) {
    const bool position = std::is_same_v<Field, std::uint64_t>;
    return {
        fmt::format("extremes.{} is wrong{}", field, position ? " (of equal values the first counts)" : ""),
        fmt::format("{}", expected), fmt::format("{}", got)};
  }

  Case case_;
  Extremes<T> expected_;
  std::vector<std::uint64_t> places_;  // places changed by the last patch
};

class ExtremesAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type == "int") return {"random", "ties"};
    if (type == "float") return {"random", "ties", "special"};
    return {};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    if (which.type == "float") return std::make_unique<ExtremesProblem<float>>(which);
    return std::make_unique<ExtremesProblem<std::int32_t>>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "int" || type == "float" ? 4 : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_output"; }
  [[nodiscard]] std::span<const HostVersion> host_versions() const override { return extremes_on_the_cpu(); }
  [[nodiscard]] LadderPowers ladder_powers() const override { return {10, 30}; }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<ExtremesAssignment>();
}

}  // namespace warpmark::extremes
