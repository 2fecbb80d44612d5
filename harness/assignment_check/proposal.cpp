#include "harness/assignment_check/proposal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/assignment_check/mutant_judge.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/intake/submission.h"

namespace warpmark::assignment_check {
namespace {

using judge::VersionRule;
using judge::WorkCounter;

// Factor by which a proposed limit on a work counter exceeds the reference solution's count, to leave room
// for other right solutions.
constexpr double kMargin = 1.25;
// A limit on a work counter is proposed only if the naive version's count is at least this multiple of the
// reference solution's.
constexpr double kClearlyMore = 1.6;

// Rounds to two significant digits, up or down.
double rounded(double value, bool up) {
  if (value <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return (up ? std::ceil(value / unit) : std::floor(value / unit)) * unit;
}

using Counts = std::map<WorkCounter, double>;

struct CountedVersions {
  std::string size;                      // of the input, in words
  std::map<std::string, Counts> counts;  // by version
};

// Returns the error that a solution, whose work was to be counted, fails.
tl::unexpected<Error> broken(const VersionRule& version, const Cause& cause) {
  const std::string place = cause.line > 0 ? fmt::format("{}:{}: ", cause.file, cause.line) : "";
  const std::string size = size_text(cause);
  return fail(fmt::format("{}{}: the solution fails, so its work is not counted: {}{}", place, version.name,
                          cause.message, size.empty() ? "" : fmt::format(" ({})", size)));
}

// Adds limits that the version before breaks if it keeps all others: its file would earn full marks
// otherwise.
void add_limits_that_break(const VersionRule& before, const Counts& counts, const Counts& reference,
                           std::vector<judge::WorkLimit>& limits) {
  if (!std::ranges::all_of(limits, [&](const auto& limit) { return limit.holds(counts.at(limit.counter)); }))
    return;
  for (const auto& [counter, value] : reference) {
    if (auto limit = limit_between({counter, value, counts.at(counter)}, before.name))
      limits.push_back(std::move(*limit));
  }
}

class Counting {
 public:
  explicit Counting(const Setting& setting) : setting_(setting), rubric_(setting.rubric) {
    std::erase_if(engines_.toolchains, [](const auto& entry) { return entry.first != Engine::simulator; });
    if (rubric_.work.size == Size(0)) {  // there is no [work]
      rubric_.work.type = rubric_.types.front();
      rubric_.work.size = *std::ranges::max_element(
          rubric_.correct.sizes, {}, [&](const Size& size) { return setting.assignment->values_at(size); });
    }
    std::erase_if(rubric_.versions,
                  [](const VersionRule& version) { return !obstacle_to_mutants(version).empty(); });
    rubric_.upload.clear();
  }

  Result<CountedVersions> run() {
    auto submission = judge::take_in(rubric_.home.reference, rubric_, setting_.installation.root);
    if (!submission) return tl::unexpected(submission.error());
    judge::Libraries libraries({setting_.installation, rubric_, *submission, engines_, Engine::simulator,
                                setting_.options.cache, setting_.options.jobs,
                                [](const VersionRule&) { return true; }, false, setting_.options.progress});
    libraries.build();
    const judge::Course course = judge::resolve(rubric_);
    judge::GradingContext bench{setting_.installation, course, *setting_.assignment, *submission,
                                setting_.options.seed};
    CountedVersions all;
    for (const VersionRule& version : rubric_.versions) {
      const judge::BuiltTypes built = libraries.version(Engine::simulator, version.name);
      if (!built.causes().empty()) return broken(version, built.causes().front());
      if (built.versions.empty()) continue;
      bench.shape.devices = version.gpus;
      const Case which = judge::work_case(rubric_, *setting_.assignment, version, {}, setting_.options.seed);
      Cause input;
      judge::name_input(input, which);
      all.size = size_text(input);
      judge::VersionWorker worker(bench, version.name, built);
      const auto result = worker.run(which, {.count_work = true});
      if (!result.causes.empty()) return broken(version, result.causes.front());
      for (const judge::WorkCounterRule& rule : judge::kWorkCounters)
        all.counts[version.name][rule.counter] = judge::value_of(rule.counter, result.work, which.n);
    }
    return all;
  }

 private:
  const Setting& setting_;
  judge::Rubric rubric_;
  judge::Engines engines_ = setting_.engines;
};

}  // namespace

std::optional<judge::WorkLimit> limit_between(const CountedPair& pair, std::string_view other) {
  const std::string lesson = fmt::format("say what to do instead: the reference needs {:.4g} {}, {} {:.4g}",
                                         pair.reference, rule_of(pair.counter).title, other, pair.naive);
  if (!rule_of(pair.counter).is_cost) return std::nullopt;
  if (pair.naive <= 0 || pair.reference * kClearlyMore > pair.naive) return std::nullopt;
  const double limit = rounded(std::min(pair.reference * kMargin, (pair.reference + pair.naive) / 2), true);
  if (limit >= pair.naive) return std::nullopt;
  return judge::WorkLimit{pair.counter, false, limit, lesson};
}

Result<std::string> propose_limits(const Setting& setting) {
  if (!setting.engines.has(Engine::simulator))
    return fail(setting.engines.missing.at(Engine::simulator).message);
  const auto all = Counting(setting).run();
  if (!all) return tl::unexpected(all.error());
  const auto* counted = &all->counts;
  const auto naive = counted->find(setting.rubric.naive);
  std::string text;
  for (const VersionRule& version : setting.rubric.versions) {
    const auto found = counted->find(version.name);
    if (!is_to_write(version) || !version.work.empty() || found == counted->end() || found == naive) continue;
    if (read_file(setting.rubric.home.reference / version.file()).value_or("").find("__global__") ==
        std::string::npos)
      continue;
    text += fmt::format("# {}, counted at {}:\n", version.name, all->size);
    std::string tables;
    std::vector<judge::WorkLimit> limits;
    for (const auto& [counter, value] : found->second) {
      const double other = naive == counted->end() ? 0 : naive->second.at(counter);
      text += fmt::format("#   {:<24} {:>10.4g}   naive {:>10.4g}\n", rule_of(counter).name, value, other);
      if (const auto limit = limit_between({counter, value, other}, "the naive version"))
        limits.push_back(*limit);
    }
    const VersionRule* before = &version == &setting.rubric.versions.front() ? nullptr : &version - 1;
    if (before != nullptr && before->name != setting.rubric.naive && counted->contains(before->name))
      add_limits_that_break(*before, counted->at(before->name), found->second, limits);
    for (const judge::WorkLimit& limit : limits)
      tables += fmt::format("[[version.work]]\ncounter = \"{}\"\nat_most = {:g}\nlesson = \"{}\"\n\n",
                            rule_of(limit.counter).name, limit.limit, limit.lesson);
    text += tables.empty() ? "#   no counter tells it from the naive version: only `fast` can\n\n" : tables;
  }
  if (text.empty()) text = "# every version with a kernel of its own has a [[version.work]]\n";
  return text;
}

}  // namespace warpmark::assignment_check
