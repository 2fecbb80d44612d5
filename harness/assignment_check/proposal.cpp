#include "harness/assignment_check/proposal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/assignment_check/counting.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/cases/counted.h"

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

Counts counts_of(const CountedSolution& solution) {
  Counts counts;
  for (const judge::WorkCounterRule& rule : judge::kWorkCounters)
    counts[rule.counter] = judge::value_of(rule.counter, solution.work, solution.which.n);
  return counts;
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
  const auto solutions = count_solutions(setting);
  if (!solutions) return tl::unexpected(solutions.error());
  std::string size;                       // of the input, in words
  std::map<std::string, Counts> counted;  // by version
  for (const CountedSolution& solution : *solutions) {
    Cause input;
    judge::name_input(input, solution.which);
    size = size_text(input);
    counted[solution.version] = counts_of(solution);
  }
  const auto naive = counted.find(setting.rubric.naive);
  std::string text;
  for (const VersionRule& version : setting.rubric.versions) {
    const auto found = counted.find(version.name);
    if (!is_to_write(version) || !version.work.empty() || found == counted.end() || found == naive) continue;
    if (read_file(setting.rubric.home.reference / version.file()).value_or("").find("__global__") ==
        std::string::npos)
      continue;
    text += fmt::format("# {}, counted at {}:\n", version.name, size);
    std::string tables;
    std::vector<judge::WorkLimit> limits;
    for (const auto& [counter, value] : found->second) {
      const double other = naive == counted.end() ? 0 : naive->second.at(counter);
      text += fmt::format("#   {:<24} {:>10.4g}   naive {:>10.4g}\n", rule_of(counter).name, value, other);
      if (const auto limit = limit_between({counter, value, other}, "the naive version"))
        limits.push_back(*limit);
    }
    const VersionRule* before = &version == &setting.rubric.versions.front() ? nullptr : &version - 1;
    if (before != nullptr && before->name != setting.rubric.naive && counted.contains(before->name))
      add_limits_that_break(*before, counted.at(before->name), found->second, limits);
    for (const judge::WorkLimit& limit : limits)
      tables += fmt::format("[[version.work]]\ncounter = \"{}\"\nat_most = {:g}\nlesson = \"{}\"\n\n",
                            rule_of(limit.counter).name, limit.limit, limit.lesson);
    text += tables.empty() ? "#   no counter tells it from the naive version: only `fast` can\n\n" : tables;
  }
  if (text.empty()) text = "# every version with a kernel of its own has a [[version.work]]\n";
  return text;
}

}  // namespace warpmark::assignment_check
