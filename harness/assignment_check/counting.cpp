#include "harness/assignment_check/counting.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/assignment_check/mutant_judge.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/plan.h"

namespace warpmark::assignment_check {
namespace {

using judge::VersionRule;

// Returns the error that a solution, whose work was to be counted, fails.
tl::unexpected<Error> broken(const VersionRule& version, const Cause& cause) {
  const std::string place = cause.line > 0 ? fmt::format("{}:{}: ", cause.file, cause.line) : "";
  const std::string size = size_text(cause);
  return fail(fmt::format("{}{}: the solution fails, so its work is not counted: {}{}", place, version.name,
                          cause.message, size.empty() ? "" : fmt::format(" ({})", size)));
}

// Returns the rubric without what is not counted.
judge::Rubric counted_part(const Setting& setting) {
  judge::Rubric rubric = setting.rubric;
  if (rubric.work.size == Size(0)) {  // there is no [work]
    rubric.work.type = rubric.types.front();
    rubric.work.size = *std::ranges::max_element(
        rubric.correct.sizes, {}, [&](const Size& size) { return setting.assignment->values_at(size); });
  }
  std::erase_if(rubric.versions,
                [](const VersionRule& version) { return !obstacle_to_mutants(version).empty(); });
  rubric.upload.clear();
  return rubric;
}

}  // namespace

Result<std::vector<CountedSolution>> count_solutions(const Setting& setting,
                                                     const std::optional<Size>& size) {
  const judge::Rubric rubric = counted_part(setting);
  const judge::Engines engines = simulator_alone(setting.engines);
  auto submission = judge::take_in(rubric.home.reference, rubric, setting.installation.root);
  if (!submission) return tl::unexpected(submission.error());
  judge::Libraries libraries({setting.installation, rubric, *submission, engines, Engine::simulator,
                              setting.options.cache, setting.options.jobs,
                              [](const VersionRule&) { return true; }, false, setting.options.progress});
  libraries.build();
  const judge::Course course = judge::resolve(rubric);
  judge::GradingContext bench{setting.installation, course, *setting.assignment, *submission,
                              setting.options.seed};
  std::vector<CountedSolution> all;
  for (const VersionRule& version : rubric.versions) {
    const judge::BuiltTypes built = libraries.version(Engine::simulator, version.name);
    if (!built.causes().empty()) return broken(version, built.causes().front());
    if (built.versions.empty()) continue;
    bench.shape.devices = version.gpus;
    judge::Focus focus;
    focus.size = size;
    const Case which = judge::work_case(rubric, *setting.assignment, version, focus, setting.options.seed);
    judge::VersionWorker worker(bench, version.name, built);
    auto result = worker.run(which, {.count_work = true});
    if (!result.causes.empty()) return broken(version, result.causes.front());
    auto counted = judge::counted_by(result.work.launches, *submission, version.name, which);
    all.push_back({version.name, which, std::move(result.work), counted ? std::move(*counted) : Counted{}});
  }
  return all;
}

}  // namespace warpmark::assignment_check
