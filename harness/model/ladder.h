// What `warpmark ladder` measured. Every figure on a page or in a table comes from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
  double seconds = 0;      // that all of it took
  double peak_gflops = 0;  // of the GPU, in Ladder::precision; 0: not known, or of no account
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
  double gb_per_s = 0;  // 10^9 bytes a second of what the work needs at least
  double gflops = 0;    // 10^9 operations a second; 0: the work is no arithmetic
  double percent_of_peak =
      0;  // of the GPU's memory or arithmetic, whichever binds; 0: not known, or on the CPU

  // The larger half of the interval over the median; 0 where there is no interval.
  [[nodiscard]] double half_width() const;
};

// The ways to solve an assignment that an evaluation sets beside each other, in its order.
inline constexpr std::string_view kOneCore = "sequential";
inline constexpr std::string_view kThreads = "threads";
inline constexpr std::string_view kRanks = "mpi";
inline constexpr std::string_view kGpu = "gpu";
inline constexpr std::string_view kGpus = "gpus";

struct LadderSeries {
  std::string name;  // of a version, or of a sum on the CPU
  bool cpu = false;
  std::vector<LadderTime> times;  // by rising size
  std::string way;                // one of the above; may be empty in old files
  unsigned ranks = 0;             // of MPI

  [[nodiscard]] const LadderTime* at(std::uint64_t n) const;  // only where there are samples
};

// What a call has to do at least at one size.
struct LadderWork {
  std::uint64_t n = 0;
  double bytes = 0;
  double operations = 0;
};

// A way that this machine could not go.
struct LadderMissing {
  std::string way;
  std::string why;  // "no CUDA device (...)"
};

struct Ladder {
  std::string assignment;
  std::string submission;  // "reference/reduction"
  std::string type;        // value type
  std::size_t value_bytes = 0;
  double confidence = 0;  // of the intervals, 0.999
  BenchSetting setting;
  std::vector<LadderSeries> series;  // the CPU's first, then versions in teaching order
  std::vector<LadderWork> work;      // by rising size; without one, the values are read once
  std::string precision;             // of the operations, "FP32" or "FP64"; empty: they are of no account
  std::vector<LadderMissing> missing;

  // Sizes that were asked, rising.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  // The first version, which the others are set against; null without any.
  [[nodiscard]] const LadderSeries* baseline() const;
  // The series that is fastest at the largest size at which one of its kind has a time; null without any.
  [[nodiscard]] const LadderSeries* fastest(bool cpu) const;
  // The widest half interval of all medians at these sizes, in percent of the median.
  [[nodiscard]] double widest_percent(bool cpu, std::span<const std::uint64_t> sizes) const;
  // What n values need at least.
  [[nodiscard]] LadderWork work_at(std::uint64_t n) const;
  // Whether speed is operations a second, in place of bytes.
  [[nodiscard]] bool counts_operations() const { return !precision.empty(); }
  // 10^9 bytes or operations a second, when n values take so long.
  [[nodiscard]] double rate(std::uint64_t n, double milliseconds) const;
  // The same of a time that has its rates.
  [[nodiscard]] double rate(const LadderTime& time) const {
    return counts_operations() ? time.gflops : time.gb_per_s;
  }
  // "GFLOP/s" or "GB/s"
  [[nodiscard]] std::string_view rate_unit() const { return counts_operations() ? "GFLOP/s" : "GB/s"; }

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
