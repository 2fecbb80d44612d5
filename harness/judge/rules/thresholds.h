// Thresholds measured on one GPU model: one file per model, written by `warpmark calibrate`, which overrides
// the rubric's defaults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark::judge {

struct VersionThreshold {
  std::string version;
  double low = 0;        // lower end of the reference's speedup intervals over all runs
  double high = 0;       // upper end of them
  double threshold = 0;  // required speedup
};

struct Thresholds {
  std::string gpu;     // device name as CUDA reports it
  std::string date;    // "2026-11-21"
  std::string driver;  // empty if unknown
  std::string cuda;    // version of the CUDA runtime
  std::string type;    // value type
  std::uint64_t size = 0;
  std::uint64_t runs = 0;
  std::uint64_t rounds = 0;                // minimum per run and version
  double naive_ms = 0;                     // median over the runs
  std::vector<VersionThreshold> versions;  // in teaching order
};

// Factor by which the reference's speedup exceeds the threshold.
inline constexpr double kHeadroom = 1.25;
// A thresholds file with less headroom is refused, because a correct submission would not pass reliably.
inline constexpr double kLeastHeadroom = 1.15;

// Returns low / kHeadroom, rounded down to two significant digits.
double threshold_below(double low);

// Returns the GPU's name as a file name: "NVIDIA H200" -> "nvidia-h200".
std::string slug_of(std::string_view gpu);
std::filesystem::path thresholds_file(const std::filesystem::path& root, const std::string& assignment,
                                      std::string_view gpu);

std::string to_toml(const Thresholds& thresholds);
// Errors contain file, line and violated rule.
Result<Thresholds> read_thresholds(const std::filesystem::path& file);

// Returns the thresholds of a GPU model, or nullopt if it was not calibrated. An error includes the remedy.
Result<std::optional<Thresholds>> thresholds_of(const std::filesystem::path& root,
                                                const std::string& assignment, std::string_view gpu);

}  // namespace warpmark::judge
