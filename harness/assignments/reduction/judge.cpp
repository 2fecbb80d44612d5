// reduction: inputs, expected sums and tolerances.
//
// int and long long, "random": any bits; the sum is exact modulo 2^32 or 2^64.
//
// float and double, "exact": integers in floating point, mostly zero, sum of |x| below 2^24 or 2^53: every
// partial sum in every order is exact, so the answer is compared with ==. Occasional large odd numbers expose
// arithmetic in a narrower type and sampling; the first, the last and the values at block edges are never
// zero.
//
// float and double, "random": uniform in [-1, 1]. |error| <= 8 u sqrt(n sum x^2) with u = 2^-24 or 2^-53.
// With random signs the partial sum of i values is about sqrt(i / n sum x^2), and so are its rounding errors
// divided by u. Added sequentially, the worst order that is independent of the values, they perform a random
// walk of standard deviation u sqrt(n sum x^2 / 2): 11 standard deviations are allowed. A bound based on sum
// |x| would accept an answer that omits half of the data from 2^14 values on; this one is far below the sum
// of half of the values at every size. The expected sum is compensated (Neumaier 1974) in the next wider
// type: a plain float loop loses half of 2^26 ones.
//
// The course grades int and float; the reference is also tested with the other two.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <thread>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/assignments/bytes.h"
#include "harness/assignments/random.h"
#include "harness/assignments/reduction/cpu_sums.h"
#include "harness/assignments/plain/explain_sum.h"
#include "harness/base/parallel.h"

namespace warpmark::reduction {
namespace {

constexpr std::uint64_t kPiece = 1 << 22;  // values generated per piece, a few milliseconds' worth
// a common block size: errors in handling remainders appear at its multiples
constexpr std::uint64_t kEdge = 256;
constexpr std::uint64_t kLargeOneIn = 128;
// more than 11 significant bits: not representable in half or bfloat16
constexpr std::int64_t kLargeLeast = 4097;
constexpr std::int64_t kLargeSpan = 4096;

// A compensated sum: its error does not grow with the number of terms.
template <class Real>
class CompensatedSum {
 public:
  void add(Real x) {
    const Real next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  void add(const CompensatedSum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }
  [[nodiscard]] Real value() const { return sum_ + lost_; }

 private:
  Real sum_ = 0;
  Real lost_ = 0;
};

// The expected sum, updated when values change.
template <class Signed>
class IntegerSum {
 public:
  using Value = Signed;
  explicit IntegerSum(const Case& /*which*/) {}

  static Value make(const Case& which, std::uint64_t i) {
    return static_cast<Value>(static_cast<Unsigned>(random_bits(which.seed, i)));
  }
  void add(Value value) { sum_ += static_cast<Unsigned>(value); }
  void add(const IntegerSum& other) { sum_ += other.sum_; }
  void remove(Value value) { sum_ -= static_cast<Unsigned>(value); }
  [[nodiscard]] bool accepts(Value actual) const { return static_cast<Unsigned>(actual) == sum_; }
  [[nodiscard]] std::string expected() const { return fmt::format("{}", static_cast<Value>(sum_)); }

 private:
  using Unsigned = std::make_unsigned_t<Signed>;
  Unsigned sum_ = 0;
};

struct FloatRules {
  using Value = float;
  using Wide = double;
  static constexpr int kDigits = 9;  // decimal digits that distinguish any two values
  static constexpr Wide kUnit = 0x1p-24;
  static Value uniform(std::uint64_t bits) {
    return static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-31f;
  }
  static Value exact(std::int64_t integer) { return static_cast<float>(integer); }
};

struct DoubleRules {
  using Value = double;
  using Wide = long double;
  static constexpr int kDigits = 17;
  static constexpr Wide kUnit = 0x1p-53L;
  static Value uniform(std::uint64_t bits) {
    return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
  }
  // Odd multiples of 2^28 + 1 need more than a float's 24 bits and still sum to less than 2^53.
  static Value exact(std::int64_t integer) { return static_cast<double>(integer) * 0x10000001p0; }
};

template <class Rules>
class RealSum {
 public:
  using Value = typename Rules::Value;
  using Wide = typename Rules::Wide;
  explicit RealSum(const Case& which) : exact_(which.data == "exact"), n_(which.n) {}

  static Value make(const Case& which, std::uint64_t i) {
    const std::uint64_t bits = random_bits(which.seed, i);
    return which.data == "exact" ? Rules::exact(exact_value(which.n, i, bits)) : Rules::uniform(bits);
  }
  void add(Value value) {
    sum_.add(value);
    squares_ += static_cast<Wide>(value) * static_cast<Wide>(value);
  }
  void add(const RealSum& other) {
    sum_.add(other.sum_);
    squares_ += other.squares_;
  }
  void remove(Value value) {
    sum_.add(-static_cast<Wide>(value));
    squares_ -= static_cast<Wide>(value) * static_cast<Wide>(value);
  }
  // Written so that NaN is rejected.
  [[nodiscard]] bool accepts(Value actual) const {
    const Wide error = std::abs(static_cast<Wide>(actual) - sum_.value());
    return exact_ ? static_cast<Wide>(actual) == sum_.value() : !!(error <= tolerance());
  }
  [[nodiscard]] std::string expected() const {
    const auto sum = static_cast<double>(sum_.value());
    if (exact_) return fmt::format("{} (exactly)", sum);
    return fmt::format("{:.{}g} +- {:.3g}", sum, Rules::kDigits, static_cast<double>(tolerance()));
  }

 private:
  // Small and large values become rarer as n grows, so that sum |x| stays below 2^24 at every size.
  static std::int64_t exact_value(std::uint64_t n, std::uint64_t i, std::uint64_t bits) {
    const auto sign = (bits & 1) != 0 ? 1 : -1;
    const std::uint64_t draw = bits >> 32;
    const std::uint64_t large_one_in =
        std::max<std::uint64_t>(kLargeOneIn, n / 1024);  // at most about 2^23 in all
    if (draw % large_one_in == 0)
      return sign * ((kLargeLeast + static_cast<std::int64_t>((bits >> 8) % kLargeSpan)) | 1);
    const std::uint64_t edge = std::max(kEdge, n >> 16);  // at most 2^17 edges of 3
    const bool at_edge = i == 0 || i + 1 == n || i % edge == 0 || (i + 1) % edge == 0;
    const std::uint64_t small_one_in = std::max<std::uint64_t>(2, n >> 21);  // at most about 2^22 in all
    if (at_edge || (draw >> 7) % small_one_in == 0)
      return sign * static_cast<std::int64_t>(1 + (bits >> 8) % 3);
    return 0;
  }

  [[nodiscard]] Wide tolerance() const {
    return 8 * Rules::kUnit * std::sqrt(static_cast<Wide>(n_) * std::max<Wide>(squares_, 0));
  }

  bool exact_;
  std::uint64_t n_;
  CompensatedSum<Wide> sum_;
  Wide squares_ = 0;  // the sum of x^2
};

template <class Sum>
class ReductionProblem final : public Problem {
  using T = typename Sum::Value;

 public:
  explicit ReductionProblem(const Case& which) : case_(which), sum_(which) {}

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "values",
             .role = Role::input,
             .bytes = case_.n * sizeof(T),
             .offset = case_.shift * sizeof(T),
             .uploaded = true,
             .patched = true},
            {.name = "sum", .role = Role::output, .bytes = sizeof(T)},
            {.name = "work", .role = Role::scratch, .bytes = workspace_count() * sizeof(T)}};
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return {case_.n, workspace_count()}; }

  // Pieces are summed separately and added in order, so that the result does not depend on the threads.
  void fill(std::size_t /*buffer*/, std::span<std::byte> target) override {
    std::vector<Sum> pieces((case_.n + kPiece - 1) / kPiece, Sum(case_));
    in_parallel(pieces.size(), std::thread::hardware_concurrency(), [&](std::size_t piece) {
      Sum sum(case_);
      const std::uint64_t end = std::min((piece + 1) * kPiece, case_.n);
      for (std::uint64_t i = piece * kPiece; i < end; ++i) {
        const T value = Sum::make(case_, i);
        store_value(target, i, value);
        sum.add(value);
      }
      pieces[piece] = sum;
    });
    for (const Sum& piece : pieces) sum_.add(piece);
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    const T got = load_value<T>(actual, 0);
    if (sum_.accepts(got)) return std::nullopt;
    return Mismatch{"the sum is wrong", sum_.expected(), fmt::format("{}", got)};
  }

  // Writing the sum is negligible; the values read determine the work.
  [[nodiscard]] Work work() const override {
    return {static_cast<double>(case_.n * sizeof(typename Sum::Value))};
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<ReductionProblem>(*this);
  }

  // New values are those of another seed at the same places, so they belong to the same data class.
  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    std::vector<Patch> patches;
    if (case_.n == 0) return patches;
    Case other = case_;
    other.seed = mix(seed);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t i = random_below(seed, k, case_.n);
      const T value = Sum::make(other, i);
      sum_.remove(load_value<T>(contents, i));
      sum_.add(value);
      patches.push_back(patch_value(contents, i, value));
    }
    return patches;
  }

 private:
  // The size that the contract promises.
  [[nodiscard]] std::uint64_t workspace_count() const { return case_.n / 16 + 16384; }

  Case case_;
  Sum sum_;
};

template <class Sum>
std::unique_ptr<Problem> make_problem(const Case& which) {
  return std::make_unique<ReductionProblem<Sum>>(which);
}

// Properties of a value type.
struct TypeRow {
  std::string_view name;
  std::size_t bytes;
  bool real;
  std::unique_ptr<Problem> (*make)(const Case&);
};
constexpr std::array kTypes{
    TypeRow{"int", 4, false, make_problem<IntegerSum<std::int32_t>>},
    TypeRow{"long long", 8, false, make_problem<IntegerSum<long long>>},
    TypeRow{"float", 4, true, make_problem<RealSum<FloatRules>>},
    TypeRow{"double", 8, true, make_problem<RealSum<DoubleRules>>},
};

const TypeRow* find_type(std::string_view name) {
  const auto* row =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& r) { return r.name == name; });
  return row == kTypes.end() ? nullptr : row;
}

class ReductionAssignment final : public Assignment {
 public:
  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    const TypeRow* row = find_type(type);
    if (row == nullptr) return {};
    return row->real ? std::vector<std::string>{"exact", "random"} : std::vector<std::string>{"random"};
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return find_type(which.type)->make(which);
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    const TypeRow* row = find_type(type);
    return row == nullptr ? 0 : row->bytes;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return "wrong_sum"; }
  [[nodiscard]] std::optional<Explanation> explain(const Case& which, Experiment& experiment) const override {
    return plain::explain_sum(which, experiment);
  }
  [[nodiscard]] std::span<const HostVersion> host_versions() const override { return cpu_sums(); }
};

}  // namespace

std::unique_ptr<Assignment> make();
std::unique_ptr<Assignment> make() {
  return std::make_unique<ReductionAssignment>();
}

}  // namespace warpmark::reduction
