// What the ladder's tables have in common: console, README and page show the same cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/model/ladder.h"

namespace warpmark {

struct LadderRow {
  std::string name;
  bool cpu = false;
  std::vector<std::string> times;  // milliseconds, one a size; "-" where there is none
  // At the last size at which there is a time:
  std::string rate;     // in rate_unit
  std::string of_peak;  // percent; empty for the CPU
  std::string speedup;  // over the first version
  std::string note;     // why a time is missing; empty when none is
};

struct LadderTable {
  std::vector<std::uint64_t> sizes;
  std::string rate_unit;  // "GB/s"
  std::string baseline;   // the version that `speedup` is over; empty without any
  std::vector<LadderRow> rows;
  // The widest half interval of the medians shown, in percent of its median.
  double widest_gpu = 0;
  double widest_cpu = 0;
};

// At those of kTableSizes that were measured, or, with fewer than two, the last four that were.
LadderTable table_of(const Ladder& ladder);

// Which sizes of a series have no time, and why: "skipped: ... (from 2^17 values on)"; empty: none.
std::string left_out(const LadderSeries& one);

// "2^24", or the digits of what is no power of two.
std::string power_text(std::uint64_t n);
// The same with raised digits.
std::string raised_power_text(std::uint64_t n);

// Three digits, or all that a whole number has: "0.038", "37.2", "4613".
std::string rate_text(double gb_per_s);

// "NVIDIA H200 (driver 580.95.05, nvcc 13.0), AMD EPYC 9554 with 16 threads"
std::string machine_text(const BenchSetting& setting);

// "The widest interval of these medians is +-1.2 % on the GPU and +-30 % on the CPU."
std::string widest_text(const LadderTable& table);

// How it was measured, in sentences.
std::string method_text(const Ladder& ladder);
std::string method_text(const Comparison& comparison);

}  // namespace warpmark
