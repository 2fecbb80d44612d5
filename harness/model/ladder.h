// What `warpmark ladder` measured, and its projections. Every figure on a page or in a table comes from here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/grade.h"

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

  [[nodiscard]] double gb_per_s(const LadderTime& time) const;  // 10^9 bytes of input a second
  [[nodiscard]] double percent_of_peak(const LadderSeries& of, const LadderTime& time) const;  // 0: not known
  // Sizes that were asked, rising.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
};

// Schema "warpmark.ladder/1". Reading fails with the member that is missing or of the wrong kind.
std::string to_json(const Ladder& ladder);
Result<Ladder> ladder_from_json(const std::string& text);

std::string to_console(const Ladder& ladder, const ConsoleStyle& style);
std::string to_html(const Ladder& ladder);

// The sizes that tables show.
inline constexpr std::uint64_t kTableSizes[] = {1U << 20, 1U << 24, 1U << 26, 1U << 28};

// README's table, and a text with it between `<!-- ladder -->` and `<!-- /ladder -->`. Fails when the text
// lacks one of the markers.
std::string to_markdown(const Ladder& ladder);
Result<std::string> with_ladder(std::string_view text, const Ladder& ladder);

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
};

// Schema "warpmark.comparison/1".
std::string to_json(const Comparison& comparison);
Result<Comparison> comparison_from_json(const std::string& text);
std::string to_console(const Comparison& comparison, const ConsoleStyle& style);
std::string to_html(const Comparison& comparison);

}  // namespace warpmark
