// pi: limits, the rectangles' area, tolerance. u is 2^-53.
// | "flat": the limits are so close to 0 that 1 + x * x rounds to 1, and their distance is n times a multiple
// of 2^-80. A rectangle's width, its midpoint, its height (4) and every sum of heights are exact in any
// order, so the answer is compared with == and every schedule must give the same bits.
// | "pi": from 0 to 1. "random": limits in [-1, 1), in either order. |error| <= (n + 64) u S, where S is the
// sum of the rectangles' magnitudes: adding n values in any order costs less than n u S; a midpoint is known
// to 4 u, which the slope of f, at most 2.6, turns into less than 11 u of a height of at least 2; the height
// itself, the width and their product cost a few u more. Up to 2^25 rectangles, a single one exceeds this
// bound, so one left out is detected.
#include <cmath>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/pi/host.h"
#include "harness/assignments/random.h"
#include "harness/base/parallel.h"

namespace warpmark::pi {
namespace {

using Value = double;
using Wide = long double;

constexpr std::uint64_t kPiece = 1 << 20;  // rectangles added per piece
constexpr Wide kUnit = 0x1p-53L;
constexpr std::uint64_t kFlatWidths = 1 << 20;  // largest width of a flat rectangle, in units of kFlatUnit
constexpr double kFlatUnit = 0x1p-80;           // 2^26 of the widest end at 2^-33, so x * x is far below u

struct Interval {
  Value begin = 0;
  Value end = 0;
};

Interval limits_of(const Case& which, std::uint64_t seed) {
  if (which.data == "pi") return {0, 1};
  if (which.data == "flat") {
    const double width = static_cast<double>(1 + random_below(seed, 0, kFlatWidths)) * kFlatUnit;
    const std::uint64_t first = random_below(seed, 1, which.n + 1);
    return {static_cast<double>(first) * width,
            static_cast<double>(first + std::max<std::uint64_t>(which.n, 1)) * width};
  }
  const auto uniform = [&](std::uint64_t counter) {
    return static_cast<double>(static_cast<std::int64_t>(random_bits(seed, counter))) * 0x1p-63;
  };
  return {uniform(0), uniform(1)};
}

// Pieces are summed separately and added in order, so that the result does not depend on the threads.
Wide area_between(const Interval& limits, std::uint64_t n) {
  if (n == 0) return 0;
  const Wide begin = limits.begin;
  const Wide width = (static_cast<Wide>(limits.end) - begin) / static_cast<Wide>(n);
  std::vector<Wide> pieces((n + kPiece - 1) / kPiece);
  in_parallel(pieces.size(), std::thread::hardware_concurrency(), [&](std::size_t piece) {
    Wide sum = 0;
    const std::uint64_t end = std::min((piece + 1) * kPiece, n);
    for (std::uint64_t i = piece * kPiece; i < end; ++i) {
      const Wide x = begin + (static_cast<Wide>(i) + 0.5L) * width;
      sum += 4 / (1 + x * x);
    }
    pieces[piece] = sum;
  });
  Wide sum = 0;
  for (const Wide piece : pieces) sum += piece;
  return width * sum;
}

class PiProblem final : public Problem {
 public:
  explicit PiProblem(const Case& which) : case_(which) { set(limits_of(which, which.seed)); }

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "limits",
             .role = Role::input,
             .bytes = 2 * sizeof(Value),
             .offset = case_.shift * sizeof(Value),
             .patched = true},
            {.name = "area", .role = Role::output, .bytes = sizeof(Value)},
            {.name = "work", .role = Role::scratch, .bytes = workspace_count() * sizeof(Value)}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return {case_.n, workspace_count()}; }

  void fill(std::size_t /*buffer*/, std::span<std::byte> target) override {
    store_value(target, 0, limits_.begin);
    store_value(target, 1, limits_.end);
  }

  // Written so that NaN is rejected.
  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    const auto got = load_value<Value>(actual, 0);
    const Wide error = std::abs(static_cast<Wide>(got) - area_);
    if (error <= tolerance()) return std::nullopt;
    return Mismatch{fmt::format("the area between {} and {} is wrong", limits_.begin, limits_.end),
                    tolerance() == 0 ? fmt::format("{} (exactly)", static_cast<double>(area_))
                                     : fmt::format("{:.17g} +- {:.3g}", static_cast<double>(area_),
                                                   static_cast<double>(tolerance())),
                    fmt::format("{:.17g}", got)};
  }

  // Redraws both limits, whatever `count` is: the buffer has only two values.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t /*count*/,
                           std::span<std::byte> contents) override {
    Case other = case_;
    if (other.data == "pi") other.data = "random";  // class "pi" has only one pair of limits
    set(limits_of(other, mix(seed)));
    return {patch_value(contents, 0, limits_.begin), patch_value(contents, 1, limits_.end)};
  }

  // Operations per rectangle: midpoint, square, plus 1, height, sum; the division counts as one.
  [[nodiscard]] Work work() const override { return {0, 7.0 * static_cast<double>(case_.n), true}; }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override { return std::make_unique<PiProblem>(*this); }

 private:
  // The size that the contract promises.
  [[nodiscard]] std::uint64_t workspace_count() const { return case_.n + case_.n / 64 + 16384; }

  void set(const Interval& limits) {
    limits_ = limits;
    const Wide distance = static_cast<Wide>(limits.end) - static_cast<Wide>(limits.begin);
    const bool flat = case_.data == "flat";
    area_ = case_.n == 0 ? 0 : flat ? 4 * distance : area_between(limits, case_.n);
  }

  // All heights have the same sign, so the area's magnitude equals the sum of the magnitudes.
  [[nodiscard]] Wide tolerance() const {
    if (case_.data == "flat") return 0;
    return (static_cast<Wide>(case_.n) + 64) * kUnit * std::abs(area_);
  }

  Case case_;
  Interval limits_;
  Wide area_ = 0;
};

class PiAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    if (type != "double") return {};
    return {"flat", "pi", "random"};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return std::make_unique<PiProblem>(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    return type == "double" ? sizeof(Value) : 0;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_sum"; }
  [[nodiscard]] std::span<const HostVersion> host_versions() const override { return pi_on_the_cpu(); }
  [[nodiscard]] LadderPowers ladder_powers() const override { return {10, 28}; }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<PiAssignment>();
}

}  // namespace warpmark::pi
