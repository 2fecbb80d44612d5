#include "tests/reports/sample_grade.h"

#include <utility>

#include <fmt/format.h>

#include "harness/judge/score.h"
#include "tests/reports/sample_work.h"

namespace warpmark {
namespace {

struct Worth {
  std::string_view check;
  double points;
};
constexpr Worth kWorth[] = {{"builds", 1}, {"correct", 3}, {"clean", 2}, {"fast", 2}};

std::string again(const std::string& version, const Cause& cause) {
  std::string command = fmt::format("./warpmark grade submissions/ada --only '{}*'", version);
  if (cause.n) command += fmt::format(" --size {}", *cause.n);
  if (!cause.seed.empty()) command += " --seed " + cause.seed;
  return command;
}

CheckResult result(const std::string& version, const Worth& worth, Verdict verdict,
                   std::vector<Cause> causes = {}) {
  CheckResult check;
  check.id = fmt::format("reduction.{}.{}", version, worth.check);
  check.version = version;
  check.check = worth.check;
  check.engine = worth.check == "fast" ? Engine::gpu : Engine::simulator;
  check.verdict = verdict;
  check.causes = std::move(causes);
  check.seconds = 0.25;
  const bool open = !check.causes.empty() && judge::leaves_points_open(check.causes.front().kind);
  check.points = verdict == Verdict::passed ? worth.points : 0;
  check.possible = worth.points;
  check.open = open ? worth.points : 0;
  return check;
}

Cause because(CauseKind kind, std::string message) {
  Cause cause;
  cause.kind = kind;
  cause.message = std::move(message);
  return cause;
}

Cause wrong_sum() {
  Cause cause =
      because(CauseKind::wrong_sum,
              "The sum of 1023 values is 1044991, must be 1046528. The tree starts at blockDim.x / 2, so "
              "with an odd number of values the last one is never added: test the index against n, not "
              "against the block.");
  cause.type = "int";
  cause.file = "v07_tree_sequential.cu";
  cause.line = 31;
  cause.expected = "1046528";
  cause.actual = "1044991";
  cause.n = 1023;
  cause.seed = "0x9e3779b97f4a7c15";
  cause.elements = {{1022, 1022, 0}};
  cause.accesses = {{"thread (0,0,0)", "shared[0]", 31, false}, {"thread (1,0,0)", "shared[0]", 29, true}};
  cause.launch = LaunchShape{"tree", {4, 1, 1}, {256, 1, 1}, 1024};
  cause.again = again("v07_tree_sequential", cause);
  cause.excerpt = {{29, "  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {"},
                   {30, "\tif (tid < s)"},
                   {31, "    shared[tid] += shared[tid + s];"},
                   {32, "    __syncthreads();"},
                   {33, "  }"}};
  return cause;
}

Cause compile_error() {
  Cause cause =
      because(CauseKind::compile_error, "use of undeclared identifier 'blockdim'; did you mean 'blockDim'?");
  cause.file = "v05_tree_modulo.cu";
  cause.line = 14;
  cause.again = again("v05_tree_modulo", cause);
  cause.excerpt = {{13, "  const unsigned tid = threadIdx.x;"},
                   {14, "  const std::size_t i = blockIdx.x * blockdim.x + tid;"},
                   {15, "  shared[tid] = i < n ? values[i] : 0;"}};
  cause.details =
      "v05_tree_modulo.cu:14:38: error: use of undeclared identifier 'blockdim'; did you mean 'blockDim'?\n"
      "  const std::size_t i = blockIdx.x * blockdim.x + tid;\n"
      "                                     ^~~~~~~~\n"
      "                                     blockDim\n"
      "1 error generated when compiling for sm_80.\n";
  return cause;
}

Cause divergent_barrier() {
  Cause cause =
      because(CauseKind::divergent_barrier,
              "32 of 256 threads of block 3 wait at this __syncthreads(), the others have left the kernel. "
              "Every thread of a block must reach the same barrier: move the return below the loop.");
  cause.file = "v09_tree_unrolled_warp.cu";
  cause.line = 22;
  cause.n = 1025;
  cause.type = "float";
  cause.seed = "0x1f";
  cause.again = again("v09_tree_unrolled_warp", cause);
  cause.excerpt = {{21, "  if (i >= n) return;"}, {22, "  __syncthreads();"}};
  return cause;
}

void add(Grade& grade, const std::string& version, std::vector<CheckResult> checks) {
  for (CheckResult& check : checks) {
    check.version = version;
    grade.checks.push_back(std::move(check));
  }
}

std::vector<CheckResult> waiting(const std::string& version, std::size_t first, const std::string& on) {
  std::vector<CheckResult> checks;
  for (std::size_t i = first; i < std::size(kWorth); ++i) {
    const std::string message = fmt::format("waits for reduction.{}.{}", version, on);
    checks.push_back(result(version, kWorth[i], Verdict::not_run, {because(CauseKind::depends, message)}));
  }
  return checks;
}

Cause early_exit() {
  Cause note =
      because(CauseKind::early_exit, "32 of the 256 threads of block (3,0,0) returned before this barrier.");
  note.file = "v04_atomic_per_block.cu";
  note.line = 21;
  note.other_line = 14;
  return note;
}

void add_passed(Grade& grade, const std::string& version) {
  for (const Worth& worth : kWorth) grade.checks.push_back(result(version, worth, Verdict::passed));
}

void add_stub(Grade& grade, const std::string& version) {
  const Cause stub = because(CauseKind::not_implemented, version + ".cu is still as in the template");
  grade.checks.push_back(result(version, kWorth[0], Verdict::failed, {stub}));
  add(grade, version, waiting(version, 1, "builds"));
}

CheckResult upload_once(Verdict verdict, std::vector<Cause> causes) {
  CheckResult check = result("", {"upload_once", 4}, verdict, std::move(causes));
  check.id = "reduction.upload_once";
  return check;
}

// What the judge does; here so that the sample adds up.
void add_up(Grade& grade) {
  for (const CheckResult& check : grade.checks) {
    grade.score.points += check.points;
    grade.score.possible += check.possible;
    grade.score.open += check.open;
    const bool gpu = !check.causes.empty() && check.causes.front().kind == CauseKind::no_gpu;
    if (gpu) grade.score.needs_gpu += check.open;
  }
}

Measurement measured(const std::string& version, double naive, double student, double threshold) {
  Measurement entry;
  entry.version = version;
  entry.n = 1U << 26U;
  for (int sample = 0; sample < 24; ++sample) {
    const double wobble = 1 + 0.001 * (sample % 5 - 2);
    entry.naive_ms.push_back(naive * wobble);
    entry.student_ms.push_back(student * wobble);
  }
  entry.naive_median_ms = naive;
  entry.student_median_ms = student;
  entry.speedup = naive / student;
  entry.speedup_span = Span{entry.speedup * 0.993, entry.speedup * 1.005};
  entry.control_span = Span{0.997, 1.002};
  entry.threshold = threshold;
  entry.reference_span = Span{threshold * 1.25, threshold * 1.3};
  entry.calibrated = true;
  entry.decided_by = "interval";
  entry.naive_before_ms = 1.609;
  entry.naive_after_ms = 1.611;
  entry.naive_calibrated_ms = 1.61;
  entry.over_previous = 1.85;
  entry.gb_per_s = 268.4 / student;
  entry.percent_of_peak = entry.gb_per_s / 48.14;
  return entry;
}

}  // namespace

Grade sample_grade() {
  Grade grade;
  grade.assignment = "reduction";
  grade.submission_name = "ada";
  grade.submission_hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  grade.graded_at = "2026-11-22T14:03:11Z";
  grade.seed = "0x5eed";
  grade.rubric = "Parallel reduction (the course's own)";
  grade.remarks = {
      "v02_atomic_per_thred.cu is not the name of a version; did you mean v02_atomic_per_thread.cu?"};
  grade.engines = {{Engine::gpu, "NVIDIA H200", "nvcc 13.0", 4814},
                   {Engine::simulator, "Warpmark simulator", "clang 14.0.6"}};
  add_passed(grade, "v01_atomic_per_element");
  add_passed(grade, "v04_atomic_per_block");
  grade.checks[6].notes = {early_exit()};
  grade.checks.push_back(result("v05_tree_modulo", kWorth[0], Verdict::failed, {compile_error()}));
  add(grade, "v05_tree_modulo", waiting("v05_tree_modulo", 1, "builds"));
  grade.checks.push_back(result("v07_tree_sequential", kWorth[0], Verdict::passed));
  grade.checks.push_back(result("v07_tree_sequential", kWorth[1], Verdict::failed, {wrong_sum()}));
  grade.checks.push_back(result("v07_tree_sequential", kWorth[2], Verdict::passed));
  for (const std::size_t unearned : {grade.checks.size() - 3, grade.checks.size() - 1}) {
    grade.checks[unearned].points = 0;
    grade.checks[unearned].notes = {because(CauseKind::depends, "Earned only together with `correct`.")};
  }
  add(grade, "v07_tree_sequential", waiting("v07_tree_sequential", 3, "correct"));
  for (int i = 0; i < 2; ++i)
    grade.checks.push_back(result("v08_tree_first_add", kWorth[i], Verdict::passed));
  grade.checks.push_back(
      result("v08_tree_first_add", kWorth[2], Verdict::broken,
             {because(CauseKind::internal,
                      "The simulator stopped at an instruction that it does not know "
                      "(redux.sync.add.s32). Please report this; the points do not count.")}));
  Cause slow =
      because(CauseKind::too_slow,
              "Takes 0.403 ms for 67,108,864 values, the naive kernel 1.61 ms: 3.99 times as fast, asked are "
              "4.6 times. Look at the bank conflicts on the simulator's page.");
  slow.expected = "at least 4.6x";
  slow.actual = "3.99x";
  slow.n = 1U << 26U;
  grade.checks.push_back(result("v08_tree_first_add", kWorth[3], Verdict::failed, {slow}));
  for (int i = 0; i < 2; ++i)
    grade.checks.push_back(result("v09_tree_unrolled_warp", kWorth[i], Verdict::passed));
  Cause again_wrong = because(CauseKind::out_of_bounds, "Reads 4 bytes behind the end of values.");
  again_wrong.file = "v09_tree_unrolled_warp.cu";
  again_wrong.line = 18;
  grade.checks.push_back(
      result("v09_tree_unrolled_warp", kWorth[2], Verdict::failed, {divergent_barrier(), again_wrong}));
  grade.checks.push_back(
      result("v09_tree_unrolled_warp", kWorth[3], Verdict::inconclusive,
             {because(CauseKind::noise,
                      "The naive kernel took 1.93 ms, 1.61 ms when calibrated: something else uses "
                      "this GPU. Grade again when it is idle.")}));
  for (const char* stub : {"v11_tree_grid_stride", "v13_shared_grid_stride", "v16_warp_shuffle"})
    add_stub(grade, stub);
  for (const Worth& worth : kWorth) {
    if (worth.check != "clean") grade.checks.push_back(result("v20_cub", worth, Verdict::passed));
  }
  Cause again_uploaded =
      because(CauseKind::uploaded_again,
              "v13_shared_grid_stride copied 67108864 bytes to the GPU again. Copy the values once, "
              "in upload.cu, and use the pointer that you are given.");
  again_uploaded.file = "upload.cu";
  again_uploaded.line = 9;
  grade.checks.push_back(upload_once(Verdict::failed, {again_uploaded}));
  add_up(grade);
  grade.measurements = {measured("v01_atomic_per_element", 1.6102, 1.6101, 0.5),
                        measured("v04_atomic_per_block", 1.6102, 0.0684, 14),
                        measured("v08_tree_first_add", 1.6099, 0.403, 4.6)};
  Timing& timing = grade.timing.emplace();
  timing.calibration = "NVIDIA H200, 2026-11-21, driver 580.65, CUDA 13.0";
  timing.control_span = Span{0.998, 1.001};
  timing.before = {"580.65", 0, 1980, 3201, 41, {}};
  timing.after = {"580.65", 2, 1755, 3201, 48, {"power limit"}};
  timing.exclusive_seconds = 12.5;
  const char* again = "v13_shared_grid_stride";
  grade.transfers = {
      {"upload", "host_to_device", 12345, true, "copy", Phase::between, "", 0, 1, 0, Period{0, 20}},
      {"upload", "host_to_device", 67108864, false, "copy", Phase::call, "upload.cu", 16, 1, 1,
       Period{30, 5000}},
      {again, "host_to_device", 67108864, false, "copy", Phase::call, "", 0, 2, 2, Period{6000, 11000}},
      {again, "device_to_host", 4, false, "copy", Phase::between, "", 0, 1, 4, {}}};
  grade.launches = {{again, Phase::call, "add_up", 3, 3, Period{12000, 12500}}};
  add_sample_work(grade);
  grade.unwatched = {{"v19_thrust", "the rubric gives this version to a GPU alone"},
                     {"v20_cub", "the rubric gives this version to a GPU alone"}};
  grade.exit_status = 3;
  grade.seconds = 41.5;
  grade.tool_version = "0.1.0";
  return grade;
}

Grade sample_grade_without_gpu() {
  Grade grade;
  grade.assignment = "reduction";
  grade.submission_name = "grace";
  grade.submission_hash = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752";
  grade.engines = {{Engine::simulator, "Warpmark simulator", "clang 14.0.6"}};
  const Cause no_gpu = because(CauseKind::no_gpu, "");
  for (const char* version : {"v01_atomic_per_element", "v04_atomic_per_block", "v07_tree_sequential"}) {
    for (int i = 0; i < 3; ++i) grade.checks.push_back(result(version, kWorth[i], Verdict::passed));
    grade.checks.push_back(result(version, kWorth[3], Verdict::not_run, {no_gpu}));
  }
  grade.checks.push_back(upload_once(Verdict::passed, {}));
  add_up(grade);
  grade.exit_status = 0;
  grade.seconds = 3;
  grade.tool_version = "0.1.0";
  return grade;
}

void for_each_text(Grade& grade, const std::function<void(std::string&)>& changed) {
  // An empty text says that there is nothing: a check without a version is one of the whole submission.
  const auto change = [&changed](std::string& text) {
    if (!text.empty()) changed(text);
  };
  change(grade.assignment);
  change(grade.submission_name);
  change(grade.submission_hash);
  for (std::string& remark : grade.remarks) change(remark);
  change(grade.seed);
  change(grade.rubric);
  change(grade.tool_version);
  for (EngineUsed& used : grade.engines) {
    change(used.device);
    change(used.compiler);
  }
  for (CheckResult& check : grade.checks) {
    change(check.id);
    change(check.version);
    change(check.check);
    for (std::vector<Cause>* causes : {&check.causes, &check.notes}) {
      for (Cause& cause : *causes) {
        for (std::string* text : {&cause.message, &cause.type, &cause.file, &cause.expected, &cause.actual,
                                  &cause.seed, &cause.again, &cause.details, &cause.printed}) {
          change(*text);
        }
        for (SourceLine& line : cause.excerpt) change(line.text);
        if (cause.launch) change(cause.launch->kernel);
        for (RacingAccess& access : cause.accesses) {
          change(access.thread);
          change(access.element);
        }
      }
    }
  }
  for (Measurement& entry : grade.measurements) change(entry.version);
  for (AuditedTransfer& transfer : grade.transfers) {
    change(transfer.during);
    change(transfer.kind);
  }
  for (AuditedLaunch& launch : grade.launches) {
    change(launch.during);
    change(launch.kernel);
  }
  for_each_text_of_work(grade, change);
}

}  // namespace warpmark
