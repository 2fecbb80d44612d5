// Part of class Grading: decides which kernel files the check `fast` times, on which engine, and reports why
// others are not timed.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/processor_time.h"
#include "harness/base/trace.h"
#include "harness/judge/consequences.h"
#include "harness/judge/grading.h"
#include "harness/judge/speed/fast_check.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

FastPreparation Grading::prepare_speeds(const Libraries& libraries, Engine engine, bool is_alone) {
  const TraceSpan span("fast", "prepare");
  {
    const TraceSpan waiting("waiting", "for libraries");
    libraries.wait_for_course(engine);
  }
  const auto use = is_alone ? std::nullopt : use_for(engine);
  CourseKernels& kernels = kernels_[engine];
  kernels = {libraries.naive(engine), libraries.sweep(engine).library};
  const auto trouble = libraries.trouble_with_course(engine);
  if (!trouble.empty()) return {tl::unexpected(trouble.front()), {}};
  return prepare_fast(bench_, kernels, wanted_speeds(engine), jobs_);
}

std::size_t Grading::wanted_speeds(Engine engine) const {
  return static_cast<std::size_t>(std::count_if(
      course_.rubric.versions.begin(), course_.rubric.versions.end(), [&](const VersionRule& version) {
        return version.host == is_host(engine) && version.speed_unit != SpeedUnit::reference &&
               selection_.wants(version, Check::fast);
      }));
}

FastOutcomes Grading::measured(const GradingContext& bench, const std::vector<FastRequest>& requests,
                               FastPreparation& prepared) {
  return check_fast(
      bench, requests, prepared, jobs_, [&](const FastRequest& request, const FastOutcome& found) {
        if (!found.measurement) return;
        say(fmt::format("{}.fast: {:.2f} times, {:g} required", request.rule->name,
                        found.measurement->speedup, fmt::join(request.required_speedups, ", ")));
      });
}

void Grading::time(Engine engine, const std::vector<FastRequest>& requests,
                   const std::function<FastOutcomes()>& measure) {
  if (requests.empty()) return;
  FastOutcomes timed;
  const CheckOutcome whole = guarded([&] {
    timed = measure();
    return CheckOutcome{};
  });
  if (!whole.causes.empty()) {
    record_speeds(requests, whole.causes.front());
    return;
  }
  const Device& device = engines_.devices.at(engine);
  const double gflops =
      timed.doubles ? device.peak_gflops.double_precision : device.peak_gflops.single_precision;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    FastOutcome& found = timed.versions[i];
    if (found.measurement) outcomes_.add(std::move(*found.measurement), device.peak_gb_per_s, gflops);
    outcomes_.record({requests[i].rule->name, Check::fast}, engine, std::move(found.outcome));
  }
  if (engine == Engine::gpu) outcomes_.set_timing(std::move(timed.timing));
}

// Times one kernel file after the other, with nothing else on the GPU or, for plain C++ code, nothing else of
// this grading on the CPU.
void Grading::check_speeds(const Libraries& libraries, Engine engine, const std::set<std::string>* early) {
  const auto is_wanted = [&](const VersionRule& version) {
    return early == nullptr || (early->contains(version.name) && version.ranks.empty() &&
                                version.speed_unit != SpeedUnit::reference);
  };
  std::vector<FastRequest> requests;
  std::vector<FastRequest> of_ranks;  // requests to time MPI code, each in worker processes of its own
  // requests to time against the course's own files, each in worker processes of its own
  std::vector<FastRequest> of_reference;
  for (const VersionRule& version : course_.rubric.versions) {
    if (version.host != is_host(engine) || !selection_.wants(version, Check::fast) || !is_wanted(version) ||
        !timings_.take(version.name))
      continue;
    auto obstructed = obstacles_to_timing(libraries, version);
    if (obstructed.empty()) {
      (version.speed_unit == SpeedUnit::reference ? of_reference
       : version.ranks.empty()                    ? requests
                                                  : of_ranks)
          .push_back({&version, course_.required_speeds(version), libraries.version(engine, version.name)});
    } else {
      outcomes_.record({version.name, Check::fast}, engine, {std::move(obstructed), 0});
    }
  }
  if (requests.empty() && of_ranks.empty() && of_reference.empty()) return;
  // The preparation uses the GPU, too, and would wait for a measurement that waits for it.
  if (engine == Engine::gpu) preparation_.wait();
  if (!lock(engine == Engine::gpu ? lock_ : cores_lock_, DeviceLock::Use::measuring)) {
    const Cause cause =
        make_cause(CauseKind::noise,
                   fmt::format("other gradings used the {} all the time; grade again when they are done",
                               engine == Engine::gpu ? "GPU" : "machine's cores"));
    record_speeds(requests, cause);
    record_speeds(of_ranks, cause);
    record_speeds(of_reference, cause);
    return;
  }
  const auto measuring_since = std::chrono::steady_clock::now();
  time(engine, requests, [&] {
    const TraceSpan span("fast", "all versions");
    if (engine != Engine::gpu) {
      FastPreparation prepared = prepare_speeds(libraries, engine, true);
      return measured(bench_, requests, prepared);
    }
    return measured(bench_, requests,
                    preparation_.get([&] { return prepare_speeds(libraries, engine, true); }));
  });
  for (const FastRequest& request : of_ranks) {
    const VersionRule& rule = *request.rule;
    const int ranks = rule.host ? course_.timed_ranks(rule) : std::ranges::max(rule.ranks);
    GradingContext bench = bench_for(libraries, rule, ranks);
    if (rule.host) {  // a GPU's ranks compute there
      RankStart start = *bench.shape.ranks;
      start.processors = processors_for(static_cast<std::size_t>(ranks));
      bench.shape.ranks = std::make_shared<const RankStart>(std::move(start));
    }
    time(engine, {request}, [&] {
      // prepare_speeds() is called only for its side effect, which is to initialise kernels_[engine], the
      // course's kernels; the returned preparation is not used.
      static_cast<void>(prepare_speeds(libraries, engine, true));
      FastPreparation prepared = prepare_fast(bench, kernels_[engine], 1, 0);
      return measured(bench, {request}, prepared);
    });
  }
  for (const FastRequest& request : of_reference) time_against_reference(libraries, request);
  // Other gradings count these workers and their memory.
  if (engine == Engine::gpu && early == nullptr) preparation_.drop();
  if (engine == Engine::gpu) outcomes_.add_exclusive(seconds_since(measuring_since));
  (engine == Engine::gpu ? lock_ : cores_lock_).release();
}

void Grading::measure_during_builds(const Libraries& libraries) {
  const auto ready = timings_.ready_during_builds(
      [&](const std::string& version) { return libraries.are_built_for(version); });
  if (!ready.empty()) check_speeds(libraries, Engine::gpu, &ready);
}

void Grading::time_against_reference(const Libraries& libraries, const FastRequest& request) {
  const std::string& version = request.rule->name;
  time(request.built.engine, {request}, [&] {
    libraries.wait_for_course(request.built.engine);
    const CourseKernels kernels{libraries.reference(version), libraries.sweep(request.built.engine).library,
                                version};
    FastPreparation prepared = prepare_fast(bench_, kernels, 1, 0);
    return measured(bench_, {request}, prepared);
  });
}

void Grading::record_speeds(const std::vector<FastRequest>& requests, const Cause& cause) {
  for (const FastRequest& request : requests) {
    outcomes_.record({request.rule->name, Check::fast}, request.built.engine, {{cause}, 0});
  }
}

std::vector<Cause> Grading::obstacles_to_timing(const Libraries& libraries,
                                                const VersionRule& version) const {
  for (const Check earlier : {Check::builds, Check::correct}) {
    const auto* causes = outcomes_.causes_of({version.name, earlier});
    if (causes == nullptr) continue;
    if (auto blocked = after(*causes, earlier); !blocked.empty()) return blocked;
  }
  if (version.host) {
    if (auto obstacle = course_.obstacle_to_host_fast(version)) return {std::move(*obstacle)};
    return libraries.trouble_with_course(Engine::host);
  }
  if (main_ != Engine::gpu) return {no_gpu_for("a speedup")};
  if (!engines_.has_gpus(version.gpus)) {
    return {make_cause(CauseKind::no_gpu, fmt::format("the version needs {} GPUs, and this machine has {}",
                                                      version.gpus, engines_.devices.at(Engine::gpu).count))};
  }
  if (auto obstacle = course_.obstacle_to_fast()) return {std::move(*obstacle)};
  if (version.speed_unit == SpeedUnit::reference) {
    if (auto trouble = libraries.trouble_with_reference(version); !trouble.empty()) return trouble;
  }
  return libraries.trouble_with_course(Engine::gpu);
}

}  // namespace warpmark::judge
