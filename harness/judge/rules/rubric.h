// The rubric of an assignment, read from TOML: graded versions, points per check, sizes, thresholds, limits.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/assignments/home.h"
#include "harness/assignments/plain/spec.h"
#include "harness/base/error.h"
#include "harness/judge/rules/check.h"
#include "harness/judge/rules/work_limit.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

struct VersionRule {
  std::string name;                    // of the version, its file (without extension) and its function
  bool host = false;                   // true: plain C++, graded by Engine::host; false: CUDA
  std::vector<Check> checks;           // in display order
  std::map<Check, double> points;      // per check; every entry of `checks` has one
  bool given = false;                  // complete in the template, so never `not_implemented`
  bool reference_only = false;         // graded if its file exists, else left out
  bool gpu_only = false;               // not simulated: without a GPU every check is `no_gpu`
  std::vector<std::string> libraries;  // CUDA toolkit libraries to link, such as "cublas"
  std::vector<std::string> uses;       // header-only libraries that it may include: "thrust", "cub"
  std::vector<int> ranks;              // numbers of MPI ranks to run it with; empty: no MPI
  int gpus = 1;                        // devices visible to it; with MPI, to each rank
  double speedup = 0;                  // default threshold of `fast`: speedup over the naive version
  double efficiency = 0;               // of a host version: required speedup per core
  std::vector<WorkLimit> work;         // limits of `work`; at least one if the version has that check
  [[nodiscard]] bool has(Check check) const;
  [[nodiscard]] std::string file() const;  // "v07_tree_sequential.cu"
};

// How the secret sizes of a grading are drawn: each part between two expressions of the parts before it.
struct SecretSizes {
  std::uint64_t count = 0;
  std::vector<std::pair<plain::Expression, plain::Expression>> ranges;  // by part, bounds included
  std::optional<plain::Expression> where;                               // sizes for which it is 0 are drawn again
};

struct Rubric {
  std::string assignment;  // its name
  AssignmentHome home;     // where its files are
  std::shared_ptr<const plain::Spec> plain;  // null for an assignment with a class of its own
  std::string title;
  std::string contract;            // header file in the assignment's folder
  std::vector<std::string> types;  // graded value types
  std::string naive;               // baseline of the speedups; may be empty
  std::string upload;              // upload function and its file's stem; may be empty

  struct {
    std::vector<Size> sizes;       // on every engine
    std::vector<Size> gpu_sizes;   // additional sizes on a GPU
    std::vector<Size> host_sizes;  // additional sizes of host versions
    SecretSizes secret;
    std::optional<Size> shifted_size;  // size with misaligned buffers
  } correct;
  struct Clean {
    std::vector<Size> sizes;
    std::optional<Size> large_size;  // run once, with the first type and -O2 code
    std::uint64_t schedules = 0;
    std::vector<CauseKind> lower;  // remarks demoted to notes
    std::vector<CauseKind> raise;  // remarks that are notes by default, promoted to errors
    [[nodiscard]] bool fails(CauseKind remark) const;
  } clean;
  struct {
    double points = 0;
    std::uint64_t size = 0;             // values of the uploaded buffer, and the only part of the size
    std::uint64_t allowance_bytes = 0;  // bytes that may cross besides the data set
  } upload_once;
  struct {
    std::string type;
    Size size = 0;
  } work;
  struct {
    std::string type;
    Size size = 0;
    bool calibrate = true;   // calibrated thresholds replace the rubric's
  } fast;
  // Settings of host versions that differ from CUDA's.
  struct {
    std::string contract;  // header in the assignment's folder, without CUDA
    std::string naive;     // sequential baseline of the speedups; may be empty
    std::string type;      // value type of `fast`
    Size size = 0;
    std::uint64_t most_cores = 0;  // cores at most for which a speedup is required; 0: all cores
  } host;
  struct {
    std::chrono::milliseconds build{120'000};  // per file, all compiler passes
    std::chrono::milliseconds call{20'000};    // per request to a worker
    // `correct` and `clean` of all versions together: see TimeBudget
    std::chrono::milliseconds submission{300'000};
  } limits;
  // Late policy of a class. Its deduction depends on the submission date, which no single grade knows.
  struct Late {
    double percent_a_day = 0;  // of the points earned, per started day after the grace days
    double grace_days = 0;
    double at_most_percent = 100;
  } late;
  // If a version's file is missing, a file with a nearly matching name is graded in its place, with a remark;
  // if false, it is only mentioned.
  bool takes_near_names = false;

  std::vector<VersionRule> versions;  // in teaching order

  [[nodiscard]] const VersionRule* find(const std::string& version) const;
  // Returns the file name of a version, or of the upload function.
  [[nodiscard]] std::string file_of(const std::string& function) const;
  [[nodiscard]] bool has_host_versions() const;
  [[nodiscard]] bool has_device_versions() const;  // CUDA versions
  [[nodiscard]] bool has_ranks() const;            // MPI versions
};

// Returns the rubric for other value types, at least one. `fast` keeps its type if it is one of them; else
// the naive kernel is built for the first.
Rubric with_types(Rubric rubric, std::vector<std::string> types);

// Parses and validates a rubric. Errors contain file, line and violated rule. file: its name in errors.
Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment);
// Reads an assignment's rubric: its own, or another file for it.
Result<Rubric> read_rubric(const AssignmentHome& home, const std::filesystem::path& other = {});

}  // namespace warpmark::judge
