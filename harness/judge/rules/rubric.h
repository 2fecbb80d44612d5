// An assignment's rubric, read from TOML: the kernel files that students write, points per check, test sizes,
// thresholds, limits.
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
#include "harness/assignments/program/spec.h"
#include "harness/base/error.h"
#include "harness/judge/rules/check.h"
#include "harness/judge/rules/points.h"
#include "harness/judge/rules/work_limit.h"
#include "harness/model/grade.h"
#include "harness/model/staged_help.h"

namespace warpmark::judge {

struct VersionRule {
  // name of a kernel file (without extension), which is also the name of its function
  std::string name;
  bool host = false;  // true: plain C++, graded by Engine::host; false: CUDA
  // Source files of a submitted program: the first is a name, further ones are names or patterns (*.cu).
  // Empty if the submission consists of functions.
  std::vector<std::string> sources;
  std::vector<Check> checks;  // checks of the kernel file, in display order
  // points per check of the kernel file, multiplied by its weight; has an entry for each of `checks`
  std::map<Check, double> points;
  // Bonus points per check, which do not count towards a grade's maximum; checks without bonus have no entry.
  std::map<Check, double> bonus;
  // true: all points of the kernel file are bonus points, outside of a grade's maximum
  bool is_bonus = false;
  // The kernel file's points of `correct` for each of the rubric's groups of input sizes
  // (Rubric::correct.groups); empty without groups.
  std::vector<double> group_points;
  // Other kernel files that must pass `correct`; if one of them does not, this kernel file earns no points.
  std::vector<std::string> needs;
  // true: the kernel file is complete in the students' template, so never reported as `not_implemented`
  bool given = false;
  // true: only the course's solution has the kernel file: graded if present, else left out
  bool reference_only = false;
  // true: the kernel file cannot run on the simulator; without a GPU each of its checks reports `no_gpu`
  bool gpu_only = false;
  std::vector<std::string> libraries;  // CUDA toolkit libraries to link, such as "cublas"
  std::vector<std::string> uses;       // header-only libraries that the file may include: "thrust", "cub"
  std::vector<int> ranks;              // numbers of MPI ranks with which the code is run; empty: no MPI
  int gpus = 1;                        // GPUs visible to the program; with MPI, to each rank
  SpeedUnit speed_unit = SpeedUnit::naive;
  // speeds that the check `fast` requires, with their points, ascending; not empty if `checks` contains
  // `fast`
  std::vector<SpeedStep> steps;
  // limits of the check `work` on counted work, such as memory requests; not empty if `checks` contains it
  std::vector<WorkLimit> work;
  std::string work_data;  // class of data of the call whose work is counted; empty: the first class
  // Greatest share of a kernel file's points that a naive solution may earn, tested by `assignment check`;
  // nullopt: the default.
  std::optional<double> naive_may_earn;
  [[nodiscard]] bool has(Check check) const;
  [[nodiscard]] Worth worth(Check check) const;
  // Returns the highest speed that the check `fast` requires without bonus; 0 for a kernel file without that
  // check.
  [[nodiscard]] double required_speed() const;
  [[nodiscard]] std::string file() const;      // such as "v07_tree_sequential.cu"
  [[nodiscard]] const char* baseline() const;  // what `fast` compares it with, in words: "naive kernel"
};

// Random secret input sizes of a grading. Each part of a size (such as rows, columns) is drawn between two
// bounds, which are expressions of the parts drawn before it.
struct SecretSizes {
  std::uint64_t count = 0;
  // lower and upper bound per part of a size, inclusive
  std::vector<std::pair<plain::Expression, plain::Expression>> ranges;
  // condition on a secret input size; another size is drawn while it is 0
  std::optional<plain::Expression> where;
};

// A mutation of the course's solution that need not fail any check in `assignment check`, because it alters
// nothing that could be graded.
struct Equivalent {
  std::string line;       // text of the source line to mutate, without indentation
  std::string edit;       // "<= to <"
  std::uint64_t nth = 1;  // number of the mutated line among the file's equal lines, from 1
  std::string version;    // name of the kernel file that is mutated; empty: any
  int at = 0;             // line of the mutation's entry in the rubric
};

struct Rubric {
  std::string assignment;
  AssignmentHome home;
  // buffers and sizes declared in assignment.toml; null if a judge.cpp defines the assignment
  std::shared_ptr<const plain::Spec> plain;
  // How submitted programs are run; null unless the assignment's kind is "program". For programs, the rubric
  // has no sizes, types and header of function signatures (contract).
  std::shared_ptr<const program::Spec> program;
  std::string title;
  // name of the header with the function signatures, in the assignment's folder
  std::string contract;
  std::vector<std::string> types;  // element types for which kernels are graded
  std::string naive;               // kernel file that is the baseline of speedups; may be empty
  // name of the function that uploads the input, and of its .cu file; may be empty
  std::string upload;

  struct {
    std::vector<Size> sizes;       // input sizes tested on every engine
    std::vector<Size> gpu_sizes;   // additional input sizes on a GPU
    std::vector<Size> host_sizes;  // additional input sizes of plain C++ code
    SecretSizes secret;
    std::optional<Size> shifted_size;  // input size tested with misaligned buffers
    std::vector<SizeGroup> groups;     // groups of sizes that earn points separately; empty: all or nothing
  } correct;
  struct Clean {
    std::vector<Size> sizes;
    // input size of the only large run of `clean`: first element type, -O2 code
    std::optional<Size> large_size;
    std::uint64_t schedules = 0;
    std::vector<std::string> cases;  // names of a program's test cases that are run; empty: all
    std::vector<CauseKind> lower;    // kinds of finding demoted from error to note
    std::vector<CauseKind> raise;    // kinds of finding promoted from note to error
    [[nodiscard]] bool fails(CauseKind remark) const;
  } clean;
  struct {
    double points = 0;
    std::uint64_t size = 0;             // number of values in the buffer that the upload audit uploads
    std::uint64_t allowance_bytes = 0;  // bytes that may be copied to the GPU besides the input
  } upload_once;
  struct {
    std::string type;
    Size size = 0;  // largest size that is drawn; see work_case()
    // bytes per value that a version must read from global memory at least; 0: no such limit
    double reads_at_least = 0;
    // the most instructions that may follow one another, see WorkCounter::span; 0: no such limit
    double span_at_most = 0;
  } work;
  struct {
    std::string type;
    Size size = 0;
    bool calibrate = true;  // true: speedups calibrated per GPU model replace the rubric's
    std::string test;       // name of the test case on which programs are timed
    // Sources of the naive program, whose name is `naive`; empty: there is none.
    std::vector<std::string> naive_sources;
  } fast;
  // Settings for kernel files in plain C++ (no CUDA) that differ from those for CUDA code.
  struct {
    std::string contract;  // header of the plain C++ function signatures, without CUDA
    std::string naive;     // sequential baseline of the speedups; may be empty
    std::string type;      // element type with which plain C++ code is timed
    Size size = 0;
    std::uint64_t most_cores = 0;  // maximum number of cores for which a speedup is required; 0: all cores
  } host;
  struct {
    std::chrono::milliseconds build{120'000};  // time limit to compile one file, all compiler passes together
    std::chrono::milliseconds call{20'000};    // time limit of one request to a worker process
    // time limit for the checks `correct` and `clean` of all kernel files of a submission together
    std::chrono::milliseconds submission{300'000};
  } limits;
  // Late policy. Applied when a class's grades are collected, because a single grade does not know the
  // submission date.
  struct Late {
    double percent_a_day = 0;  // percent of the points earned, deducted per started day after grace_days
    double grace_days = 0;
    double at_most_percent = 100;
  } late;
  std::optional<Contest> contest;  // contest for speed, decided among the grades of a class; nullopt: none
  // True: if a kernel file is missing, a file with a nearly matching name is graded in its place, with a
  // remark. False: the report only mentions that file.
  bool takes_near_names = false;
  HelpRules help;  // what copies for students show of failures
  // Percent of its points that a kernel file keeps if it is another one of the submission with other names.
  double same_code_keeps_percent = 100;

  std::vector<VersionRule> versions;  // kernel files that students write, in teaching order
  std::vector<Equivalent> equivalent;

  [[nodiscard]] const VersionRule* find(const std::string& version) const;
  // Returns the name of the source file that contains `function`: a kernel file, or the file of the function
  // that uploads the input.
  [[nodiscard]] std::string file_of(const std::string& function) const;
  [[nodiscard]] bool has_host_versions() const;
  [[nodiscard]] bool has_device_versions() const;  // true if any of the rubric's files is CUDA code
  [[nodiscard]] bool has_ranks() const;            // true if any of the rubric's files uses MPI
};

// Returns a copy of the rubric that grades the given element types, at least one. The check `fast` keeps its
// type if it is one of them; else it uses the first, so that the naive kernel is built for a graded type.
Rubric with_types(Rubric rubric, std::vector<std::string> types);

// Whether each version with the check `work` must have a limit. `optional` is for proposing limits.
enum class WorkLimits { required, optional };

// Parses and validates a rubric. Errors contain file, line and violated rule; `file` is the name used in
// errors.
Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment);
// Reads an assignment's rubric: from `other` if that is not empty, else from the assignment's own file.
Result<Rubric> read_rubric(const AssignmentHome& home, const std::filesystem::path& other = {},
                           WorkLimits limits = WorkLimits::required);

}  // namespace warpmark::judge
