// What `warpmark ladder` measured. Every figure on a page or in a table comes from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// The machine and the day of a result.
struct BenchSetting {
  std::string date;      // UTC, "2026-11-21 11:40"
  std::string gpu;       // "NVIDIA H200"; empty: measured without one
  std::string driver;    // "580.95.05"; may be empty
  std::string compiler;  // "nvcc 13.0"
  std::string cpu;       // "AMD EPYC 9554"
  unsigned cpu_threads = 0;
  double peak_gb_per_s = 0;    // the GPU's memory, 2 x memory clock x bus width; 0: not known
  std::uint64_t l2_bytes = 0;  // of the GPU
  std::string tool_version;
  double seconds = 0;  // that all of it took
};

// One way to compute the answer at one size. Without samples, `note` says why there are none.
struct LadderTime {
  std::uint64_t n = 0;
  std::size_t samples = 0;
  double median_ms = 0;
  double low_ms = 0;  // the interval of the median, by the sign test; both 0: too few samples
  double high_ms = 0;
  std::string note;  // "skipped: ...", "wrong_sum: ..."
  // By the median; filled in by add_rates.
  double gb_per_s = 0;         // 10^9 bytes of input a second
  double percent_of_peak = 0;  // of the GPU's memory; 0: not known, or on the CPU

  // The larger half of the interval over the median; 0 where there is no interval.
  [[nodiscard]] double half_width() const;
};

struct LadderSeries {
  std::string name;  // of a version, or of a sum on the CPU
  bool cpu = false;
  std::vector<LadderTime> times;  // by rising size

  [[nodiscard]] const LadderTime* at(std::uint64_t n) const;  // only where there are samples
};

struct Ladder {
  std::string assignment;
  std::string submission;  // "reference/reduction"
  std::string type;        // value type
  std::size_t value_bytes = 0;
  double confidence = 0;  // of the intervals, 0.999
  BenchSetting setting;
  std::vector<LadderSeries> series;  // the CPU's first, then versions in teaching order

  // Sizes that were asked, rising.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  // The first version, which the others are set against; null without any.
  [[nodiscard]] const LadderSeries* baseline() const;
  // The series that is fastest at the largest size at which one of its kind has a time; null without any.
  [[nodiscard]] const LadderSeries* fastest(bool cpu) const;
  // The widest half interval of all medians at these sizes, in percent of the median.
  [[nodiscard]] double widest_percent(bool cpu, std::span<const std::uint64_t> sizes) const;
  // 10^9 bytes of input a second, when n values take so long.
  [[nodiscard]] double rate(std::uint64_t n, double milliseconds) const;

  // Fills in the rates of every time.
  void add_rates();
};

// How many times as fast one is as another at a size; none where either has no time.
std::optional<double> times_as_fast(const LadderSeries& one, const LadderSeries& other, std::uint64_t n);

// Schema "warpmark.ladder/1", six significant digits. Reading fails with the member that is missing or of the
// wrong kind.
std::string to_json(const Ladder& ladder);
Result<Ladder> ladder_from_json(const std::string& text);

// Two versions in interleaved rounds, `first` against `second`.
struct ComparedSize {
  std::string type;
  std::uint64_t n = 0;
  bool aligned = true;  // else the input begins one value past a 256-byte boundary
  std::size_t rounds = 0;
  double first_ms = 0;  // medians
  double second_ms = 0;
  double ratio = 0;  // second over first: above 1, the first is faster
  double low = 0;    // the interval of the ratio, by the sign test; both 0: too few rounds
  double high = 0;
  double gb_per_s = 0;  // of the first
  std::string note;     // why there is no ratio
};

struct Comparison {
  std::string assignment;
  std::string first;
  std::string second;
  double confidence = 0;
  BenchSetting setting;
  std::vector<ComparedSize> sizes;

  // At how many sizes the interval of the ratio lies on which side of 1.
  struct Tally {
    std::size_t measured = 0;
    std::size_t faster = 0;  // the first is
    std::size_t slower = 0;
  };
  [[nodiscard]] Tally tally() const;
};

// Schema "warpmark.comparison/1".
std::string to_json(const Comparison& comparison);
Result<Comparison> comparison_from_json(const std::string& text);

}  // namespace warpmark
