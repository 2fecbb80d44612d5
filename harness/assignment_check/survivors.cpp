#include "harness/assignment_check/survivors.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::assignment_check {
namespace {

using judge::Check;
using judge::VersionRule;

// Returns the distinct nonzero values of one dimension of the test sizes.
std::set<std::uint64_t> values_of(const std::vector<Size>& sizes, std::size_t part) {
  std::set<std::uint64_t> values;
  for (const Size& size : sizes) {
    if (part < size.parts.size() && size.parts[part] != 0) values.insert(size.parts[part]);
  }
  return values;
}

bool all_whole_warps(const std::set<std::uint64_t>& values) {
  return !values.empty() &&
         std::ranges::all_of(values, [](std::uint64_t value) { return value % kWarp == 0; });
}

bool any_whole_warps(const std::vector<Size>& sizes) {
  for (std::size_t part = 0; !sizes.empty() && part < sizes.front().parts.size(); ++part) {
    if (all_whole_warps(values_of(sizes, part))) return true;
  }
  return false;
}

bool has_empty_size(const std::vector<Size>& sizes) {
  return std::ranges::any_of(
      sizes, [](const Size& size) { return std::ranges::find(size.parts, 0U) != size.parts.end(); });
}

bool is_about_bounds(std::string_view kind) {
  static constexpr std::array<std::string_view, 6> kKinds{"test",  "comparison", "logic",
                                                          "index", "constant",   "arithmetic"};
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::string name_of_part(const judge::Rubric& rubric, std::size_t part) {
  return rubric.plain && part < rubric.plain->sizes.size() ? rubric.plain->sizes[part] : "n";
}

bool uses_vectors(std::string_view source) {
  static constexpr std::array<std::string_view, 7> kNames{
      "float4", "float2", "int4", "int2", "uint4", "double2", "reinterpret_cast"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return source.find(name) != std::string_view::npos; });
}

}  // namespace

std::string remedy_for(const Setting& setting, const MutantResult& survivor, std::string_view source) {
  const judge::Rubric& rubric = setting.rubric;
  const VersionRule& version = *rubric.find(survivor.version);
  static constexpr std::string_view kElse = ", or list it under `equivalent`";
  const auto advice = [&](std::string text) { return std::move(text) + std::string(kElse); };
  if (survivor.fate == Fate::out_of_reach) return "a size above 2^31, which a simulator does not reach";
  if (rubric.program) {
    if (survivor.kind == "barrier" || survivor.kind == "atomic")
      return advice(
          "the check `clean` on a case of several blocks, with a loop that goes round more than once, or "
          "more "
          "`schedules`");
    return advice(
        "a [[case]] whose output shows the change: an empty input, a size that is no multiple of a block, "
        "values that differ everywhere; or a tighter [compare]");
  }
  const bool synchronises = survivor.kind == "barrier" || survivor.kind == "atomic";
  if (synchronises && !version.has(Check::clean))
    return advice("the check `clean`: the version does not have it");
  if (survivor.kind == "barrier")
    return advice(
        "a size in [clean] of several blocks, with a loop that goes round more than once, or more "
        "`schedules`; otherwise the barrier is not needed");
  if (survivor.kind == "atomic")
    return advice(
        "a size in [clean] at which two threads meet in one element: several blocks, or the data class "
        "\"equal\" in `clean`");
  const bool steps = survivor.kind == "stride" || survivor.kind == "early" || survivor.kind == "arithmetic" ||
                     survivor.kind == "axis";
  if (steps && survivor.line_text.starts_with("for") &&
      survivor.line_text.find("blockDim") != std::string::npos)
    return advice(
        "a size at which a thread's loop goes round more than once; if there is none, the loop is not "
        "needed");
  if (survivor.edit == "only one round")
    return advice(
        "a size or data at which the loop goes round more than once; if there is none, the loop is not "
        "needed");
  static constexpr std::array<std::string_view, 4> kShape{"blocks", "multiprocessors", "device", "<<<"};
  const bool of_launch = std::ranges::any_of(
      kShape, [&](std::string_view word) { return survivor.line_text.find(word) != std::string::npos; });
  if (of_launch)
    return advice(
        "a [[version.work]] of `threads_a_value` or `launches`, if the number of blocks matters; as far as "
        "answers go, it is the solution's choice");
  if (is_about_bounds(survivor.kind)) {
    if (any_whole_warps(rubric.correct.sizes) && rubric.correct.secret.count == 0)
      return advice(fmt::format("a size in [correct] that is no multiple of {}, such as 33 or 1001", kWarp));
    if (version.has(Check::clean) && any_whole_warps(rubric.clean.sizes))
      return advice(fmt::format("a size in [clean] that is no multiple of {}, such as 33 or 1001", kWarp));
    if (!has_empty_size(rubric.correct.sizes)) return advice("a size of 0 in [correct]");
  }
  if (survivor.kind == "precision")
    return advice("a smaller tolerance of the outputs, or more values to add up");
  if (survivor.kind == "buffer")
    return advice("data that differ from buffer to buffer: other bounds, or another class");
  if (uses_vectors(source) && rubric.plain &&
      std::ranges::none_of(rubric.plain->buffers,
                           [](const plain::BufferRule& rule) { return rule.shift != plain::Shift::none; }))
    return advice(
        "shift = true on an input: no buffer begins off a 256-byte boundary, and the version reads several "
        "elements at a time");
  if (!version.has(Check::work))
    return advice(
        "if it only does more work: a [[version.work]], which the version does not have; see --propose");
  if (survivor.kind == "constant" || survivor.kind == "stride" || survivor.kind == "arithmetic")
    return advice(
        "a size one below and above where the solution changes its way (a block, a block's share), or a "
        "tighter [[version.work]]");
  if (survivor.kind == "test" || survivor.kind == "comparison" || survivor.kind == "logic")
    return advice(
        "a size or class of data at which the test's two sides differ in the answer; if they differ in speed "
        "alone, a [[version.work]]");
  return advice(
      "a class of data that shows the statement's effect, or a [[version.work]] if it only saves work");
}

std::vector<AssignmentFinding> gaps_of_sizes(const Setting& setting) {
  const judge::Rubric& rubric = setting.rubric;
  std::vector<AssignmentFinding> findings;
  const auto look = [&](const std::vector<Size>& sizes, const char* table, bool secret) {
    for (std::size_t part = 0; !sizes.empty() && part < sizes.front().parts.size(); ++part) {
      const auto values = values_of(sizes, part);
      if (!all_whole_warps(values) || secret) continue;
      findings.push_back(
          {values.size() > 1 || sizes.front().parts.size() == 1 ? Standing::open : Standing::remark,
           fmt::format("[{}] sizes: every {} is a multiple of {} ({}), so that a missing bounds test does no "
                       "harm; add one such as {}",
                       table, name_of_part(rubric, part), kWarp, fmt::join(values, ", "),
                       *values.rbegin() + 1),
           rubric.home.rules().string(), 0, ""});
    }
  };
  look(rubric.correct.sizes, "correct", rubric.correct.secret.count > 0);
  look(rubric.clean.sizes, "clean", false);
  return findings;
}

std::vector<AssignmentFinding> gaps_of_checks(const Setting& setting,
                                              const std::vector<MutantResult>& mutants,
                                              const Failed& failed) {
  std::vector<AssignmentFinding> findings;
  for (const VersionRule& version : setting.rubric.versions) {
    const bool graded = std::ranges::any_of(
        mutants, [&](const MutantResult& mutant) { return mutant.version == version.name; });
    if (!is_to_write(version) || !graded) continue;
    for (const Check check : {Check::correct, Check::clean, Check::work}) {
      const std::string name(name_of(check));
      const auto submissions = failed.find(version.name);
      const bool by_submission = submissions != failed.end() && submissions->second.contains(name);
      if (!version.has(check) || by_submission) continue;
      findings.push_back(
          {check == Check::work ? Standing::open : Standing::remark,
           fmt::format("{}: nothing fails `{}`: no mutant that was graded, not the naive version and not the "
                       "version before; {}",
                       version.name, name,
                       check == Check::work
                           ? "tighten its [[version.work]] (--propose shows the reference's counters)"
                           : "it tests too little, or there is nothing in the solution that it could find"),
           setting.rubric.home.rules().string(), 0, ""});
    }
  }
  return findings;
}

}  // namespace warpmark::assignment_check
