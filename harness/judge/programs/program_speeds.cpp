#include "harness/judge/programs/program_speeds.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/speed/device_lock.h"

namespace warpmark::judge {
namespace {

// Returns why a program cannot be timed on this machine; nullopt if it can.
std::optional<Cause> obstacle(const ProgramSpeed& speed, Engine engine) {
  const std::string& timed = speed.course.rubric.fast.test;
  if (!speed.course.focus.test.empty() && speed.course.focus.test != timed)
    return make_cause(
        CauseKind::not_calibrated,
        fmt::format("`fast` times the case {}, not the given --case; leave it out to have `fast` "
                    "decided",
                    timed));
  const auto missing = speed.engines.missing.find(engine);
  if (missing != speed.engines.missing.end()) return missing->second;
  if (engine == Engine::gpu && speed.main != Engine::gpu)
    return make_cause(CauseKind::no_gpu, "the simulator was requested, and a speedup needs a GPU");
  if (!speed.engines.has(engine))
    return make_cause(CauseKind::internal, fmt::format("the engine {} was not looked for", name_of(engine)));
  return std::nullopt;
}

// Returns the rule by which the course's program is built that a program is timed against: the naive one, or
// the solution of the program itself.
VersionRule baseline_of(const ProgramSpeed& speed) {
  VersionRule rule = speed.rule;
  if (rule.speed_unit == SpeedUnit::naive) {
    rule.name = speed.course.rubric.naive;
    rule.sources = speed.course.rubric.fast.naive_sources;
  }
  return rule;
}

FastOutcome failed(Cause cause) {
  FastOutcome outcome;
  outcome.outcome.causes = {std::move(cause)};
  return outcome;
}

}  // namespace

Engine engine_of_speed(const ProgramSpeed& speed) {
  return needs_gpu(speed.rule, speed.settings.spec) ? Engine::gpu : Engine::host;
}

FastOutcome check_speed(const ProgramSpeed& speed, const BuiltProgram& built) {
  const Engine engine = engine_of_speed(speed);
  if (auto cause = obstacle(speed, engine)) return failed(std::move(*cause));
  const VersionRule baseline_rule = baseline_of(speed);
  const std::filesystem::path& folder = speed.course.rubric.home.reference;
  std::error_code error;
  if (!std::filesystem::exists(folder / baseline_rule.file(), error))
    return failed(
        make_cause(CauseKind::not_calibrated,
                   fmt::format("its speed is compared with the course's own {}, which is not in {}; "
                               "grade on a machine that has the solutions",
                               baseline_rule.file(), folder.string())));
  const ProgramBuilder& builder = speed.builders.of(engine);
  const BuiltProgram baseline = builder.build(folder, baseline_rule);
  if (!baseline.causes.empty())
    return failed(
        make_cause(CauseKind::internal, fmt::format("the course's {} does not build for `fast`: {}",
                                                    baseline_rule.file(), baseline.causes.front().message)));
  const BuiltProgram native =
      engine == speed.main ? built : builder.build(speed.submission.folder, speed.rule);
  if (!native.causes.empty()) {
    FastOutcome outcome;
    outcome.outcome.causes = native.causes;
    return outcome;
  }
  DeviceLock lock(speed.settings.installation.locks,
                  engine == Engine::gpu ? speed.engines.devices.at(Engine::gpu).uuid : "host");
  const auto waiting = [&] {
    if (speed.say) speed.say("waiting for another grading that measures");
  };
  if (!lock.acquire(DeviceLock::Use::measuring, std::chrono::steady_clock::now() + kDeviceLockLimit, waiting))
    return failed(make_cause(CauseKind::noise,
                             "other gradings used the machine all the time; grade again when they are done"));
  CaseSettings settings = speed.settings;
  settings.engine = engine;
  const program::Case& one = *settings.spec.find(speed.course.rubric.fast.test);
  const CompareOutput compare = [&](const program::Output& output, const std::string& actual) {
    return speed.expected.compare(speed.rule, one, output, actual);
  };
  FastOutcome outcome = time_programs({settings, speed.course, speed.rule, one, baseline, native, compare});
  if (outcome.measurement && speed.say)
    speed.say(fmt::format("{}.fast: {:.2f} times", speed.rule.name, outcome.measurement->speedup));
  return outcome;
}

}  // namespace warpmark::judge
