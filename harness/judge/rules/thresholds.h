// Required speedups measured on one GPU model. `warpmark calibrate` writes one TOML file per model; its
// speedups override the rubric's defaults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/home.h"
#include "harness/assignments/size.h"
#include "harness/base/error.h"

namespace warpmark::judge {

struct VersionThreshold {
  std::string version;
  // lower end of the confidence intervals of the reference solution's speedup, over all runs
  double low = 0;
  // upper end of the confidence intervals of the reference solution's speedup, over all runs
  double high = 0;
  double threshold = 0;  // required speedup over the naive kernel
};

struct Thresholds {
  std::string gpu;     // device name as CUDA reports it
  std::string date;    // such as "2026-11-21"
  std::string driver;  // GPU driver version; empty if unknown
  std::string cuda;    // version of the CUDA runtime
  // The GPU's measured rates, if the thresholds are predicted from them: "936 GB/s, ..."; empty: the
  // reference solution was measured. Not part of a thresholds file.
  std::string probe = {};
  std::string type;  // element type
  Size size = 0;
  std::uint64_t runs = 0;
  // minimum number of rounds (naive, student, naive, student) timed per run and kernel file
  std::uint64_t rounds = 0;
  double naive_ms = 0;                     // naive kernel's time in milliseconds, median over the runs
  std::vector<VersionThreshold> versions;  // kernel files, ordered as the course teaches them
};

// Ratio of the reference solution's speedup to the speedup required from students.
inline constexpr double kHeadroom = 1.25;
// Least ratio of the reference solution's speedup to the required speedup. A thresholds file below it is
// refused: a correct submission would not pass reliably.
inline constexpr double kLeastHeadroom = 1.15;

// Returns the required speedup for a reference solution that reached `low`: low / kHeadroom, rounded down to
// two significant digits.
double threshold_below(double low);

// Converts a GPU's name to a file name: "NVIDIA H200" -> "nvidia-h200".
std::string slug_of(std::string_view gpu);
std::filesystem::path thresholds_file(const AssignmentHome& home, std::string_view gpu);

std::string to_toml(const Thresholds& thresholds);
// Parses a thresholds file. Errors contain file, line and violated rule.
Result<Thresholds> read_thresholds(const std::filesystem::path& file);

// Reads the thresholds of a GPU model; nullopt if that model was not calibrated. Errors include the remedy.
Result<std::optional<Thresholds>> thresholds_of(const AssignmentHome& home, std::string_view gpu);

}  // namespace warpmark::judge
