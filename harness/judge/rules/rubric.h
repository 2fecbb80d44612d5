// An assignment's rubric, read from TOML: the kernel files that students write, points per check, test sizes,
// thresholds, limits.
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
  // name of the submitted version, of its file (without extension) and of its function
  std::string name;
  bool host = false;               // true: plain C++, graded by Engine::host; false: CUDA
  std::vector<Check> checks;       // in display order
  std::map<Check, double> points;  // per check; has an entry for each of `checks`
  // complete in the students' template, so never reported as `not_implemented`
  bool given = false;
  // only the course's solution has the file: graded if present, else left out
  bool reference_only = false;
  // cannot run on the simulator: without a GPU every check reports `no_gpu`
  bool gpu_only = false;
  std::vector<std::string> libraries;  // CUDA toolkit libraries to link, such as "cublas"
  std::vector<std::string> uses;       // header-only libraries that the file may include: "thrust", "cub"
  std::vector<int> ranks;              // numbers of MPI ranks to run with; empty: no MPI
  int gpus = 1;                        // GPUs visible to the program; with MPI, to each rank
  double speedup = 0;                  // default threshold of `fast`: speedup over the naive kernel
  double efficiency = 0;               // CPU-only code: required speedup per core
  std::vector<WorkLimit> work;         // limits of the check `work`; not empty if `checks` contains it
  [[nodiscard]] bool has(Check check) const;
  [[nodiscard]] std::string file() const;  // such as "v07_tree_sequential.cu"
};

struct Rubric {
  std::string assignment;
  std::string title;
  // name of the header with the function signatures, in the assignment's folder
  std::string contract;
  std::vector<std::string> types;  // element types that are graded
  std::string naive;               // kernel file that is the baseline of speedups; may be empty
  // name of the function that uploads the input, and of its .cu file; may be empty
  std::string upload;

  struct {
    std::vector<std::uint64_t> sizes;       // sizes on every engine (GPU, simulator, CPU), in input elements
    std::vector<std::uint64_t> gpu_sizes;   // additional sizes on a real GPU
    std::vector<std::uint64_t> host_sizes;  // additional sizes of CPU-only code
    std::uint64_t secret_sizes = 0;         // number of random sizes per grading, unknown to the student
    std::uint64_t secret_max = 0;           // upper limit of the random sizes
    std::uint64_t shifted_size = 0;         // size whose input is not aligned to 256 bytes; 0: none
  } correct;
  struct Clean {
    std::vector<std::uint64_t> sizes;
    std::uint64_t large_size = 0;  // large input, run once with the first element type and -O2 code; 0: none
    std::uint64_t schedules = 0;
    std::vector<CauseKind> lower;  // kinds of finding demoted from error to note
    std::vector<CauseKind> raise;  // kinds of finding promoted from note to error
    [[nodiscard]] bool fails(CauseKind remark) const;
  } clean;
  struct {
    double points = 0;
    std::uint64_t size = 0;             // size of the uploaded input, in elements
    std::uint64_t allowance_bytes = 0;  // bytes that may be copied to the device in addition to the input
  } upload_once;
  struct {
    std::string type;
    std::uint64_t size = 0;  // input size, in elements
  } work;
  struct {
    std::string type;
    std::uint64_t size = 0;  // input size, in elements
    bool calibrate = true;   // speedups measured by `warpmark calibrate` replace the rubric's
  } fast;
  // Settings of versions in plain C++ (no CUDA) that differ from those of CUDA versions.
  struct {
    std::string contract;  // header with the function signatures, without CUDA; in the assignment's folder
    std::string naive;     // sequential version that is the baseline of speedups; may be empty
    std::string type;      // element type of `fast`
    std::uint64_t size = 0;
    std::uint64_t most_cores = 0;  // cap on the cores counted in the required speedup; 0: no cap
  } host;
  struct {
    std::chrono::milliseconds build{120'000};  // per file, all compiler passes together
    std::chrono::milliseconds call{20'000};    // per request to a worker process
    // `correct` and `clean` of all kernel files of a submission together
    std::chrono::milliseconds submission{300'000};
  } limits;
  // Late policy. Applied when a class's grades are collected, because a single grade does not know the
  // submission date.
  struct Late {
    double percent_a_day = 0;  // percent of the points earned, deducted per started day after grace_days
    double grace_days = 0;
    double at_most_percent = 100;
  } late;
  // True: if a kernel file is missing, a file with a nearly matching name is graded in its place, with a
  // remark. False: the report only mentions that file.
  bool takes_near_names = false;

  std::vector<VersionRule> versions;  // ordered as the course teaches them

  [[nodiscard]] const VersionRule* find(const std::string& version) const;
  // Returns the name of the source file that contains the function: a kernel file or the upload function's.
  [[nodiscard]] std::string file_of(const std::string& function) const;
  [[nodiscard]] bool has_host_versions() const;
  [[nodiscard]] bool has_device_versions() const;  // true if any version is CUDA code
  [[nodiscard]] bool has_ranks() const;            // true if any version uses MPI
};

// Returns the folder of an assignment's rubric, function signatures and adapter (the harness's code for that
// assignment).
std::filesystem::path assignment_folder(const std::filesystem::path& root, const std::string& assignment);

// Returns the rubric with other element types; `types` must not be empty. If the type of `fast` is not among
// them, `fast` uses the first.
Rubric with_types(Rubric rubric, std::vector<std::string> types);

// Parses and validates a rubric. Errors contain file, line and violated rule; `file` is the name used in
// errors.
Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment);
Result<Rubric> read_rubric(const std::filesystem::path& file, const std::string& assignment);

}  // namespace warpmark::judge
