// Results of `warpmark ladder`, which times all implementations in a submission over the input size, and of
// comparisons of two implementations. Every number on a page or in a table comes from these types.
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

// Machine and date of a measurement.
struct BenchSetting {
  std::string date;      // UTC time, "2026-11-21 11:40"
  std::string gpu;       // name of the GPU, "NVIDIA H200"; empty: measured without a GPU
  std::string driver;    // version of the driver: "580.95.05"; may be empty
  std::string compiler;  // name and version: "nvcc 13.0"
  std::string cpu;       // model of the CPU: "AMD EPYC 9554"
  unsigned cpu_threads = 0;
  // GPU memory bandwidth in 10^9 bytes per second: 2 x memory clock x bus width; 0: not known.
  double peak_gb_per_s = 0;
  std::uint64_t l2_bytes = 0;  // size of the GPU's L2 cache in bytes
  std::string tool_version;
  double seconds = 0;  // duration of the whole measurement in seconds
  // GPU's peak arithmetic rate in 10^9 operations per second, in the precision that the assignment computes
  // in (FP32 or FP64); 0: unknown, or the assignment counts no operations.
  double peak_gflops = 0;
};

// Timing of one series (an implementation or a CPU baseline) at one input size. Without samples, `note` says
// why.
struct LadderTime {
  std::uint64_t n = 0;
  std::size_t samples = 0;
  double median_ms = 0;
  // Lower end of the median time's confidence interval (sign test); both ends 0: too few samples.
  double low_ms = 0;
  double high_ms = 0;
  std::string note;  // reason why there are no samples: "skipped: ...", "wrong_sum: ..."
  // Bandwidth, arithmetic rate and percentage of the peak are not measured: add_rates() derives them from the
  // median time.
  double gb_per_s = 0;  // least required memory traffic over the median time, in 10^9 bytes per second
  double gflops = 0;  // arithmetic rate in 10^9 operations per second; 0: the assignment counts no operations
  // Percentage of the GPU's peak memory bandwidth or peak arithmetic rate, whichever is higher; 0: not known,
  // or on the CPU.
  double percent_of_peak = 0;

  // Returns the larger half-width of the confidence interval relative to the median; 0 without an interval.
  [[nodiscard]] double half_width() const;
};

// Ways of solving an assignment, in the order in which an evaluation compares them.
inline constexpr std::string_view kOneCore = "sequential";
inline constexpr std::string_view kThreads = "threads";
inline constexpr std::string_view kRanks = "mpi";
inline constexpr std::string_view kGpu = "gpu";
inline constexpr std::string_view kGpus = "gpus";

struct LadderSeries {
  std::string name;  // name of the timed implementation: that of its kernel file, or of a CPU baseline
  bool cpu = false;
  std::vector<LadderTime> times;  // times of one implementation, in ascending order of input size
  // Hardware that the implementation uses: kOneCore, kThreads, kRanks, kGpu or kGpus; may be empty in old
  // files.
  std::string way;
  unsigned ranks = 0;  // number of MPI ranks that the implementation runs on

  // Returns the implementation's timing at an input size of n elements; nullptr if that size was not
  // measured.
  [[nodiscard]] const LadderTime* at(std::uint64_t n) const;
};

// The least memory traffic and arithmetic that any implementation needs for one input size; measured times
// are converted to rates with these figures.
struct LadderWork {
  std::uint64_t n = 0;
  double bytes = 0;
  double operations = 0;
};

// A way of solving the assignment (such as "mpi") that could not be measured on this machine.
struct LadderMissing {
  std::string way;
  std::string why;  // reason why the measurement was not possible: "no CUDA device (...)"
};

struct Ladder {
  std::string assignment;
  std::string submission;  // path of the measured sources: "reference/reduction"
  std::string type;
  std::size_t value_bytes = 0;
  double confidence = 0;  // confidence level of all confidence intervals of a benchmark: 0.999
  BenchSetting setting;
  // Timed implementations: CPU baselines first, then kernel files in teaching order.
  std::vector<LadderSeries> series;
  // Least memory traffic and arithmetic that one call of an implementation needs, by ascending input size.
  // For an input size without an entry: one read of each input element.
  std::vector<LadderWork> work;
  std::string precision;  // precision of the counted operations, "FP32" or "FP64"; empty: none are counted
  std::vector<LadderMissing> missing;

  // Returns the input sizes that a benchmark measured, in ascending order.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  // Returns the series of the first version (implementation), with which all others are compared; nullptr if
  // there is none.
  [[nodiscard]] const LadderSeries* baseline() const;
  // Returns the fastest CPU (or GPU) series at the largest size for which any CPU (or GPU) series has a time;
  // nullptr if none has.
  [[nodiscard]] const LadderSeries* fastest(bool cpu) const;
  // Returns the largest half-width of the medians' confidence intervals at the given input sizes, in percent
  // of the median, over either the CPU or the GPU implementations.
  [[nodiscard]] double widest_percent(bool cpu, std::span<const std::uint64_t> sizes) const;
  // Returns the least memory traffic and arithmetic that an implementation needs for n input elements.
  [[nodiscard]] LadderWork work_at(std::uint64_t n) const;
  // Returns true if a benchmark reports operations per second, false if it reports bytes per second.
  [[nodiscard]] bool counts_operations() const { return !precision.empty(); }
  // Returns the rate if n input elements take `milliseconds`, in 10^9 operations or bytes per second.
  [[nodiscard]] double rate(std::uint64_t n, double milliseconds) const;
  // Returns a timing's rate in the benchmark's unit: GFLOP/s if the assignment counts operations, else GB/s.
  [[nodiscard]] double rate(const LadderTime& time) const {
    return counts_operations() ? time.gflops : time.gb_per_s;
  }
  [[nodiscard]] std::string_view rate_unit() const { return counts_operations() ? "GFLOP/s" : "GB/s"; }

  // Computes gb_per_s, gflops and percent_of_peak of every timing.
  void add_rates();
};

// Speedup of the first implementation over the second at input size n: the second's time divided by the
// first's. nullopt if either was not measured at that size.
std::optional<double> times_as_fast(const LadderSeries& one, const LadderSeries& other, std::uint64_t n);

// Writes and reads a ladder file, schema "warpmark.ladder/1"; numbers have six significant digits. Reading
// fails with the name of the member that is missing or has the wrong type.
std::string to_json(const Ladder& ladder);
Result<Ladder> ladder_from_json(const std::string& text);

// Result of comparing two versions (implementations) in interleaved rounds at one input size.
struct ComparedSize {
  std::string type;
  std::uint64_t n = 0;
  bool aligned = true;  // false: the input array starts one element past a 256-byte boundary
  std::size_t rounds = 0;
  double first_ms = 0;  // median time of the first version (implementation)
  double second_ms = 0;
  double ratio = 0;  // time of the second version over that of the first: above 1, the first is faster
  double low = 0;    // lower end of the ratio's confidence interval; 0: too few rounds
  double high = 0;
  double gb_per_s = 0;  // rate of the first version in 10^9 bytes per second
  std::string note;  // reason why the two versions could not be compared at this input size; otherwise empty
};

struct Comparison {
  std::string assignment;
  std::string first;
  std::string second;
  double confidence = 0;
  BenchSetting setting;
  std::vector<ComparedSize> sizes;

  // Counts of input sizes: all at which both versions were measured, and those at which the first version is
  // surely faster or slower (the confidence interval of the time ratio excludes 1).
  struct Tally {
    std::size_t measured = 0;
    // Number of input sizes at which the first of two compared versions is surely faster: the confidence
    // interval of the time ratio excludes 1.
    std::size_t faster = 0;
    std::size_t slower = 0;
  };
  [[nodiscard]] Tally tally() const;
};

// Writes and reads the JSON file of a comparison of two implementations' times, schema
// "warpmark.comparison/1".
std::string to_json(const Comparison& comparison);
Result<Comparison> comparison_from_json(const std::string& text);

}  // namespace warpmark
