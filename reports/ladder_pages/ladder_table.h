// Builds the tables of a benchmark of all implementations (a Ladder); console, README and page show the same
// cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/model/ladder.h"

namespace warpmark {

struct LadderRow {
  std::string name;
  bool cpu = false;
  std::vector<std::string> times;  // measured milliseconds, one per size; "-" if missing
  // Rate, percentage of the peak and speedup of an implementation are those at the largest input size that
  // has a time.
  std::string rate;  // throughput of an implementation in the table's unit, such as GB/s
  // Percentage of the GPU's peak rate that an implementation reaches; empty for an implementation on the CPU.
  std::string of_peak;
  std::string speedup;  // speedup over the implementation that the table takes as its baseline
  // Reason why times of an implementation are missing in the table; empty if none are missing.
  std::string note;
};

struct LadderTable {
  std::vector<std::uint64_t> sizes;
  std::string rate_unit;  // unit of the throughput: "GB/s"
  std::string baseline;   // name of the implementation relative to which speedups are given; empty: none
  std::vector<LadderRow> rows;
  // Largest half-width of the confidence intervals in a table of times, of GPU times and of CPU times, in
  // percent of the median.
  double widest_gpu = 0;
  double widest_cpu = 0;
};

// Returns a benchmark's table of times. Its columns are input sizes chosen for a table, as far as they were
// measured; if fewer than two were, the last four measured sizes.
LadderTable table_of(const Ladder& ladder);

// Returns a text on the input sizes at which an implementation has no time, and why: "skipped: ... (from 2^17
// values on)"; empty if none lacks a time.
std::string left_out(const LadderSeries& one);

// Returns "2^24" for a power of two, otherwise the decimal number.
std::string power_text(std::uint64_t n);
// Formats a power of two with a superscript exponent, and other numbers in decimal.
std::string raised_power_text(std::uint64_t n);

// Formats three significant digits, or all digits of a whole number: "0.038", "37.2", "4613".
std::string rate_text(double gb_per_s);

// Returns a text such as "NVIDIA H200 (driver 580.95.05, nvcc 13.0), AMD EPYC 9554 with 16 threads".
std::string machine_text(const BenchSetting& setting);

// Returns a text such as "The widest interval of these medians is +-1.2 % on the GPU and +-30 % on the CPU."
std::string widest_text(const LadderTable& table);

// Returns sentences that describe how the measurements were made.
std::string method_text(const Ladder& ladder);
std::string method_text(const Comparison& comparison);

}  // namespace warpmark
