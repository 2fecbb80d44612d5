// Part of class Grading: the checks that run on the simulator, and what they say of failures on a GPU.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "harness/base/trace.h"
#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/other_orders.h"
#include "harness/judge/consequences.h"
#include "harness/judge/grading.h"

namespace warpmark::judge {

std::vector<Cause> Grading::obstacles_to_building(const Libraries& libraries, const VersionRule& version,
                                                  const BuiltTypes& built) const {
  const SubmittedFile& file = submission_.files.at(version.name);
  auto found = obstacles(file, built);
  if (built.engine != Engine::gpu || !file.causes.empty() || failures_in(found).empty()) return found;
  return explained_first(failures_in(libraries.version(Engine::simulator, version.name).causes()),
                         std::move(found));
}

CheckOutcome Grading::correct_on_simulator(const Libraries& libraries, const VersionRule& version,
                                           bool explains) const {
  return simulated(libraries, version, Check::correct,
                   [=](GradingContext bench, const std::string& name, const BuiltTypes& types) {
                     bench.only_first_failure = !explains;
                     return check_correct(bench, name, types);
                   });
}

std::vector<Cause> Grading::reasons_in(const OnSimulator& seen, const std::vector<Cause>& on_gpu) const {
  return reasons_on_simulator(on_gpu, seen.correct, seen.clean_or_null(),
                              [&](CauseKind kind) { return course_.rubric.clean.fails(kind); });
}

Grading::OnSimulator Grading::watched(const Libraries& libraries, const VersionRule& version, bool explains) {
  OnSimulator seen{correct_on_simulator(libraries, version, explains), std::nullopt};
  if (const auto open = std::ranges::find_if(seen.correct.causes, leaves_to_gpu);
      open != seen.correct.causes.end())
    outcomes_.add_unwatched({version.name, open->message});
  if (selection_.wants(version, Check::clean)) seen.clean = clean(libraries, version, seen.correct);
  return seen;
}

CheckOutcome Grading::clean(const Libraries& libraries, const VersionRule& version,
                            const CheckOutcome& of_correct) const {
  const CheckOutcome made =
      of_correct.remarks ? CheckOutcome() : correct_on_simulator(libraries, version, false);
  const CheckOutcome& correct = of_correct.remarks ? of_correct : made;
  return simulated(libraries, version, Check::clean,
                   [&](const GradingContext& bench, const std::string& name, const BuiltTypes& types) {
                     const bool is_correct = correct.remarks && show_in_another_order_alone(correct.causes);
                     return check_clean(bench, name, types, correct.remarks.value_or(std::vector<Cause>()),
                                        is_correct);
                   });
}

CheckOutcome Grading::simulated(const Libraries& libraries, const VersionRule& version, Check check,
                                const SimulatedCheck& ask) const {
  const auto& time = engine_of(version) == Engine::gpu ? time_beside_gpu_ : bench_.time;
  if (time->has_timed_out(version.name)) {
    return {
        {make_cause(CauseKind::depends,
                    "not run, because a call in `correct` did not return: it would not return here, either")},
        0};
  }
  if (!engines_.has(Engine::simulator)) return {{engines_.missing.at(Engine::simulator)}, 0};
  if (version.gpu_only)
    return {{make_cause(CauseKind::unsupported, "the rubric gives this version to a GPU alone")}, 0};
  const BuiltTypes built = libraries.version(Engine::simulator, version.name);
  auto causes = built.causes();
  if (!causes.empty()) {
    return {unsupported_by(std::move(causes), "the simulator's compiler rejects code that nvcc accepts"), 0};
  }
  GradingContext bench = bench_for(libraries, version, fewest_that_share(version));
  bench.time = time;
  const TraceSpan span(name_of(check), version.name);
  auto found = guarded([&] { return ask(bench, version.name, built); });
  say(fmt::format("{}.{}: {}", version.name, name_of(check), found.causes.empty() ? "passed" : "not passed"));
  return found;
}

std::vector<Cause> Grading::upload_causes_on_simulator() const {
  const auto audited = audits_.find(Engine::simulator);
  if (main_ == Engine::simulator || audited == audits_.end()) return {};
  auto causes = audited->second.outcome(sent_).outcome.causes;
  std::erase_if(causes, [](const Cause& cause) { return cause.kind == CauseKind::timed_out; });
  return failures_in(std::move(causes));
}

}  // namespace warpmark::judge
