// Thresholds that were measured on one model of GPU: a file a model, written by `warpmark calibrate`, which
// takes the place of the rubric's defaults.
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
  double low = 0;        // the reference's speedup: the lowest end of the intervals of all runs
  double high = 0;       // and the highest
  double threshold = 0;  // that is asked for
};

struct Thresholds {
  std::string gpu;     // as CUDA names it
  std::string date;    // "2026-11-21"
  std::string driver;  // empty where it is not known
  std::string cuda;    // version of the runtime
  std::string type;    // value type
  std::uint64_t size = 0;
  std::uint64_t runs = 0;
  std::uint64_t rounds = 0;                // at least so many a run and version
  double naive_ms = 0;                     // median over the runs
  std::vector<VersionThreshold> versions;  // in teaching order
};

// How far the reference must stay above what is asked of others.
inline constexpr double kHeadroom = 1.25;
// Less than this, and a file is refused: a correct submission would not pass every time.
inline constexpr double kLeastHeadroom = 1.15;

// low / kHeadroom, rounded down to two digits.
double threshold_below(double low);

// "NVIDIA H200" -> "nvidia-h200".
std::string slug_of(std::string_view gpu);
std::filesystem::path thresholds_file(const std::filesystem::path& root, const std::string& assignment,
                                      std::string_view gpu);

std::string to_toml(const Thresholds& thresholds);
// The error names file, line and rule.
Result<Thresholds> read_thresholds(const std::filesystem::path& file);

// The thresholds of a model of GPU, if it was calibrated. The error names the remedy, too.
Result<std::optional<Thresholds>> thresholds_of(const std::filesystem::path& root,
                                                const std::string& assignment, std::string_view gpu);

}  // namespace warpmark::judge
