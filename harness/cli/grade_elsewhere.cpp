#include "harness/cli/grade_elsewhere.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "harness/cli/report_files.h"
#include "harness/cli/stop_signals.h"
#include "harness/cli/terminal.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/joined.h"
#include "harness/remote/errand.h"
#include "harness/remote/gpu_part.h"
#include "harness/remote/grade_process.h"
#include "harness/remote/shell.h"
#include "harness/remote/slurm_place.h"
#include "harness/remote/ssh.h"

namespace warpmark::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kSsh = "ssh:";
constexpr std::chrono::milliseconds kStep{100};

std::string fault_of_place(const std::string& place) {
  if (place == "local" || place == "slurm") return {};
  const bool ssh = place.starts_with(kSsh) && place.size() > kSsh.size();
  // A host that begins with a dash would be an option of ssh.
  if (ssh && place[kSsh.size()] != '-') return {};
  return fmt::format("{}: write local, slurm or ssh:HOST", place);
}

Result<std::unique_ptr<remote::Place>> place_for(const OnArguments& on, const fs::path& out,
                                                 const std::stop_token& stop) {
  if (on.place == "slurm") {
    auto options = remote::slurm_options_from(on.slurm_options);
    if (!options) return tl::unexpected(options.error());
    auto place = remote::SlurmPlace::make(fs::absolute(out) / "slurm", std::move(*options));
    if (!place) return tl::unexpected(place.error());
    return std::move(*place);
  }
  auto place = remote::SshPlace::make(
      {on.place.substr(kSsh.size()), on.ssh_config, on.program, WARPMARK_VERSION, stop});
  if (!place) return tl::unexpected(place.error());
  return std::move(*place);
}

// Returns the options that select what both machines grade.
std::vector<std::string> common_options(const GradeArguments& arguments) {
  std::vector<std::string> options{"--only", arguments.only, "--sandbox", arguments.sandbox};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) options.insert(options.end(), {name, value});
  };
  add("--type", arguments.type);
  add("--size", arguments.size);
  add("--case", arguments.test);
  if (arguments.has_k) add("--k", fmt::format("{}", arguments.k));
  return options;
}

std::vector<std::string> options_here(const GradeArguments& arguments, const std::string& assignment,
                                      const std::string& seed) {
  std::vector<std::string> options = common_options(arguments);
  // A folder's name may begin with a dash.
  const bool dash = arguments.submission.starts_with('-');
  options.insert(options.begin(), {(dash ? "./" : "") + arguments.submission, "--assignment", assignment,
                                   "--engine", "simulator", "--seed", seed});
  if (!arguments.rubric.empty()) options.insert(options.end(), {"--rubric", arguments.rubric});
  if (!arguments.data.empty()) {
    options.push_back("--data");
    options.insert(options.end(), arguments.data.begin(), arguments.data.end());
  }
  if (arguments.jobs != 0) options.insert(options.end(), {"--jobs", fmt::format("{}", arguments.jobs)});
  if (arguments.for_student) options.push_back("--for-student");
  return options;
}

remote::GpuPartOrder order_for(const judge::GradeOptions& options, const GradeArguments& arguments,
                               const judge::Opened& opened) {
  remote::GpuPartOrder order;
  // A cluster's nodes have this program at the same path.
  order.program = arguments.on.place == "slurm"
                      ? remote::shell_quoted(fs::read_symlink("/proc/self/exe").string())
                      : remote::program_word(arguments.on.program);
  order.submission = options.submission;
  order.assignment = opened.rubric.home;
  order.rubric = options.rubric;
  order.data = options.data.files;
  order.options = common_options(arguments);
  if (arguments.engine == "simulator") order.engine = arguments.engine;
  order.seed_is_chosen = options.focus.seed.has_value();
  order.seed = fmt::format("{:#x}", options.focus.seed.value_or(judge::seed_from_the_system()));
  return order;
}

// Joins the grade of this machine with what the other one made.
Result<Grade> joined_with(Grade here, remote::Errand& errand, const judge::GradeOptions& options,
                          const judge::Rubric& rubric) {
  const auto broken = [&](const std::string& why) {
    return judge::without_gpu_part(
        std::move(here), make_cause(CauseKind::internal, why + ". Grade again, or here without --on"),
        rubric);
  };
  const auto ended = errand.result(remote::kGradeFile);
  if (!ended) return broken(ended.error().message);
  auto there = grade_from_json(ended->result);
  if (!there) return broken(options.on + " " + there.error().message);
  const std::string where = options.on == "slurm" ? "slurm:" + ended->machine : options.on;
  const auto gpu = std::ranges::find(there->engines, Engine::gpu, &EngineUsed::engine);
  const bool has_gpu = gpu != there->engines.end();
  std::string lack;
  if (!has_gpu && options.engine != Engine::simulator && !there->checks.empty() &&
      !there->checks.front().causes.empty())
    lack = there->checks.front().causes.front().message;
  if (!lack.empty() && options.engine == Engine::gpu)
    return fail(fmt::format("--engine gpu: {}: {}", where, lack));
  auto grade = judge::joined(std::move(here), {std::move(*there), where}, rubric, options);
  if (grade && !lack.empty())
    grade->remarks.push_back(
        fmt::format("graded on this machine's simulator, because {} has no usable GPU: {}", where, lack));
  return grade;
}

// Fails if the options need something that a grade in two parts does not have.
Result<void> check_arguments(const GradeArguments& arguments, const judge::Opened& opened,
                             const judge::GradeOptions& options) {
  if (arguments.engine == "host")
    return fail(fmt::format("--engine host: plain C++ is graded here; leave out --on {}", options.on));
  if (!judge::has_gpu_part(judge::rubric_for(opened.submission, opened.rubric), options)) {
    return fail(
        fmt::format("--on {}: nothing that is selected needs a GPU; leave the option out", options.on));
  }
  return {};
}

}  // namespace

void add_on_options(CLI::App& command, OnArguments& arguments) {
  command
      .add_option("--on", arguments.place,
                  "Where the checks run that a GPU decides: local, slurm (a job of the cluster whose login "
                  "node this is), or ssh:HOST; see below")
      ->check(fault_of_place)
      ->capture_default_str();
  command
      .add_option("--on-program", arguments.program,
                  "Warpmark's program on the host of --on ssh:HOST, a path or a name on PATH there")
      ->capture_default_str();
  command.add_option("--ssh-config", arguments.ssh_config, "Use this configuration of ssh (ssh -F)")
      ->check(CLI::ExistingFile);
  command.add_option("--slurm-options", arguments.slurm_options,
                     "For sbatch: \"--partition=gpu --time=30 --cpus-per-task=8\"");
}

Result<std::optional<Grade>> grade_in_two_parts(const judge::Installation& installation,
                                                const judge::GradeOptions& options,
                                                const GradeArguments& arguments) {
  const auto start = Clock::now();
  const StopSignals signals("grade: stopping");
  auto opened = judge::open_submission(options.submission, options.assignment, options.rubric, installation,
                                       options.cache);
  if (!opened) return tl::unexpected(opened.error());
  if (auto sound = check_arguments(arguments, *opened, options); !sound) return tl::unexpected(sound.error());
  const auto say = [&](const std::string& line) {
    if (options.progress) options.progress(line);
  };
  const TemporaryFolder travels;
  const remote::Parcel parcel = remote::pack(order_for(options, arguments, *opened), travels.path());
  const fs::path out =
      arguments.out.empty() ? default_out(installation, opened->submission.name) : fs::path(arguments.out);
  auto place = place_for(arguments.on, out, signals.token());
  if (!place) return tl::unexpected(place.error());
  remote::Errand errand(**place, parcel, say);
  const auto seed = errand.start();
  if (signals.token().stop_requested()) return std::nullopt;
  if (!seed) return fail(fmt::format("--on {}: {}", options.on, seed.error().message));
  const std::string assignment =
      opened->rubric.home.built_in ? opened->rubric.home.name : opened->rubric.home.folder.string();
  auto here = remote::GradeProcess::start(options_here(arguments, assignment, *seed), say);
  if (!here) return tl::unexpected(here.error());
  for (bool done_here = false, done_there = false; !done_here || !done_there;) {
    if (signals.token().stop_requested()) return std::nullopt;
    if (!done_there) done_there = errand.step(Clock::now());
    const bool was_done = std::exchange(done_here, done_here || here->step());
    if (done_here && !was_done && !done_there) say("done here; waiting for " + options.on);
    std::this_thread::sleep_for(kStep);
  }
  auto grade_here = here->grade();
  if (!grade_here) return tl::unexpected(grade_here.error());
  auto grade = joined_with(std::move(*grade_here), errand, options, opened->rubric);
  errand.remove();
  if (!grade) return tl::unexpected(grade.error());
  grade->seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return std::move(*grade);
}

}  // namespace warpmark::cli
