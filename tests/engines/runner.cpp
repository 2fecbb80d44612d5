#include "tests/engines/runner.h"

#include <mutex>

#include <fcntl.h>
#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/parallel.h"
#include "harness/judge/grading.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/judge.h"
#include "harness/judge/workers/engines.h"
#include "harness/program_analysis/program_run.h"
#include "harness/sandbox/process.h"
#include "tests/engines/record.h"
#include "tests/engines/without_fast.h"

namespace warpmark::engines {
namespace {

namespace fs = std::filesystem;
using sandbox::Clock;

constexpr std::chrono::minutes kLongestGrade{10};
constexpr std::uint64_t kSeed = 20261128;  // of fixtures without one: all runs get the same inputs

// Returns the line of the task's record; fails if the process does not write one.
Result<std::string> line_of(const Task& task, const Plan& plan, Clock::time_point end) {
  const TemporaryFolder scratch;
  const fs::path file = scratch.path() / "record.json";
  sandbox::Command command;
  command.argv = {
      plan.program.string(),           "--grade", task.fixture->id(), "--run", task.run, "--threads",
      fmt::format("{}", plan.threads), "--to",    file.string()};
  command.environment = program_analysis::environment_of_user();
  command.level = sandbox::Level::none;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  const auto ran = sandbox::run(command, std::min<std::chrono::milliseconds>(left, kLongestGrade));
  if (!ran) return tl::unexpected(ran.error());
  if (ran->timed_out) return fail("it did not end in its time");
  auto line = read_file(file);
  if (!line) return fail(fmt::format("its process ended without a record: {}", ran->ending.output));
  return line;
}

// Grades as beside a GPU, whose place a second simulator takes: the checks that a GPU decides run there,
// their calls are not watched, and the simulator's own checks run beside them.
Result<Grade> graded_beside_stand_in(judge::Installation installed, const judge::GradeOptions& options) {
  auto opened = judge::open_submission(options.submission, options.assignment, options.rubric, installed,
                                       options.cache);
  if (!opened) return tl::unexpected(opened.error());
  judge::Engines engines = judge::find_engines(installed, judge::kEngineLimit, true);
  judge::look_for_mpi(engines);
  engines.toolchains[Engine::gpu] = engines.toolchains.at(Engine::simulator);
  engines.devices[Engine::gpu] = engines.devices.at(Engine::simulator);
  engines.missing.erase(Engine::gpu);
  installed.played_by[Engine::gpu] = Engine::simulator;
  judge::Rubric rubric = judge::rubric_for(opened->submission, opened->rubric);
  rubric.correct.gpu_sizes.clear();
  const judge::Course course = judge::resolve(rubric, std::nullopt, {options.focus, options.only});
  return judge::Grading(installed, options, course, *opened->assignment, opened->submission, engines,
                        Engine::gpu, *options.focus.seed)
      .run();
}

}  // namespace

void run(const Plan& plan) {
  const UniqueFd records(::open(plan.records.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
  const Clock::time_point end = Clock::now() + plan.limit;
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(plan.tasks.size(), plan.jobs, [&](std::size_t i) {
    const Task& task = plan.tasks[i];
    if (Clock::now() >= end) return;
    const auto line = line_of(task, plan, end);
    const std::scoped_lock lock(mutex);
    ++done;
    if (line && write_all(records.get(), *line + "\n") == 0) {
      fmt::print(stderr, "{} of {}: {} {}\n", done, plan.tasks.size(), task.fixture->id(), task.run);
    } else {
      fmt::print(stderr, "{} of {}: {} {} has no record: {}\n", done, plan.tasks.size(), task.fixture->id(),
                 task.run, line ? plan.records.string() + " cannot be written" : line.error().message);
    }
  });
}

Result<void> grade_into(const Fixture& fixture, const std::string& run, unsigned threads,
                        const fs::path& file) {
  const TemporaryFolder scratch;
  auto options = fixture.prepare(scratch.path());
  if (!options) return tl::unexpected(options.error());
  if (!options->rubric.empty()) {
    const auto rubric = read_file(options->rubric);
    if (!rubric) return tl::unexpected(rubric.error());
    const auto kept = without_fast(*rubric);
    if (!kept) return tl::unexpected(kept.error());
    if (auto written = write_file(options->rubric, *kept); !written) return written;
  }
  options->cache = WARPMARK_CACHE;
  options->engine = run.starts_with("gpu") ? Engine::gpu : Engine::simulator;
  options->jobs = threads;
  if (!options->focus.seed) options->focus.seed = kSeed;
  judge::Installation installed{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
  installed.sandbox = sandbox::best_level();  // as the command does
  const auto grade = run.starts_with(kStandIn) ? graded_beside_stand_in(installed, *options)
                                               : judge::grade_submission(installed, *options);
  return write_file(file, to_line(grade ? record_of(fixture.id(), run, *grade)
                                        : record_of_refusal(fixture.id(), run, grade.error().message)));
}

}  // namespace warpmark::engines
