#include "harness/assignments/plain/explain_sum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/assignments/random.h"

namespace warpmark::plain {
namespace {

constexpr std::array<std::uint64_t, 22> kSizes{1,   2,   3,   31,  32,  33,  63,   64,   65,   127,  129,
                                               255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2049, 4097};
// Maximum number of values, from the first wrong one on, tested one by one.
constexpr std::uint64_t kLookedAt = 96;
constexpr std::size_t kNamed = 4;        // maximum number of runs of wrongly counted values in a message
constexpr std::size_t kMostCounts = 64;  // maximum number of runs of wrongly counted values in a picture
constexpr std::byte kBefore{0x11};       // byte that fills *sum before a call; detects missing initialisation
constexpr std::byte kOtherBefore{0x22};

std::string name(std::uint64_t i) {
  return fmt::format("values[{}]", i);
}

std::string times(double count) {
  if (count == 2) return "twice";
  return fmt::format("{} times", count);
}

template <class T>
class SumExperiments {
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

 public:
  SumExperiments(const Case& which, Experiment& experiment) : which_(which), experiment_(experiment) {}

  std::optional<Explanation> explain() {
    find_smallest();
    const auto zeros = sum_where([](std::uint64_t) { return false; });
    const auto other = sum_where([](std::uint64_t) { return false; }, kOtherBefore);
    if (!zeros || !other) return std::nullopt;
    if (*zeros != *other) return from_before(*zeros, *other);
    constant_ = *zeros;
    if (constant_ != T{0} && which_.n == 0) return begins_elsewhere();
    if (which_.n == 0) return std::nullopt;
    const auto all = [](std::uint64_t) { return true; };
    const auto weighted = sum_where(all);
    const auto again = sum_where(all);
    if (!weighted || !again) return std::nullopt;
    if (*weighted != *again) return by_chance(*weighted, *again);
    if (constant_ != T{0}) return begins_elsewhere();
    if (*weighted == weights(all)) return narrow_type();
    return coefficients(*weighted);
  }

 private:
  // Random weights of the values are small whole numbers, so that every sum of them is exact.
  [[nodiscard]] T weight(std::uint64_t i) const {
    const std::uint64_t most =
        std::max<std::uint64_t>(1, (std::uint64_t{1} << 22) / std::max<std::uint64_t>(1, which_.n));
    return static_cast<T>(1 + random_bits(0x5eed, i) % std::min<std::uint64_t>(most, 4093));
  }

  template <class Chosen>
  [[nodiscard]] T weights(const Chosen& chosen) const {
    Wide sum = 0;
    for (std::uint64_t i = 0; i < which_.n; ++i)
      if (chosen(i)) sum += static_cast<Wide>(weight(i));
    return static_cast<T>(sum);
  }

  template <class Value>
  std::optional<T> sum_of(const Value& value, std::byte before = kBefore) {
    std::vector<T> values(which_.n);
    for (std::uint64_t i = 0; i < which_.n; ++i) values[i] = value(i);
    const auto answer = experiment_.answer(which_, std::as_bytes(std::span(values)), before);
    if (!answer || answer->size() != sizeof(T)) return std::nullopt;
    T sum;
    std::memcpy(&sum, answer->data(), sizeof sum);
    return sum;
  }
  template <class Chosen>
  std::optional<T> sum_where(const Chosen& chosen, std::byte before = kBefore) {
    return sum_of([&](std::uint64_t i) { return chosen(i) ? weight(i) : T{0}; }, before);
  }

  // Finds the smallest input size at which the student's kernel adds up the random weights wrongly; keeps the
  // failing size if no smaller one fails.
  void find_smallest() {
    const Case failing = which_;
    const auto all = [](std::uint64_t) { return true; };
    for (const std::uint64_t n : kSizes) {
      if (n >= failing.n) break;
      which_.n = n;
      const auto sum = sum_where(all);
      if (sum && *sum != weights(all)) return;
    }
    which_ = failing;
  }

  [[nodiscard]] Explanation explanation(std::string what, const std::string& expected,
                                        const std::string& actual) const {
    return {.what = std::move(what), .which = which_, .expected = expected, .actual = actual};
  }
  [[nodiscard]] static std::string text(T value) { return fmt::format("{}", value); }

  Explanation from_before(T one, T two) {
    return explanation(
        "the answer depends on what *sum held before the call: set it to 0 first, as "
        "cudaMemsetAsync(sum, 0, sizeof(value_t), stream) does",
        "0 for zeros, whatever *sum held", fmt::format("{} and {}", one, two));
  }

  Explanation by_chance(T one, T two) {
    return explanation(
        "two calls with the same values gave two sums: threads change the same place at the "
        "same time, or read what others have not written yet",
        text(one), text(two));
  }

  Explanation begins_elsewhere() {
    std::string bits;
    if constexpr (std::is_integral_v<T>)
      bits = fmt::format(" ({:#x})", static_cast<std::make_unsigned_t<T>>(constant_));
    Explanation found = explanation(
        fmt::format("{} the sum is {}{}: something besides the values is added. Is *sum set to 0 before, and "
                    "is all shared memory written before it is read? "
                    "(cudaMemset writes its value into every byte)",
                    which_.n == 0 ? "without a value" : fmt::format("for {} zeros", which_.n), constant_,
                    bits),
        "0", text(constant_));
    std::array<std::uint8_t, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &constant_, sizeof(T));
    if (std::ranges::count(bytes, bytes[0]) == std::ssize(bytes)) found.filled_with = bytes[0];
    return found;
  }

  static Explanation at_first(Explanation found) {
    found.elements = Explanation::Elements{};
    return found;
  }

  // Detects a sum accumulated in a type that is too narrow, for instance a float for ints: small whole
  // numbers sum correctly, a value with more digits is rounded.
  std::optional<Explanation> narrow_type() {
    if constexpr (std::is_integral_v<T>) {
      constexpr T many = (T{1} << 24) + 1;
      const auto got = sum_of([](std::uint64_t i) { return i == 0 ? many : T{0}; });
      if (!got || *got == many) return std::nullopt;
      return at_first(
          explanation(fmt::format("{} as values[0] and zeros behind it give {}: the sum of small numbers is "
                                  "right, but one of 25 bits is rounded. A float has 24 bits of digits; "
                                  "add up in value_t",
                                  many, *got),
                      text(many), text(*got)));
    } else {
      const auto got = sum_of([](std::uint64_t i) { return i == 0 ? T{0.5} : T{0}; });
      if (got && *got != T{0.5}) {
        return at_first(
            explanation(fmt::format("0.5 as values[0] and zeros behind it give {}: the sum of whole numbers "
                                    "is right, but fractions are truncated, as an int does; add up in "
                                    "value_t",
                                    *got),
                        "0.5", text(*got)));
      }
      const T many = std::is_same_v<T, double> ? T(0x10000001) : T{4097};
      const auto rounded = sum_of([&](std::uint64_t i) { return i == 0 ? many : T{0}; });
      if (!rounded || *rounded == many) return std::nullopt;
      return at_first(
          explanation(fmt::format("{} as values[0] and zeros behind it give {}: a type between has fewer "
                                  "digits than value_t and rounds",
                                  many, *rounded),
                      text(many), text(*rounded)));
    }
  }

  // Returns how often the student's sum counts values[at]: its answer if this value is 1 and all others are
  // 0.
  std::optional<T> coefficient(std::uint64_t at) {
    return sum_of([&](std::uint64_t i) { return i == at ? T{1} : T{0}; });
  }

  // Binary search: returns the smallest k up to `most` with wrong(k), which must be monotonic; wrong(most)
  // must hold.
  template <class Wrong>
  static std::uint64_t smallest(std::uint64_t most, const Wrong& wrong) {
    std::uint64_t low = 0;
    while (low < most) {
      const std::uint64_t middle = low + (most - low) / 2;
      if (wrong(middle)) {
        most = middle;
      } else {
        low = middle + 1;
      }
    }
    return most;
  }

  template <class Chosen>
  bool adds_up_to(const Chosen& chosen, double factor) {
    const auto sum = sum_where(chosen);
    return sum && static_cast<double>(*sum) == factor * static_cast<double>(weights(chosen));
  }

  std::optional<Explanation> coefficients(T weighted) {
    const std::uint64_t n = which_.n;
    const std::uint64_t first = smallest(
        n - 1, [&](std::uint64_t k) { return !adds_up_to([&](std::uint64_t i) { return i <= k; }, 1); });
    const std::uint64_t last = n - 1 - smallest(n - 1 - first, [&](std::uint64_t k) {
                                 return !adds_up_to([&](std::uint64_t i) { return i >= n - 1 - k; }, 1);
                               });
    const auto count = coefficient(first);
    if (!count) return std::nullopt;
    const auto factor = static_cast<double>(*count);
    const auto all = [](std::uint64_t) { return true; };
    Explanation found = explanation(words(first, last, factor), text(weights(all)), text(weighted));
    found.counts = std::move(counts_);
    found.elements = lost_last_ ? Explanation::Elements{last, last, true}
                                : Explanation::Elements{first, run_end_, factor == 0, right_one(first)};
    return found;
  }

  // Returns the index of a correctly counted value beside the run of wrongly counted ones that begins at
  // `first`.
  std::optional<std::uint64_t> right_one(std::uint64_t first) {
    if (first > 0) return first - 1;
    for (const std::uint64_t i : {run_end_ + 1, which_.n - 1}) {
      if (i >= which_.n) continue;
      if (const auto count = coefficient(i); count && *count == T{1}) return i;
    }
    return std::nullopt;
  }

  // Binary search for the last index of a run: the values, from `first` on, that the student's sum counts
  // `factor` times each.
  std::uint64_t end_of_run(std::uint64_t first, std::uint64_t last, double factor) {
    return first - 1 + smallest(last - first + 1, [&](std::uint64_t k) {
             return !adds_up_to([&](std::uint64_t i) { return i >= first && i <= first + k; }, factor);
           });
  }

  std::string words(std::uint64_t first, std::uint64_t last, double factor) {
    run_end_ = first;
    const auto in_range = [&](std::uint64_t i) { return i >= first && i <= last; };
    if (adds_up_to(in_range, factor)) {
      run_end_ = last;
      return said(first, last, factor);
    }
    // If the wrongly counted values are not one contiguous range, the message describes the first run and
    // what follows it.
    std::vector<std::pair<std::uint64_t, double>> wrong;
    for (std::uint64_t i = first; i <= std::min(last, first + kLookedAt); ++i) {
      const auto count = coefficient(i);
      if (!count) break;
      if (*count != T{1}) wrong.emplace_back(i, static_cast<double>(*count));
    }
    if (wrong.empty()) return fmt::format("{} does not count as it should", name(first));
    const std::vector<Run> runs = runs_of(wrong);
    run_end_ = runs[0].last;
    if (runs.size() == 1) return words_of_one_run(first, last, factor);
    const std::uint64_t length = run_end_ - first + 1;
    const std::uint64_t period = runs[1].first - first;
    std::string text = said(first, run_end_, factor);
    const auto repeats = [&](std::uint64_t i) { return in_range(i) && (i - first) % period < length; };
    if (runs[1].factor == factor && adds_up_to(repeats, factor) &&
        adds_up_to([&](std::uint64_t i) { return !repeats(i); }, 1)) {
      for (std::uint64_t at = first + period; at <= last && counts_.size() < kMostCounts; at += period)
        counts_.push_back({at, std::min(at + length - 1, last), factor});
      return text + (period == 2
                         ? fmt::format(", and so does every second value up to {}", name(last))
                         : fmt::format(", and so on: {} of {} values, up to {}", length, period, name(last)));
    }
    const std::size_t named = std::min(runs.size(), kNamed);
    for (std::size_t k = 1; k < named; ++k) text += "; " + said(runs[k].first, runs[k].last, runs[k].factor);
    for (std::size_t k = named; k < runs.size() && counts_.size() < kMostCounts; ++k)
      counts_.push_back({runs[k].first, runs[k].last, runs[k].factor});
    return last > runs[named - 1].last ? text + fmt::format("; others up to {} are wrong, too", name(last))
                                       : text;
  }

  // A run of adjacent input values that the student's sum counts equally often.
  struct Run {
    std::uint64_t first;
    std::uint64_t last;
    double factor;
  };
  static std::vector<Run> runs_of(const std::vector<std::pair<std::uint64_t, double>>& wrong) {
    std::vector<Run> runs;
    for (const auto& [at, factor] : wrong) {
      if (!runs.empty() && runs.back().last + 1 == at && runs.back().factor == factor) {
        runs.back().last = at;
      } else {
        runs.push_back({at, at, factor});
      }
    }
    return runs;
  }

  // Describes, for a message, a single run of wrongly counted values: extends the run beyond the values
  // tested one by one and adds the last wrong value behind it.
  std::string words_of_one_run(std::uint64_t first, std::uint64_t last, double factor) {
    const std::uint64_t end = end_of_run(first, last, factor);
    if (end != first - 1) run_end_ = std::max(run_end_, end);
    const auto at_last = coefficient(last);
    lost_last_ = factor != 0 && at_last && *at_last == T{0};
    std::string text = said(first, run_end_, factor);
    if (last > run_end_ && at_last) text += "; " + said(last, last, static_cast<double>(*at_last));
    return text;
  }

  static std::string verb(double factor, bool one) {
    if (factor == 0) return "did not enter the sum";
    const std::string was = one ? "was" : "were";
    return factor == std::floor(factor) && factor > 0
               ? fmt::format("{} counted {}", was, times(factor))
               : fmt::format("{} counted with the factor {}", was, factor);
  }

  std::string said(std::uint64_t first, std::uint64_t last, double factor) {
    counts_.push_back({first, last, factor});
    const std::uint64_t count = last - first + 1;
    const std::string those = count == 1 ? name(first) : fmt::format("{} to {}", name(first), name(last));
    std::string place;
    if (count == which_.n) {
      place = count == 1 ? ", the only value," : fmt::format(", all {} values,", count);
    } else if (last + 1 == which_.n) {
      place = count == 1 ? fmt::format(", the last of {} values,", which_.n)
                         : fmt::format(", the last {} of {} values,", count, which_.n);
    }
    return fmt::format("{}{} {}", those, place, verb(factor, count == 1));
  }

  Case which_;
  Experiment& experiment_;
  T constant_ = 0;  // the student's sum if all values are 0: what is added besides them
  // True if the student's sum omits the last wrongly counted value, but not the first.
  bool lost_last_ = false;
  std::vector<Explanation::Count> counts_;
  std::uint64_t run_end_ = 0;  // last index of the first run of wrongly counted values in the message
};

}  // namespace

std::optional<Explanation> explain_sum(const Case& which, Experiment& experiment) {
  if (which.type == "int") return SumExperiments<std::int32_t>(which, experiment).explain();
  if (which.type == "long long") return SumExperiments<long long>(which, experiment).explain();
  if (which.type == "float") return SumExperiments<float>(which, experiment).explain();
  if (which.type == "double") return SumExperiments<double>(which, experiment).explain();
  return std::nullopt;
}

}  // namespace warpmark::plain
