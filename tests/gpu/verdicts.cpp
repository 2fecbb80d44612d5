// How steady the verdict on one version is: decides again and again, each time in a worker of its own, with a
// threshold 10 % below and one 10 % above the speedup that the calibration found, in turns. See verdicts.sh.
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>

#include <fmt/format.h>

#include "harness/judge/intake/opening.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/rules/thresholds.h"
#include "harness/judge/score.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/fast_check.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/libraries.h"
#include "tests/home.h"

namespace {

namespace fs = std::filesystem;
using namespace warpmark;
using namespace warpmark::judge;

constexpr int kUsage = 2;
constexpr std::size_t kTogether = 20;  // versions that one grading would time
constexpr unsigned kJobs = 8;

template <class T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "verdict_series: {}\n", result.error().message);
  std::exit(kUsage);
}

struct Series {
  const char* name;
  VersionRule rule;
  std::map<Verdict, int> verdicts;
};

void decide_all(const GradingContext& bench, const BuiltTypes& built, const CourseKernels& course,
                std::size_t count, Series (&series)[2]) {
  for (std::size_t done = 0; done < count; done += kTogether / 2) {
    std::vector<FastRequest> requests;
    for (std::size_t i = done; i < std::min(count, done + kTogether / 2); ++i) {
      for (const Series& each : series) requests.push_back({&each.rule, {each.rule.required_speed()}, built});
    }
    FastPreparation prepared = prepare_fast(bench, course, requests.size(), 0);
    const auto timed = check_fast(bench, requests, prepared, kJobs);
    fmt::print(stderr, "{} of {}\n", 2 * done + requests.size(), 2 * count);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      CheckResult result;
      result.causes = timed.versions[i].outcome.causes;
      settle(result, {1, 0});
      ++series[i % 2].verdicts[result.verdict];
      if (result.verdict == Verdict::broken ||
          (result.verdict == Verdict::failed && result.causes.front().kind != CauseKind::too_slow)) {
        fmt::print("{}\n", result.causes.front().message);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string version = argc > 1 ? argv[1] : "";
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (version.empty() || count == 0) {
    fmt::print(stderr, "usage: verdict_series VERSION COUNT\n");
    return kUsage;
  }
  const Installation installation{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};
  Opened opened =
      need(open_submission(home_of("reduction").reference, "reduction", {}, installation, WARPMARK_CACHE));
  const Engines engines = find_engines(installation, std::chrono::seconds(60));
  if (!engines.has(Engine::gpu)) {
    fmt::print(stderr, "verdict_series: {}\n", engines.missing.at(Engine::gpu).message);
    return kUsage;
  }
  const Device& device = engines.devices.at(Engine::gpu);
  const Thresholds thresholds = need(read_thresholds(thresholds_file(home_of("reduction"), device.name)));
  const Course course = resolve(rubric_for(opened.submission, opened.rubric), thresholds);
  const auto rule = std::find_if(course.rubric.versions.begin(), course.rubric.versions.end(),
                                 [&](const VersionRule& each) { return each.name == version; });
  const auto measured = std::find_if(thresholds.versions.begin(), thresholds.versions.end(),
                                     [&](const VersionThreshold& each) { return each.version == version; });
  if (rule == course.rubric.versions.end() || measured == thresholds.versions.end()) {
    fmt::print(stderr, "verdict_series: {} was not calibrated\n", version);
    return kUsage;
  }
  const double speedup = std::sqrt(measured->low * measured->high);
  Series series[] = {{"above", *rule, {}}, {"below", *rule, {}}};
  series[0].rule.steps = {{speedup / 1.1, 1}};
  series[1].rule.steps = {{speedup * 1.1, 1}};

  Libraries libraries({installation, course.rubric, opened.submission, engines, Engine::gpu, WARPMARK_CACHE,
                       kJobs, [&](const VersionRule& each) { return each.name == version; }, false,
                       [](const std::string&) {}});
  libraries.build();
  DeviceLock lock(installation.locks, device.uuid);
  if (!lock.acquire(DeviceLock::Use::measuring, std::chrono::steady_clock::now() + std::chrono::minutes(1),
                    [] {})) {
    fmt::print(stderr, "verdict_series: something else is being graded on this GPU\n");
    return kUsage;
  }
  const GradingContext bench{installation, course, *opened.assignment, opened.submission,
                             seed_from_the_system()};
  const auto start = std::chrono::steady_clock::now();
  decide_all(bench, libraries.version(Engine::gpu, version), {libraries.naive(), libraries.sweep().library},
             count, series);
  for (const Series& each : series) {
    const auto times = [&](Verdict verdict) {
      const auto found = each.verdicts.find(verdict);
      return found == each.verdicts.end() ? 0 : found->second;
    };
    fmt::print("{} 10 % {} {:.3f} times: {} passed, {} failed, {} inconclusive, {} broken\n", version,
               each.name, each.rule.required_speed(), times(Verdict::passed), times(Verdict::failed),
               times(Verdict::inconclusive), times(Verdict::broken));
  }
  fmt::print("{}: {:.1f} s for {} decisions\n", device.name, seconds_since(start), 2 * count);
}
