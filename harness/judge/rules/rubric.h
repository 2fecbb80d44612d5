// The rubric: which versions count, points a check, sizes, thresholds, limits. A TOML file an assignment.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/judge/rules/check.h"
#include "harness/judge/rules/work_limit.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

struct VersionRule {
  std::string name;                    // of the version, its file (without its ending) and its function
  bool host = false;                   // plain C++, graded by Engine::host; else CUDA
  std::vector<Check> checks;           // in the order in which they are shown
  std::map<Check, double> points;      // a check's points; every entry of `checks` has one
  bool given = false;                  // the template has it complete: never `not_implemented`
  bool reference_only = false;         // graded when its file is there, left out when it is not
  bool gpu_only = false;               // the simulator cannot run it: without a GPU every check is `no_gpu`
  std::vector<std::string> libraries;  // of the CUDA toolkit that it is linked with, as "cublas"
  std::vector<std::string> uses;       // "thrust", "cub": libraries made of headers that it may include
  std::vector<int> ranks;              // with MPI: numbers of ranks with which it is asked; empty: no MPI
  int gpus = 1;                        // that it finds; of a version with ranks each of them finds all
  double speedup = 0;                  // the threshold of `fast`, over the naive version
  double efficiency = 0;               // of a host version: what speedup is asked for each core
  std::vector<WorkLimit> work;         // the limits of `work`; one at least where the version has that check
  [[nodiscard]] bool has(Check check) const;
  [[nodiscard]] std::string file() const;  // "v07_tree_sequential.cu"
};

struct Rubric {
  std::string assignment;
  std::string title;
  std::string contract;            // header, in the assignment's folder
  std::vector<std::string> types;  // graded value types
  std::string naive;               // the version that speedups are measured against; may be empty
  std::string upload;              // the upload function and its file; may be empty

  struct {
    std::vector<std::uint64_t> sizes;       // on every engine, in values
    std::vector<std::uint64_t> gpu_sizes;   // on a GPU as well
    std::vector<std::uint64_t> host_sizes;  // of host versions as well
    std::uint64_t secret_sizes = 0;         // how many sizes to draw anew each time
    std::uint64_t secret_max = 0;           // their upper end
    std::uint64_t shifted_size = 0;  // the size at which the input begins off every wide boundary; 0: none
  } correct;
  struct Clean {
    std::vector<std::uint64_t> sizes;
    std::uint64_t large_size = 0;  // asked of the first type, once, as optimised; 0: none
    std::uint64_t schedules = 0;
    std::vector<CauseKind> lower;  // remarks that become notes
    std::vector<CauseKind> raise;  // remarks that are notes by default and shall fail
    [[nodiscard]] bool fails(CauseKind remark) const;
  } clean;
  struct {
    double points = 0;
    std::uint64_t size = 0;             // in values
    std::uint64_t allowance_bytes = 0;  // that may cross beside the data set
  } upload_once;
  struct {
    std::string type;
    std::uint64_t size = 0;  // in values
  } work;
  struct {
    std::string type;
    std::uint64_t size = 0;  // in values
    bool calibrate = true;   // measured thresholds take the place of those in the rubric
  } fast;
  // What is different for host versions.
  struct {
    std::string contract;  // header, in the assignment's folder: it needs no CUDA
    std::string naive;     // the sequential version that speedups are measured against; may be empty
    std::string type;      // of `fast`
    std::uint64_t size = 0;
    std::uint64_t most_cores = 0;  // for which a speedup is asked, however many there are; 0: for all
  } host;
  struct {
    std::chrono::milliseconds build{120'000};       // all passes of one file
    std::chrono::milliseconds call{20'000};         // one request to a worker
    std::chrono::milliseconds submission{300'000};  // `correct` and `clean` of all versions: see TimeBudget
  } limits;
  // Of a whole class. What it takes off depends on the calendar, so no single grade knows it.
  struct Late {
    double percent_a_day = 0;  // of the points earned, for every day begun after the grace days
    double grace_days = 0;
    double at_most_percent = 100;
  } late;
  // A file whose name is almost a version's takes its place, with a remark; else it is named and not graded.
  bool takes_near_names = false;

  std::vector<VersionRule> versions;  // in teaching order

  [[nodiscard]] const VersionRule* find(const std::string& version) const;
  // The file of a version, or of the upload function.
  [[nodiscard]] std::string file_of(const std::string& function) const;
  [[nodiscard]] bool has_host_versions() const;
  [[nodiscard]] bool has_device_versions() const;  // those of CUDA
  [[nodiscard]] bool has_ranks() const;            // versions with MPI
};

// Where a rubric, contract and adapter of an assignment lie.
std::filesystem::path assignment_folder(const std::filesystem::path& root, const std::string& assignment);

// Checks a rubric's text. The error names file, line and rule; file: its name, for errors.
Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment);
Result<Rubric> read_rubric(const std::filesystem::path& file, const std::string& assignment);

}  // namespace warpmark::judge
