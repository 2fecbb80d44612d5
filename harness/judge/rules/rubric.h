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

namespace warpmark::judge {

struct VersionRule {
  // name of the submitted version, of its file (without extension) and of its function
  std::string name;
  bool host = false;  // true: plain C++, graded by Engine::host; false: CUDA
  // of a program: its source files, the first by name and further ones also by patterns (*.cu); else empty
  std::vector<std::string> sources;
  std::vector<Check> checks;       // in display order
  std::map<Check, double> points;  // per check, weight included; has an entry for each of `checks`
  // Points per check that stand beside the possible ones; checks without such points have no entry.
  std::map<Check, double> bonus;
  bool is_bonus = false;  // all points of the version stand beside the possible ones
  // Points of `correct` per group of Rubric::correct.groups; empty without groups.
  std::vector<double> group_points;
  std::vector<std::string> needs;  // versions whose `correct` must pass, or this one earns nothing
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
  SpeedUnit speed_unit = SpeedUnit::naive;
  std::vector<SpeedStep> steps;  // of `fast`, ascending; not empty if `checks` contains it
  std::vector<WorkLimit> work;   // limits of the check `work`; not empty if `checks` contains it
  // share of the points that the naive version may earn under this version's name, if not the usual one
  std::optional<double> naive_may_earn;
  [[nodiscard]] bool has(Check check) const;
  [[nodiscard]] Worth worth(Check check) const;
  // Returns the highest speed that `fast` requires without bonus; 0 without the check.
  [[nodiscard]] double required_speed() const;
  [[nodiscard]] std::string file() const;  // such as "v07_tree_sequential.cu"
};

// How the secret sizes of a grading are drawn: each part between two expressions of the parts before it.
struct SecretSizes {
  std::uint64_t count = 0;
  std::vector<std::pair<plain::Expression, plain::Expression>> ranges;  // by part, bounds included
  std::optional<plain::Expression> where;  // sizes for which it is 0 are drawn again
};

// A change of the course's solution that `assignment check` need not see fail, because it alters nothing that
// could be graded.
struct Equivalent {
  std::string line;       // text of the source line, without indentation
  std::string edit;       // "<= to <"
  std::uint64_t nth = 1;  // among the equal lines and edits of a file
  std::string version;    // the only version that it is for; empty: any
  int at = 0;             // line of the entry
};

struct Rubric {
  std::string assignment;                    // its name
  AssignmentHome home;                       // where its files are
  std::shared_ptr<const plain::Spec> plain;  // null for an assignment with a judge.cpp
  // How submitted programs are run; null unless kind = "program". Then sizes, types and contract are empty.
  std::shared_ptr<const program::Spec> program;
  std::string title;
  // name of the header with the function signatures, in the assignment's folder
  std::string contract;
  std::vector<std::string> types;  // element types that are graded
  std::string naive;               // kernel file that is the baseline of speedups; may be empty
  // name of the function that uploads the input, and of its .cu file; may be empty
  std::string upload;

  struct {
    std::vector<Size> sizes;       // on every engine
    std::vector<Size> gpu_sizes;   // additional sizes on a GPU
    std::vector<Size> host_sizes;  // additional sizes of host versions
    SecretSizes secret;
    std::optional<Size> shifted_size;  // size with misaligned buffers
    std::vector<SizeGroup> groups;     // parts of the check's points; empty: all or nothing
  } correct;
  struct Clean {
    std::vector<Size> sizes;
    std::optional<Size> large_size;  // run once, with the first type and -O2 code
    std::uint64_t schedules = 0;
    std::vector<std::string> cases;  // of programs: names of the cases; empty: all
    std::vector<CauseKind> lower;    // kinds of finding demoted from error to note
    std::vector<CauseKind> raise;    // kinds of finding promoted from note to error
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
    bool calibrate = true;  // calibrated thresholds replace the rubric's
  } fast;
  // Settings of versions in plain C++ (no CUDA) that differ from those of CUDA versions.
  struct {
    std::string contract;  // header in the assignment's folder, without CUDA
    std::string naive;     // sequential baseline of the speedups; may be empty
    std::string type;      // value type of `fast`
    Size size = 0;
    std::uint64_t most_cores = 0;  // cores at most for which a speedup is required; 0: all cores
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
  std::optional<Contest> contest;  // decided among the grades of a class, like the late policy
  // True: if a kernel file is missing, a file with a nearly matching name is graded in its place, with a
  // remark. False: the report only mentions that file.
  bool takes_near_names = false;

  std::vector<VersionRule> versions;  // ordered as the course teaches them
  std::vector<Equivalent> equivalent;

  [[nodiscard]] const VersionRule* find(const std::string& version) const;
  // Returns the name of the source file that contains the function: a kernel file or the upload function's.
  [[nodiscard]] std::string file_of(const std::string& function) const;
  [[nodiscard]] bool has_host_versions() const;
  [[nodiscard]] bool has_device_versions() const;  // true if any version is CUDA code
  [[nodiscard]] bool has_ranks() const;            // true if any version uses MPI
};

// Returns the rubric for other value types, at least one. `fast` keeps its type if it is one of them; else
// the naive kernel is built for the first.
Rubric with_types(Rubric rubric, std::vector<std::string> types);

// Parses and validates a rubric. Errors contain file, line and violated rule; `file` is the name used in
// errors.
Result<Rubric> parse_rubric(std::string_view text, const std::string& file, const std::string& assignment);
// Reads an assignment's rubric: its own, or another file for it.
Result<Rubric> read_rubric(const AssignmentHome& home, const std::filesystem::path& other = {});

}  // namespace warpmark::judge
