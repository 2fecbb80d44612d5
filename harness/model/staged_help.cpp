#include "harness/model/staged_help.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace warpmark {
namespace {

// Returns true if a cause is never cut: it is not the student's, or the student cannot go on without it.
bool is_always_shown(CauseKind kind) {
  using enum CauseKind;
  static constexpr std::array kAlways{not_implemented,   compile_error, missing_function,
                                      forbidden_library, tampering,     same_code};
  return rule_of(kind).verdict != Verdict::failed || std::ranges::find(kAlways, kind) != kAlways.end();
}

Cause cut_to(const Cause& whole, Shown stage) {
  Cause cause = make_cause(whole.kind, std::string(hint_for(whole.kind).rule));
  cause.cut = true;
  cause.type = whole.type;
  cause.expected = whole.expected;
  cause.actual = whole.actual;
  cause.n = whole.n;
  cause.sizes = whole.sizes;
  cause.seed = whole.seed;
  cause.test = whole.test;
  cause.again = whole.again;
  cause.printed = whole.printed;
  cause.launch = whole.launch;
  if (stage < Shown::line) return cause;
  cause.file = whole.file;
  cause.line = whole.line;
  cause.other_line = whole.other_line;
  cause.excerpt = whole.excerpt;
  cause.accesses = whole.accesses;
  cause.warp_access = whole.warp_access;
  cause.block_threads = whole.block_threads;
  cause.rank_calls = whole.rank_calls;
  return cause;
}

void cut(std::vector<Cause>& causes, Shown stage) {
  if (stage == Shown::verdict)
    std::erase_if(causes, [](const Cause& each) { return !is_always_shown(each.kind); });
  for (Cause& cause : causes) {
    if (!is_always_shown(cause.kind)) cause = cut_to(cause, stage);
  }
}

// Removes what the record of the counted work says about a version's lines, and the advice on its limits.
void cut_counters(Grade& grade, Shown stage) {
  for (Counted& counted : grade.counters) {
    for (CountedLimit& limit : counted.limits) limit.lesson.clear();
    if (stage < Shown::line) counted.lines.clear();
  }
}

void cut_transfers(Grade& grade, Shown stage) {
  if (stage >= Shown::line) return;
  for (AuditedTransfer& transfer : grade.transfers) {
    transfer.file.clear();
    transfer.line = 0;
  }
}

std::string when_text(const HelpRule& rule) {
  std::string text;
  if (rule.until) text = " from " + rule.until_text;
  if (rule.attempts > 0)
    text += fmt::format("{} from attempt {} on", text.empty() ? "" : " or", rule.attempts);
  return text.empty() ? " is with the instructor" : " is shown" + text;
}

std::string remark_on(const std::string& check, const HelpRule& rule) {
  static constexpr std::array<std::string_view, 3> kWhat{"the verdict alone",
                                                         "the kind of mistake, without its line and remedy",
                                                         "the line, without the explanation and the remedy"};
  return fmt::format("Of failures in {} this copy shows {}; the rest{}.", check,
                     kWhat[static_cast<std::size_t>(rule.shows)], when_text(rule));
}

}  // namespace

const HelpRule& HelpRules::rule_for(const std::string& check) const {
  const auto found = by_check.find(check);
  return found == by_check.end() ? all : found->second;
}

Shown shown_of(const HelpRule& rule, const Sight& sight) {
  const bool all =
      (rule.until && sight.seconds >= *rule.until) || (rule.attempts > 0 && sight.attempts >= rule.attempts);
  return all ? Shown::remedy : rule.shows;
}

Grade copy_for_student(Grade grade, const HelpRules& rules, const Sight& sight) {
  if (!rules.given) return grade;
  grade.help_in_steps = true;
  std::set<std::string> remarked;
  for (CheckResult& check : grade.checks) {
    const HelpRule& rule = rules.rule_for(check.check);
    const Shown stage = shown_of(rule, sight);
    if (stage == Shown::remedy) continue;
    cut(check.causes, stage);
    cut(check.notes, stage);
    if (check.check == "work") cut_counters(grade, stage);
    if (check.check == "upload_once") cut_transfers(grade, stage);
    if (check.verdict == Verdict::failed && remarked.insert(check.check).second)
      grade.remarks.push_back(remark_on(check.check, rule));
  }
  return grade;
}

}  // namespace warpmark
